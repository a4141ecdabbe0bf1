"""SQL for deletions: the pending ones, and the changes in the rows of each table."""

import json
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from sqlalchemy import case, delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.personal_data import OnDeletion, PersonalData
from bot.core.storage.database import Database, after_commit
from bot.core.storage.writing.changes import announce
from bot.core.storage.writing.locks import lock_user
from bot.games.tables import IS_RUNNING, games
from bot.players.tables import player_names
from bot.privacy.tables import IS_DONE, deletions

DELETION: Final = "deletion"
"""The kind of the announcements of deletions; the key is the user's id."""
NO_NAMES: Final = '["", ""]'
"""The list of two players' names after one of them was deleted."""


class PendingDeletion(NamedTuple):
    """A requested deletion that is not done yet."""

    user_id: int
    pseudonym: int


class GamesRunning(Exception):
    """The user has a running game again. Nothing was deleted."""


class DeletionRepository:
    """Stores and carries out deletions. Times in ms since 1970."""

    def __init__(self, database: Database, tables: Iterable[PersonalData]) -> None:
        self.database = database
        self._tables = tuple(tables)

    async def begin(self, user_id: int, pseudonym: int, now: int) -> PendingDeletion:
        """Stores the request for a deletion. Returns its pseudonym: the stored one if there was a request already."""
        row = {"user_id": user_id, "pseudonym": pseudonym, "asked_at": now}
        statement = self.database.insert(deletions).values(row).on_conflict_do_nothing(index_elements=["user_id"])
        async with self.database.writing() as connection:
            await connection.execute(statement)
            query = select(deletions.c.user_id, deletions.c.pseudonym).where(deletions.c.user_id == user_id)
            return PendingDeletion(*(await connection.execute(query)).one())

    async def pending(self) -> list[PendingDeletion]:
        """Returns the deletions that are not done, the oldest request first."""
        query = select(deletions.c.user_id, deletions.c.pseudonym).where(deletions.c.user_id.is_not(None))
        return [PendingDeletion(*row) for row in await self.database.fetch(query.order_by(deletions.c.id))]

    async def finish(self, deletion: PendingDeletion, now: int, forget: Callable[[int], object]) -> None:
        """Deletes the user's rows, or replaces the id in them, and deletes the link to the pseudonym, in one
        transaction.

        ``forget`` is called right after the commit. Raises GamesRunning if the user still has a running game.
        """
        user_id, pseudonym = deletion
        async with self.database.writing() as connection:
            await lock_user(connection, user_id)
            done = {"user_id": None, "pseudonym": None, "done_at": now}
            statement = update(deletions).where(deletions.c.user_id == user_id).values(done)
            if not (await connection.execute(statement)).rowcount:  # another process has deleted the user
                return
            await _check_over(connection, user_id)
            name = await connection.scalar(select(player_names.c.name).where(player_names.c.user_id == user_id))
            for data in self._tables:
                if name:
                    await _empty_names(connection, data, name)
                await _remove(connection, data, user_id, pseudonym)
            await _check_over(connection, pseudonym)  # a game has begun meanwhile
            await announce(connection, DELETION, user_id)
            after_commit(connection, lambda: forget(user_id))

    async def done(self) -> set[int]:
        """Returns the numbers of the deletions that are done and still stored."""
        return set((await self.database.fetch(select(deletions.c.id).where(IS_DONE))).scalars())

    async def not_erased(self) -> bool:
        """Returns whether bytes of deleted rows may be left in the database's file."""
        query = select(deletions.c.id).where(IS_DONE, ~deletions.c.erased).limit(1)
        return (await self.database.fetch(query)).scalar() is not None

    async def erase(self, limit: int | None) -> None:
        """Erases bytes left in the database's file, unless the file is larger than ``limit`` bytes."""
        ids = list((await self.database.fetch(select(deletions.c.id).where(IS_DONE, ~deletions.c.erased))).scalars())
        if not await self.database.erase_deleted(limit):
            return
        async with self.database.writing() as connection:
            await connection.execute(update(deletions).where(deletions.c.id.in_(ids)).values(erased=True))


async def _check_over(connection: AsyncConnection, player: int) -> None:
    """Raises GamesRunning if a game of the user runs."""
    theirs = or_(games.c.seat0 == player, games.c.seat1 == player)
    if await connection.scalar(select(games.c.id).where(IS_RUNNING, theirs).limit(1)) is not None:
        raise GamesRunning


async def _empty_names(connection: AsyncConnection, data: PersonalData, name: str) -> None:
    for column in (data.table.c[key] for key in data.names):
        statement = update(data.table).where(column.contains(json.dumps(name), autoescape=True))
        await connection.execute(statement.values({column.name: NO_NAMES}))


async def _remove(connection: AsyncConnection, data: PersonalData, user_id: int, pseudonym: int) -> None:
    if data.on_deletion is OnDeletion.DELETE:
        await connection.execute(delete(data.table).where(data.belongs_to(user_id)))
        return
    columns = [data.table.c[name] for name in data.users]
    values = {column.name: case((column == user_id, pseudonym), else_=column) for column in columns}
    for written, about in data.about.items():
        values[written] = case((data.table.c[about] == user_id, ""), else_=data.table.c[written])
    await connection.execute(update(data.table).where(data.belongs_to(user_id)).values(values))
