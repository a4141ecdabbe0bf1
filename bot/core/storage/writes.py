"""Writes that wait for one another, so that an ordinary transaction takes one round trip to PostgreSQL."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Delete, Insert, Update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.violations import violated

Write: TypeAlias = Insert | Update | Delete
Refused: TypeAlias = Callable[[str], Exception | None]
"""The exception to raise instead of an IntegrityError by the constraint of that name; None: that error."""


def refuses_nothing(_: str) -> None:
    return None


class PendingWrites:
    """The statements of a transaction that have not gone out yet."""

    def __init__(self) -> None:
        self.has_begun = False
        """Whether anything has gone out."""
        self._writes: list[Write] = []
        self._refused: list[Refused] = []

    def add(self, refused: Refused, *writes: Write) -> None:
        self._writes += writes
        self._refused.append(refused)

    def flush(self, connection: Connection) -> None:
        """Sends what waits, in one statement: PostgreSQL lets several write in one ``WITH``."""
        self.has_begun = True
        if not self._writes:
            return
        (*before, last), self._writes = self._writes, []
        refused, self._refused = self._refused, []
        together = last.add_cte(*(write.cte(f"write_{number}") for number, write in enumerate(before)))
        try:
            connection.execute(together)
        except IntegrityError as error:
            name = violated(error)
            raise (next(filter(None, (find(name) for find in refused)), None) or error) from error

    def commit(self, connection: Connection) -> None:
        """Sends what waits before a commit. If that is the whole transaction, it needs no BEGIN and no COMMIT."""
        if self.has_begun or not self._writes:
            self.flush(connection)
            return
        driver: Any = connection.connection.dbapi_connection
        driver.autocommit = True
        try:
            self.flush(connection)
        finally:
            driver.autocommit = False


_pending: Final[WeakKeyDictionary[Connection, PendingWrites]] = WeakKeyDictionary()
"""By the connection of ``Database.writing``."""


def begin_writes(connection: AsyncConnection) -> PendingWrites:
    """What will wait in the transaction that begins on this connection."""
    pending = _pending[plain(connection)] = PendingWrites()
    return pending


def flush_before(connection: Connection, *_: Any) -> None:
    """Sends what waits before another statement: a listener to ``before_execute``."""
    if pending := _pending.get(connection):
        pending.flush(connection)


async def write(connection: AsyncConnection, *writes: Write, refused: Refused = refuses_nothing) -> None:
    """Executes statements in a transaction of ``Database.writing``, when nobody needs their results.

    On PostgreSQL they wait, and go out together with the others that wait: before the next statement that does not
    wait, or else with the commit, so that the whole transaction takes a single round trip. Statements that go out
    together do not see what the others change, and must not change the same row. SQLite executes them at once.
    """
    if connection.dialect.name == "postgresql":
        _pending[plain(connection)].add(refused, *writes)
        return
    try:
        for each in writes:
            await connection.execute(each)
    except IntegrityError as error:
        raise (refused(violated(error)) or error) from error


def plain(connection: AsyncConnection) -> Connection:
    """The connection behind an open one. Raises RuntimeError if it is closed."""
    sync = connection.sync_connection
    if sync is None:
        raise RuntimeError("the connection is closed")
    return sync
