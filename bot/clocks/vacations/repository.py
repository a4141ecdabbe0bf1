"""Stores the present, past and announced vacations of users. Every change is announced to the other processes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks.vacations.tables import vacations
from bot.core.storage.database import Database
from bot.core.storage.rows import from_row
from bot.core.storage.writing.changes import announce
from bot.core.storage.writing.locks import lock_user

VACATION: Final = "vacation"
"""The kind of the announcements of changed vacations; the key is the user's id."""


@dataclass(frozen=True, slots=True)
class Vacation:
    """A vacation of the user, from ``since`` to ``until`` (ms since 1970). Their clocks are stopped."""

    id: int
    user_id: int
    since: int
    until: int


class VacationRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(
        self, user_id: int, since: int, until: int, after: int, check: Callable[[list[Vacation]], None]
    ) -> None:
        """Adds a vacation, unless ``check`` raises for the user's vacations that end after ``after``.

        The user is locked meanwhile, so two vacations cannot be added at the same time.
        """
        async with self.database.writing() as connection:
            await lock_user(connection, user_id)
            check(await self._of(connection, [user_id], after))
            await connection.execute(insert(vacations).values(user_id=user_id, since=since, until=until))
            await announce(connection, VACATION, user_id)

    async def shorten(self, user_id: int, vacation_id: int, until: int) -> None:
        """Brings the end of a user's vacation forward. It never gets longer."""
        later = (vacations.c.id == vacation_id, vacations.c.until > until, vacations.c.since < until)
        shortened = update(vacations).where(*later).values(until=until)
        async with self.database.writing() as connection:
            await connection.execute(shortened)
            await announce(connection, VACATION, user_id)

    async def drop(self, user_id: int, vacation_id: int, now: int) -> None:
        """Deletes a user's vacation that has not begun."""
        async with self.database.writing() as connection:
            await connection.execute(delete(vacations).where(vacations.c.id == vacation_id, vacations.c.since >= now))
            await announce(connection, VACATION, user_id)

    async def of(self, user_ids: Iterable[int], after: int) -> list[Vacation]:
        """Returns the users' vacations that end after ``after``, in order."""
        return await self._of(None, user_ids, after)

    async def _of(self, within: AsyncConnection | None, user_ids: Iterable[int], after: int) -> list[Vacation]:
        conditions = (vacations.c.user_id.in_(list(user_ids)), vacations.c.until > after)
        query = select(vacations).where(*conditions).order_by(vacations.c.since, vacations.c.id)
        return [from_row(Vacation, row) for row in await self.database.fetch(query, within=within)]
