"""A database: SQLite in a file, or PostgreSQL. Every transaction is one ``async with``: all of it happens, or nothing.

SQLite's driver is kept from opening transactions of its own (``isolation_level`` None); the ``begin`` event opens them,
those that write with BEGIN IMMEDIATE, so that two writers never deadlock on raising a lock.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any, Final, Self
from weakref import WeakKeyDictionary

import structlog
from sqlalchemy import Connection, PrimaryKeyConstraint, Table, UniqueConstraint, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncTransaction, create_async_engine

from bot.core.cancellation import to_its_end
from bot.core.storage.migrate import migrate
from bot.core.storage.sqlite import creator
from bot.core.storage.tables import metadata

PRAGMAS: Final = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA synchronous = FULL",  # a commit is on the disk before it is answered, also in WAL
)
SQLITE_CONNECTIONS: Final = 4
"""Kept open: one writes, and a transaction that reads seldom meets another, as its statements are done in place
without a pause for the event loop. More are opened where code waits for something else between its statements.
"""
POSTGRES_CONNECTIONS: Final = 20
"""The most at once, unless the settings say otherwise: a transaction beyond them waits for its turn."""
ONE_MOMENT: Final = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
WRITES: Final = "abakbot_writes"

SQLITE_VIOLATION: Final = re.compile(r"(UNIQUE|CHECK) constraint failed: (.+)")
"""What SQLite says of a violated constraint: a table's columns, or the name of a check."""

log = structlog.get_logger(__name__)

_after_commit: Final[WeakKeyDictionary[AsyncConnection, list[Callable[[], object]]]] = WeakKeyDictionary()
"""By the connections of ``Database.writing``."""


class Conflict(Exception):
    """Somebody else has appended to the game in between; nothing was written."""


class PlaceTaken(Exception):
    """Another game runs in that channel; nothing was written."""


async def _commit(transaction: AsyncTransaction, callbacks: Sequence[Callable[[], object]]) -> None:
    await transaction.commit()
    for callback in callbacks:
        try:
            callback()
        except Exception:
            log.exception("after_commit_failed")


def after_commit(connection: AsyncConnection, callback: Callable[[], object]) -> None:
    """Calls ``callback`` once the transaction of ``Database.writing`` is committed; never if it is rolled back.

    What it raises is logged: the transaction is committed all the same.
    """
    _after_commit[connection].append(callback)


def violated(error: IntegrityError) -> str:
    """The name of the constraint or unique index that refused a change; "" where the database does not tell.

    PostgreSQL names it. SQLite names the columns of a key or unique index, and nothing for a foreign key.
    """
    named: str | None = getattr(getattr(error.orig, "__cause__", None), "constraint_name", None)
    found = SQLITE_VIOLATION.fullmatch(str(error.orig))
    if named is not None or found is None:
        return named or ""
    kind, text = found.groups()
    if kind == "CHECK":
        return text
    columns = [column.partition(".") for column in text.split(", ")]
    table = metadata.tables.get(columns[0][0])
    names = [name for *_, name in columns]
    return "" if table is None else next((name for name, keys in _unique(table) if keys == names), "")


def _unique(table: Table) -> Iterator[tuple[str, list[str]]]:
    """The names of a table's key, unique constraints and unique indexes, each with its columns."""
    unique = [one for one in table.constraints if isinstance(one, PrimaryKeyConstraint | UniqueConstraint)]
    for found in (*unique, *(index for index in table.indexes if index.unique)):
        yield str(found.name), [column.name for column in found.columns]


class Database:
    """An engine and how its transactions begin."""

    def __init__(self, url: str, connections: int = POSTGRES_CONNECTIONS) -> None:
        """``connections``: the most at once to PostgreSQL."""
        self.url = make_url(url)
        self.engine = connect(url, connections)
        self._is_sqlite = self.engine.dialect.name == "sqlite"
        self._reader = self.engine if self._is_sqlite else self.engine.execution_options(**ONE_MOMENT)
        self._writer = self.engine.execution_options(**{WRITES: True})
        # one writer at a time, in order of arrival: SQLite itself would let them poll for the lock
        self._turn: AbstractAsyncContextManager[object] = asyncio.Lock() if self._is_sqlite else nullcontext()

    @classmethod
    async def open(cls, url: str, connections: int = POSTGRES_CONNECTIONS) -> Self:
        """Connects, after making the folder (SQLite) and bringing the schema up to date."""
        target = make_url(url)
        if target.get_backend_name() == "sqlite" and target.database:
            path = Path(target.database)
            await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
        database = cls(url, connections)
        try:
            await migrate(database.engine)
        except BaseException:
            await database.close()
            raise
        return database

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that sees one moment and writes nothing: it ends with a rollback, which waits for no disk."""
        async with self._reader.connect() as connection:
            await connection.begin()
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that commits at the end of the block, and rolls back on any exception.

        A commit that has begun comes to its end even if the one who waits for it is cancelled. See ``after_commit``.
        """
        async with self._turn, self._writer.connect() as connection:
            transaction = await connection.begin()
            callbacks = _after_commit[connection] = []
            try:
                yield connection
            except BaseException:
                await transaction.rollback()
                raise
            await to_its_end(_commit(transaction, callbacks))

    def insert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """An INSERT that may say what to do where the row is there already."""
        return sqlite.insert(table) if self._is_sqlite else postgresql.insert(table)

    async def answers(self) -> bool:
        """Whether the database can be asked. Raises what the driver raises if not."""
        async with self.reading() as connection:
            return (await connection.exec_driver_sql("SELECT 1")).scalar() == 1

    async def close(self) -> None:
        await self.engine.dispose()


def connect(url: str, connections: int = POSTGRES_CONNECTIONS) -> AsyncEngine:
    """An engine whose SQLite connections keep their promises; ``connections`` are the most to PostgreSQL."""
    if make_url(url).get_backend_name() == "sqlite":
        ours = {"async_creator_fn": creator()}
        engine = create_async_engine(url, hide_parameters=True, pool_size=SQLITE_CONNECTIONS, connect_args=ours)
        event.listen(engine.sync_engine, "connect", _prepare)
        event.listen(engine.sync_engine, "begin", _begin)
        return engine
    # none beyond the pool: each is a process of the server, which has room for about a hundred
    return create_async_engine(url, hide_parameters=True, pool_pre_ping=True, pool_size=connections, max_overflow=0)


def _prepare(connection: Any, _: Any) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
