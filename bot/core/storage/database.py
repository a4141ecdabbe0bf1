"""A database: SQLite in a file, or PostgreSQL. Every transaction is one ``async with`` block.

SQLite's driver must not open transactions by itself (``isolation_level`` None). The ``begin`` event opens them. Writing
transactions begin with BEGIN IMMEDIATE, so two writers never deadlock when they upgrade their locks.
"""

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, Final, Self
from weakref import WeakKeyDictionary

import structlog
from sqlalchemy import (
    AdaptedConnection,
    Connection,
    ExceptionContext,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    event,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncTransaction, create_async_engine

from bot.core.cancellation import finish_despite_cancellation
from bot.core.storage.changes import ORIGIN
from bot.core.storage.migrate import migrate
from bot.core.storage.sqlite import connection_factory, vacuum
from bot.core.storage.tables import metadata
from bot.settings import POSTGRES_CONNECTIONS

PRAGMAS: Final = (
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # deleted rows are overwritten; what is left of them goes with ``erase_deleted``
    "PRAGMA synchronous = FULL",  # a commit is on the disk before it returns, in WAL mode too
)
SQLITE_CONNECTIONS: Final = 4
"""Connections kept open. One writes. Reading transactions seldom overlap, because their statements run in the event
loop without a pause. More connections open when code awaits something else between its statements.
"""
PATIENCE: Final = 5.0
"""Seconds for PostgreSQL to accept a connection, and to answer the check before each transaction."""
LONGEST_QUERY: Final = 3
"""How many times PATIENCE a query may take. Those of play take some milliseconds."""
SERVER_SETTINGS: Final = {
    "idle_in_transaction_session_timeout": "30000",
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
"""How PostgreSQL notices a bot that is gone: it then frees the locks that the bot held."""
SNAPSHOT: Final = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
WRITES: Final = "abakbot_writes"

SQLITE_VIOLATION: Final = re.compile(r"(UNIQUE|CHECK) constraint failed: (.+)")
"""SQLite's message about a violated constraint. It names the columns, or the check."""

log = structlog.get_logger(__name__)

_after_commit: Final[WeakKeyDictionary[AsyncConnection, list[Callable[[], object]]]] = WeakKeyDictionary()
"""Callbacks by the connection of ``Database.writing``."""


class Conflict(Exception):
    """Another process appended to the game in between; nothing was written."""


class PlaceTaken(Exception):
    """Another game is running in that channel; nothing was written."""


async def _commit(transaction: AsyncTransaction, callbacks: Sequence[Callable[[], object]]) -> None:
    await transaction.commit()
    for callback in callbacks:
        try:
            callback()
        except Exception:
            log.exception("after_commit_failed")


def after_commit(connection: AsyncConnection, callback: Callable[[], object]) -> None:
    """Calls ``callback`` after the transaction of ``Database.writing`` is committed; never if it is rolled back.

    Exceptions of the callback are logged: the transaction is already committed.
    """
    _after_commit[connection].append(callback)


def violated(error: IntegrityError) -> str:
    """The name of the violated constraint or unique index; "" if the database does not say.

    PostgreSQL gives the name. SQLite gives the columns of a key or unique index, and nothing for a foreign key.
    """
    name: str | None = getattr(getattr(error.orig, "__cause__", None), "constraint_name", None)
    match = SQLITE_VIOLATION.fullmatch(str(error.orig))
    if name is not None or match is None:
        return name or ""
    kind, text = match.groups()
    if kind == "CHECK":
        return text
    columns = [column.partition(".") for column in text.split(", ")]
    table = metadata.tables.get(columns[0][0])
    names = [name for *_, name in columns]
    return "" if table is None else next((name for name, keys in _unique(table) if keys == names), "")


def _unique(table: Table) -> Iterator[tuple[str, list[str]]]:
    """The names of a table's primary key, unique constraints and unique indexes, each with its columns."""
    constraints = [one for one in table.constraints if isinstance(one, PrimaryKeyConstraint | UniqueConstraint)]
    for constraint in (*constraints, *(index for index in table.indexes if index.unique)):
        yield str(constraint.name), [column.name for column in constraint.columns]


class Database:
    """An engine, and the transactions on it."""

    def __init__(self, url: str, connections: int = POSTGRES_CONNECTIONS, *, patience: float = PATIENCE) -> None:
        """``connections``: the most connections to PostgreSQL at once. ``patience``: see PATIENCE."""
        self.url = make_url(url)
        self.engine = connect(url, connections, patience)
        self._is_sqlite = self.engine.dialect.name == "sqlite"
        self._reader = self.engine if self._is_sqlite else self.engine.execution_options(**SNAPSHOT)
        self.origin = secrets.token_hex(4)
        """Names this process in its announcements (``changes.announce``)."""
        self._writer = self.engine.execution_options(**{WRITES: True, ORIGIN: self.origin})
        # one writer at a time, in order of arrival; with SQLite's own lock they would have to poll
        self._write_lock: AbstractAsyncContextManager[object] = asyncio.Lock() if self._is_sqlite else nullcontext()

    @classmethod
    async def open(cls, url: str, connections: int = POSTGRES_CONNECTIONS, *, patience: float = PATIENCE) -> Self:
        """Connects. First creates the folder (SQLite) and migrates the schema to the newest revision."""
        target = make_url(url)
        if target.get_backend_name() == "sqlite" and target.database:
            path = Path(target.database)
            await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
        database = cls(url, connections, patience=patience)
        try:
            await migrate(database.engine)
        except BaseException:
            await database.close()
            raise
        return database

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that reads one snapshot and writes nothing. It ends with a rollback, which needs no disk."""
        async with self._reader.connect() as connection:
            await connection.begin()
            yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that commits at the end of the block and rolls back on any exception.

        A commit that has begun always finishes, even if the task is cancelled. See ``after_commit``.
        """
        async with self._write_lock, self._writer.connect() as connection:
            transaction = await connection.begin()
            callbacks = _after_commit[connection] = []
            try:
                yield connection
            except BaseException:
                await transaction.rollback()
                raise
            await finish_despite_cancellation(_commit(transaction, callbacks))

    def insert(self, table: Table) -> sqlite.Insert | postgresql.Insert:
        """An INSERT of this database's dialect, which supports ON CONFLICT."""
        return sqlite.insert(table) if self._is_sqlite else postgresql.insert(table)

    async def answers(self) -> bool:
        """Whether the database answers a query. If not, raises the driver's exception."""
        async with self.reading() as connection:
            return (await connection.exec_driver_sql("SELECT 1")).scalar() == 1

    async def erase_deleted(self, limit: int | None = None) -> bool:
        """Rewrites an SQLite file, so that no byte of a deleted row is left in it or in its write-ahead log.

        Writers wait meanwhile. Returns False if the file is larger than ``limit`` bytes, and then does nothing.
        PostgreSQL does the same by itself (autovacuum).
        """
        path = Path(self.url.database or "")
        if not self._is_sqlite:
            return True
        if limit is not None and (await asyncio.to_thread(path.stat)).st_size > limit:
            return False
        async with self._write_lock:
            await asyncio.to_thread(vacuum, str(path))
        return True

    async def close(self) -> None:
        await self.engine.dispose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def connect(url: str, connections: int = POSTGRES_CONNECTIONS, patience: float = PATIENCE) -> AsyncEngine:
    """An engine, with SQLite connections set up (PRAGMAS, ``_begin``). ``connections``: the most to PostgreSQL.

    A connection to PostgreSQL may die without a word: then its queries end after ``patience`` seconds, and it is
    dropped. The server likewise ends what a dead bot has left open.
    """
    if make_url(url).get_backend_name() == "sqlite":
        connect_args = {"async_creator_fn": connection_factory()}
        engine = create_async_engine(url, hide_parameters=True, pool_size=SQLITE_CONNECTIONS, connect_args=connect_args)
        event.listen(engine.sync_engine, "connect", _prepare)
        event.listen(engine.sync_engine, "begin", _begin)
        return engine
    # no overflow: each connection is a process of the server, which allows about a hundred
    engine = create_async_engine(
        url,
        hide_parameters=True,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=LONGEST_QUERY * patience,
        connect_args={
            "timeout": patience,
            "command_timeout": LONGEST_QUERY * patience,
            "server_settings": SERVER_SETTINGS,
        },
    )
    event.listen(engine.sync_engine, "handle_error", _drop_the_dead)
    event.listen(engine.sync_engine.pool, "checkout", partial(_check_out, patience))
    return engine


def _check_out(patience: float, connection: AdaptedConnection, *_: Any) -> None:
    """If a connection does not answer, gets a new one, and distrusts all older ones.

    SQLAlchemy's own check (``pool_pre_ping``) takes a time-out for an error of the caller, not for a dead connection.
    """
    try:
        connection.run_async(lambda driver: driver.fetchrow(";", timeout=patience))
    except Exception as error:
        raise InvalidatePoolError from error


def _drop_the_dead(context: ExceptionContext) -> None:
    """A connection whose query has timed out is not used again, not even for a rollback."""
    if isinstance(context.original_exception, TimeoutError):
        context.is_disconnect = True


def _prepare(connection: Any, _: Any) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
