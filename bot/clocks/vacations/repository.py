"""Stores the present, past and announced vacations of users. Every change is announced to the other processes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks.vacations.tables import vacations
from bot.core.storage.database import Database
from bot.core.storage.writing.changes import announcing
from bot.core.storage.writing.locks import lock_user
from bot.core.storage.writing.writes import Bound, write

VACATION: Final = "vacation"
"""The kind of the announcements about a user's vacations; the key is the user's id."""

_DROP: Final = delete(vacations).where(vacations.c.id == bindparam("of_id"), vacations.c.since >= bindparam("now"))


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
            added = insert(vacations).values(user_id=user_id, since=since, until=until)
            await connection.execute(announcing(connection, added, VACATION, user_id))

    async def shorten(self, user_id: int, vacation_id: int, until: int) -> None:
        """Brings the end of a user's vacation forward; never makes it longer."""
        later = (vacations.c.id == vacation_id, vacations.c.until > until, vacations.c.since < until)
        shortened = update(vacations).where(*later).values(until=until)
        async with self.database.writing_once() as connection:
            await connection.execute(announcing(connection, shortened, VACATION, user_id))

    async def drop(self, user_id: int, vacation_id: int, now: int) -> None:
        """Deletes a user's vacation that has not begun."""
        dropped = Bound(_DROP, {"of_id": vacation_id, "now": now})
        async with self.database.writing() as connection:
            await write(connection, announcing(connection, dropped, VACATION, user_id))

    async def of(self, user_ids: Iterable[int], after: int) -> list[Vacation]:
        """The users' vacations that end after ``after``, in order."""
        async with self.database.reading_once() as connection:
            return await self._of(connection, user_ids, after)

    @staticmethod
    async def _of(connection: AsyncConnection, user_ids: Iterable[int], after: int) -> list[Vacation]:
        conditions = (vacations.c.user_id.in_(list(user_ids)), vacations.c.until > after)
        query = select(vacations).where(*conditions).order_by(vacations.c.since, vacations.c.id)
        return [Vacation(row.id, row.user_id, row.since, row.until) for row in await connection.execute(query)]
