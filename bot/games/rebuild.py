"""Replays every game's record, and corrects its derived columns and its snapshot where they differ.

The bot may run meanwhile. A row is updated only if it has not changed since it was read with its entries; otherwise
it is read again. Two columns do not follow from the record alone and are left to the bot: a lease, and a deadline
that was brought forward (``GameRepository.make_due``). A tick sets both again.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Row, delete, select, update
from sqlalchemy.exc import IntegrityError

from bot.core.storage.database import Database, violated
from bot.games.derived import derived
from bot.games.rows import packed, stored_game, unpacked
from bot.games.tables import ONE_PER_CHANNEL, entries, games, snapshots
from engine.core.errors import CorruptRecord, RuleError
from engine.core.snapshot import UnfitSnapshot
from engine.core.table import Table

PAGE: Final = 500
"""Ids read at once. Only one game at a time is in memory."""
SNAPSHOT: Final = "snapshot"
"""Stands for a snapshot that was replaced, as it does not follow from the record."""
ATTEMPTS: Final = 20
"""The most times that a game is read again because it has changed. After that it is left, as the bot has just written
it.
"""


@dataclass(frozen=True, slots=True)
class Checked:
    """A checked game. ``changed``: the corrected columns. ``fault``: the reason why it was left as it is."""

    id: str
    changed: tuple[str, ...] = ()
    fault: str = ""

    @property
    def in_words(self) -> str:
        """A sentence about the correction; "" if all was right."""
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
    """Returns the table of a stored game, replayed from its record. Raises CorruptRecord, RuleError."""
    listed = select(entries).where(entries.c.game_id == game_id).order_by(entries.c.seq)
    async with database.reading() as connection:
        found = (await connection.execute(listed)).all()
        row = (await connection.execute(select(games).where(games.c.id == game_id))).one()
    return stored_game(row, found).table()


async def _page(database: Database, after: str) -> list[str]:
    query = select(games.c.id).where(games.c.id > after).order_by(games.c.id).limit(PAGE)
    return list((await database.fetch(query)).scalars())


async def _rebuild(database: Database, game_id: str) -> Checked:
    listed = select(entries).where(entries.c.game_id == game_id).order_by(entries.c.seq)
    for _ in range(ATTEMPTS):
        async with database.reading() as connection:
            found = (await connection.execute(listed)).all()
            row = (await connection.execute(select(games).where(games.c.id == game_id))).one()
            kept = await connection.scalar(select(snapshots.c.text).where(snapshots.c.game_id == game_id))
        try:
            table = stored_game(row, found).table()
            expected = _expected_columns(row, table)
        except (CorruptRecord, RuleError) as error:
            return Checked(game_id, fault=str(error))
        except Exception as error:  # noqa: BLE001  damaged entries can raise anything; the other games are still checked
            return Checked(game_id, fault=f"game {game_id} does not replay: {error!r}")
        changed = tuple(name for name, value in expected.items() if getattr(row, name) != value)
        if kept is not None and not _fits(kept, table):
            await _renew(database, game_id, kept, table)
            changed = (*changed, SNAPSHOT)
        if changed in {(), (SNAPSHOT,)}:
            return Checked(game_id, changed)
        same = [games.c[name].is_not_distinct_from(getattr(row, name)) for name in expected]
        try:
            async with database.writing() as connection:
                result = await connection.execute(update(games).where(games.c.id == game_id, *same).values(expected))
        except IntegrityError as error:
            if violated(error) == ONE_PER_CHANNEL:
                return Checked(game_id, fault=f"game {game_id} goes on, but another runs in its channel")
            raise
        if result.rowcount == 1:
            return Checked(game_id, changed)
    return Checked(game_id)


def _fits(kept: bytes, table: Table[Any, Any]) -> bool:
    """Returns whether a stored snapshot leads to the same table as the record."""
    snapshot = unpacked(kept)
    try:
        return snapshot is not None and Table.resume_from(table.game, table.record, snapshot) == table
    except (UnfitSnapshot, CorruptRecord):
        return False


async def _renew(database: Database, game_id: str, kept: bytes, table: Table[Any, Any]) -> None:
    """Replaces a snapshot, unless it has changed meanwhile."""
    same = (snapshots.c.game_id == game_id, snapshots.c.text == kept)
    fresh = table.snapshot()
    async with database.writing() as connection:
        if fresh is None:
            await connection.execute(delete(snapshots).where(*same))
        else:
            await connection.execute(update(snapshots).where(*same).values(text=packed(fresh)))


def _expected_columns(row: Row[Any], table: Table[Any, Any]) -> dict[str, Any]:
    """Returns the correct derived columns. Raises CorruptRecord, or any other error if entries are damaged."""
    if row.shown_seq > table.seq:  # shown_seq is not derived, so it proves that entries are missing
        shown = f"its players have been shown {row.shown_seq} entries"
        raise CorruptRecord(f"game {row.id} lacks its end: {shown}, and it has {table.seq}")
    expected = derived(table)
    del expected["leased_until"]
    deadline = expected["deadline"]
    if (
        deadline is not None and row.deadline is not None and row.deadline < deadline
    ):  # the deadline was brought forward
        expected["deadline"] = row.deadline
    return expected
