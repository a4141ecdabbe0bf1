"""Replays every game's record, and writes the columns that follow from it where its row says something else.

The bot may run meanwhile. A row is changed only if it still is what was read together with the entries: whatever the
bot does in between, it is read again. What is not derived from the record alone is left to the bot: a lease, and a
deadline brought forward (``GameRepository.make_due``), which a tick sets anew.
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
"""Ids read at once; of games there is one in memory at a time."""
ATTEMPTS: Final = 20
"""How often a game is read again because it went on meanwhile; then the bot itself has just written it anew."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A game that was replayed. ``changed``: the columns written anew; ``fault``: why it was left as it is."""

    id: str
    changed: tuple[str, ...] = ()
    fault: str = ""


async def rebuilt(database: Database) -> AsyncIterator[Checked]:
    """Every game that there is, in order of the ids."""
    after = ""
    while ids := await _page(database, after):
        for game_id in ids:
            yield await _checked(database, game_id)
        after = ids[-1]


async def _page(database: Database, after: str) -> list[str]:
    query = select(games.c.id).where(games.c.id > after).order_by(games.c.id).limit(PAGE)
    async with database.reading() as connection:
        return list(await connection.scalars(query))


async def _checked(database: Database, game_id: str) -> Checked:
    listed = select(entries).where(entries.c.game_id == game_id).order_by(entries.c.seq)
    for _ in range(ATTEMPTS):
        async with database.reading() as connection:
            found = (await connection.execute(listed)).all()
            row = (await connection.execute(select(games).where(games.c.id == game_id))).one()
        try:
            wanted = _follows(row, found)
        except (CorruptRecord, RuleError) as error:
            return Checked(game_id, fault=str(error))
        except Exception as error:  # noqa: BLE001  whatever damage makes the rules trip over; the others are checked too
            return Checked(game_id, fault=f"game {game_id} does not replay: {error!r}")
        changed = tuple(name for name, value in wanted.items() if getattr(row, name) != value)
        if not changed:
            return Checked(game_id)
        same = [games.c[name].is_not_distinct_from(getattr(row, name)) for name in wanted]
        try:
            async with database.writing() as connection:
                result = await connection.execute(update(games).where(games.c.id == game_id, *same).values(wanted))
        except IntegrityError as error:
            if violated(error) == ONE_PER_CHANNEL:
                return Checked(game_id, fault=f"game {game_id} goes on, but another runs in its channel")
            raise
        if result.rowcount == 1:
            return Checked(game_id, changed)
    return Checked(game_id)


def _follows(row: Row[Any], found: Any) -> dict[str, Any]:
    """The derived columns as they have to be. Raises CorruptRecord, RuleError, or what damaged entries lead to."""
    stored = stored_game(row, found)
    header = stored.record.header
    table = Table.replay(find(header.game, header.version), stored.record)
    if stored.shown_seq > table.seq:  # which does not follow from the entries: it testifies to them
        shown = f"its players have been shown {stored.shown_seq} entries"
        raise CorruptRecord(f"game {row.id} lacks its end: {shown}, and it has {table.seq}")
    wanted = derived(table)
    del wanted["leased_until"]
    due = wanted["deadline"]
    if due is not None and row.deadline is not None and row.deadline < due:
        wanted["deadline"] = row.deadline
    return wanted
