"""Replays every game's record, and corrects its derived columns where they differ.

The bot may run meanwhile. A row is updated only if it has not changed since it was read with its entries; otherwise
it is read again. Two columns do not follow from the record alone and are left to the bot: a lease, and a deadline
that was brought forward (``GameRepository.make_due``). A tick sets both again.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, select, update
from sqlalchemy.exc import IntegrityError

from bot.core.storage.database import Database, violated
from bot.games.derived import derived
from bot.games.repository import stored_game
from bot.games.tables import ONE_PER_CHANNEL, entries, games
from engine.core.errors import CorruptRecord, RuleError
from engine.core.table import Table
from engine.registry import find

PAGE: Final = 500
"""Ids read at once. Only one game at a time is in memory."""
ATTEMPTS: Final = 20
"""How often a game is read again because it changed meanwhile. After that it is left: the bot has just written it."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A checked game. ``changed``: the corrected columns; ``fault``: why it was left as it is."""

    id: str
    changed: tuple[str, ...] = ()
    fault: str = ""

    @property
    def in_words(self) -> str:
        """What was done, as a sentence; "" if all was right."""
        if self.fault:
            return f"{self.id} is left as it is: {self.fault}"
        return f"{self.id} is written anew: {', '.join(self.changed)}" if self.changed else ""


async def rebuild_all(database: Database) -> AsyncIterator[Checked]:
    """Checks and corrects every game, in order of the ids."""
    after = ""
    while ids := await _page(database, after):
        for game_id in ids:
            yield await _rebuild(database, game_id)
        after = ids[-1]


async def stored_table(database: Database, game_id: str) -> Table[Any, Any]:
    """The table of a stored game, replayed from its record. Raises CorruptRecord, RuleError."""
    listed = select(entries).where(entries.c.game_id == game_id).order_by(entries.c.seq)
    async with database.reading() as connection:
        found = (await connection.execute(listed)).all()
        row = (await connection.execute(select(games).where(games.c.id == game_id))).one()
    stored = stored_game(row, found)
    return Table.replay(find(stored.record.header.game, stored.record.header.version), stored.record)


async def _page(database: Database, after: str) -> list[str]:
    query = select(games.c.id).where(games.c.id > after).order_by(games.c.id).limit(PAGE)
    async with database.reading_once() as connection:
        return list(await connection.scalars(query))


async def _rebuild(database: Database, game_id: str) -> Checked:
    listed = select(entries).where(entries.c.game_id == game_id).order_by(entries.c.seq)
    for _ in range(ATTEMPTS):
        async with database.reading() as connection:
            found = (await connection.execute(listed)).all()
            row = (await connection.execute(select(games).where(games.c.id == game_id))).one()
        try:
            expected = _expected_columns(row, found)
        except (CorruptRecord, RuleError) as error:
            return Checked(game_id, fault=str(error))
        except Exception as error:  # noqa: BLE001  damaged entries can raise anything; the other games are still checked
            return Checked(game_id, fault=f"game {game_id} does not replay: {error!r}")
        changed = tuple(name for name, value in expected.items() if getattr(row, name) != value)
        if not changed:
            return Checked(game_id)
        same = [games.c[name].is_not_distinct_from(getattr(row, name)) for name in expected]
        try:
            async with database.writing_once() as connection:
                result = await connection.execute(update(games).where(games.c.id == game_id, *same).values(expected))
        except IntegrityError as error:
            if violated(error) == ONE_PER_CHANNEL:
                return Checked(game_id, fault=f"game {game_id} goes on, but another runs in its channel")
            raise
        if result.rowcount == 1:
            return Checked(game_id, changed)
    return Checked(game_id)


def _expected_columns(row: Row[Any], found: Any) -> dict[str, Any]:
    """The correct derived columns. Raises CorruptRecord, RuleError, or anything else if entries are damaged."""
    stored = stored_game(row, found)
    header = stored.record.header
    table = Table.replay(find(header.game, header.version), stored.record)
    if stored.shown_seq > table.seq:  # shown_seq is not derived, so it proves that entries are missing
        shown = f"its players have been shown {stored.shown_seq} entries"
        raise CorruptRecord(f"game {row.id} lacks its end: {shown}, and it has {table.seq}")
    expected = derived(table)
    del expected["leased_until"]
    deadline = expected["deadline"]
    if deadline is not None and row.deadline is not None and row.deadline < deadline:  # brought forward
        expected["deadline"] = row.deadline
    return expected
