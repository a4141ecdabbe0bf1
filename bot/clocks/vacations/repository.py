"""Stores the present, past and announced vacations of users."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks.vacations.tables import vacations
from bot.core.storage.database import Database
from bot.core.storage.locks import lock_user


@dataclass(frozen=True, slots=True)
class Vacation:
    """From ``since`` to ``until`` (ms since 1970), the user's clocks are stopped."""

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

    async def shorten(self, vacation_id: int, until: int) -> None:
        """Brings the end forward; never makes a vacation longer."""
        later = (vacations.c.id == vacation_id, vacations.c.until > until, vacations.c.since < until)
        async with self.database.writing_once() as connection:
            await connection.execute(update(vacations).where(*later).values(until=until))

    async def drop(self, vacation_id: int, now: int) -> None:
        """Deletes a vacation that has not begun."""
        async with self.database.writing_once() as connection:
            await connection.execute(vacations.delete().where(vacations.c.id == vacation_id, vacations.c.since >= now))

    async def of(self, user_ids: Iterable[int], after: int) -> list[Vacation]:
        """The users' vacations that end after ``after``, in order."""
        async with self.database.reading_once() as connection:
            return await self._of(connection, user_ids, after)

    @staticmethod
    async def _of(connection: AsyncConnection, user_ids: Iterable[int], after: int) -> list[Vacation]:
        conditions = (vacations.c.user_id.in_(list(user_ids)), vacations.c.until > after)
        query = select(vacations).where(*conditions).order_by(vacations.c.since, vacations.c.id)
        return [Vacation(row.id, row.user_id, row.since, row.until) for row in await connection.execute(query)]
