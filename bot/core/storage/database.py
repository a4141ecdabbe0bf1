"""A database: SQLite in a file, or PostgreSQL. Every transaction is one ``async with`` block.

SQLite's driver must not open transactions by itself (``isolation_level`` None). The ``begin`` event opens them. Writing
transactions begin with BEGIN IMMEDIATE, so two writers never deadlock when they upgrade their locks.
"""

import asyncio
import secrets
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self
from weakref import WeakKeyDictionary

import structlog
from sqlalchemy import (
    AdaptedConnection,
    Connection,
    ExceptionContext,
    Table,
    event,
)
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, AsyncTransaction, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.core.cancellation import finish_despite_cancellation
from bot.core.metrics.transactions import timed
from bot.core.storage import sqlite as sqlite_driver
from bot.core.storage.faults import kept
from bot.core.storage.faults.file_identity import FileIdentity
from bot.core.storage.faults.outages import CommitUnknown, DatabaseUnavailable, OutageLog, is_connection_lost
from bot.core.storage.migrate import migrate
from bot.core.storage.sqlite import connection_factory, vacuum
from bot.core.storage.writing.changes import ORIGIN
from bot.core.storage.writing.violations import violated
from bot.core.storage.writing.writes import PendingWrites, begin_writes, flush_before, plain
from bot.settings import POSTGRES_CONNECTIONS

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

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
LAST_USED: Final = "abakbot_last_used"
ONCE: Final = "abakbot_once"
"""The option of connections that carry a single statement; on SQLite no transaction is opened for it."""
AUTOCOMMIT: Final = {"isolation_level": "AUTOCOMMIT"}
TRUSTED: Final = 10.0
"""Seconds after its last answer for which a connection is used without a check: twice the pause between heartbeats."""
STATEMENTS: Final = 500
"""Prepared statements kept for each connection to PostgreSQL. Preparing one takes a round trip."""

__all__ = ["Conflict", "Database", "PlaceTaken", "after_commit", "connect", "violated"]

log = structlog.get_logger(__name__)

_after_commit: Final[WeakKeyDictionary[AsyncConnection, list[Callable[[], object]]]] = WeakKeyDictionary()
"""Callbacks by the connection of ``Database.writing``."""


class Conflict(Exception):
    """Another process appended to the game in between; nothing was written."""


class PlaceTaken(Exception):
    """Another game is running in that channel; nothing was written."""


def after_commit(connection: AsyncConnection, callback: Callable[[], object]) -> None:
    """Calls ``callback`` after the transaction of ``Database.writing`` is committed; never if it is rolled back.

    Exceptions of the callback are logged: the transaction is already committed.
    """
    _after_commit[connection].append(callback)


class Database:
    """An engine, and the transactions on it."""

    def __init__(self, url: str, connections: int = POSTGRES_CONNECTIONS, *, patience: float = PATIENCE) -> None:
        """``connections``: the most connections to PostgreSQL at once. ``patience``: see PATIENCE."""
        self.url = make_url(url)
        self.engine = connect(url, connections, patience)
        self._is_sqlite = self.engine.dialect.name == "sqlite"
        self._reader = self.engine if self._is_sqlite else self.engine.execution_options(**SNAPSHOT)
        self.origin = secrets.token_hex(4)
        """Names this process in its announcements (``changes.announcing``)."""
        self._single = self.engine.execution_options(
            **{ONCE: True, ORIGIN: self.origin}, **({} if self._is_sqlite else AUTOCOMMIT)
        )
        self._writer = self.engine.execution_options(**{WRITES: True, ORIGIN: self.origin})
        event.listen(self._single.sync_engine, "before_cursor_execute", _count)
        event.listen(self._writer.sync_engine, "before_execute", flush_before)
        # one writer at a time, in order of arrival; with SQLite's own lock they would have to poll
        self._write_lock = asyncio.Lock() if self._is_sqlite else None
        self._file = FileIdentity(Path(self.url.database) if self._is_sqlite and self.url.database else None)
        self.outages = OutageLog()

    @classmethod
    async def open(cls, url: str, connections: int = POSTGRES_CONNECTIONS, *, patience: float = PATIENCE) -> Self:
        """Connects. First creates the folder (SQLite) and migrates the schema to the newest revision.

        Raises ConnectionError if the database does not answer.
        """
        target = make_url(url)
        if target.get_backend_name() == "sqlite" and target.database:
            path = Path(target.database)
            await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
        database = cls(url, connections, patience=patience)
        try:
            await migrate(database.engine)
            database._file.check()
        except BaseException as error:
            await database.close()
            if isinstance(error, TimeoutError):
                raise ConnectionError("the database does not answer") from error
            raise
        return database

    @timed("read")
    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that reads one snapshot and writes nothing. It ends with a rollback, which needs no disk."""
        with self._watched():
            async with self._connected(self._reader) as connection:
                await connection.begin()
                yield connection

    @timed("read")
    @asynccontextmanager
    async def reading_once(self) -> AsyncIterator[AsyncConnection]:
        """A connection for one SELECT, which is a snapshot by itself and takes a single round trip.

        A second statement raises RuntimeError: several belong into ``reading``.
        """
        with self._watched():
            async with self._connected(self._single) as connection:
                plain(connection).info[ONCE] = 0
                yield connection

    @asynccontextmanager
    async def writing_once(self) -> AsyncIterator[AsyncConnection]:
        """A connection for one statement that writes: a transaction by itself, which takes a single round trip.

        A second statement raises RuntimeError: several belong into ``writing``. Raises as ``writing`` does.
        """
        # commits of SQLite wait for the disk, in a thread
        async with self.writing() if self._is_sqlite else self._writing_once() as connection:
            yield connection

    @timed("write", Conflict)
    @asynccontextmanager
    async def _writing_once(self) -> AsyncIterator[AsyncConnection]:
        with self._watched():
            async with self._connected(self._single) as connection:
                plain(connection).info[ONCE] = 0
                with _unknown_if_lost():
                    yield connection
            kept.committed()

    @timed("write", Conflict)
    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that commits at the end of the block and rolls back on any exception.

        A commit that has begun always finishes, even if the task is cancelled. See ``after_commit`` and ``write``.
        Raises DatabaseReplaced, also after a commit that went into a deleted file; CommitUnknown.
        """
        with self._watched():
            async with self._in_turn(), self._connected(self._writer) as connection:
                transaction = await connection.begin()
                callbacks = _after_commit[connection] = []
                pending = begin_writes(connection)
                try:
                    yield connection
                except BaseException:
                    await transaction.rollback()
                    raise
                await finish_despite_cancellation(self._commit(connection, transaction, pending, callbacks))

    async def _commit(
        self,
        connection: AsyncConnection,
        transaction: AsyncTransaction,
        pending: PendingWrites,
        callbacks: Sequence[Callable[[], object]],
    ) -> None:
        with nullcontext() if self._is_sqlite else _unknown_if_lost():
            try:
                await connection.run_sync(pending.commit)
            except BaseException:
                await transaction.rollback()
                raise
            await transaction.commit()
        self._file.check()
        kept.committed()
        for callback in callbacks:
            try:
                callback()
            except Exception:
                log.exception("after_commit_failed")

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Notices the beginning and the end of an outage."""
        try:
            yield
        except Exception as error:
            self.outages.failed(error)
            raise
        self.outages.succeeded()

    @asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[None]:
        """Waits for its turn to write, so that a writer does not wait behind others that wait for a lock in vain."""
        if self._write_lock is None:
            yield
            return
        try:
            async with asyncio.timeout(sqlite_driver.PATIENCE):
                await self._write_lock.acquire()
        except TimeoutError as error:
            raise DatabaseUnavailable("Others have been writing for too long.") from error
        try:
            yield
        finally:
            self._write_lock.release()

    @asynccontextmanager
    async def _connected(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        """Raises DatabaseUnavailable if there is no connection, or an answer does not come in time."""
        self._file.check()
        connected = False
        try:
            async with engine.connect() as connection:
                connected = True
                yield connection
        except (OSError, TimeoutError) as error:
            if connected and not isinstance(error, TimeoutError | ConnectionError):
                raise
            raise DatabaseUnavailable(str(error) or type(error).__name__) from error

    def insert(self, table: Table) -> "sqlite.Insert | postgresql.Insert":
        """An INSERT of this database's dialect, which supports ON CONFLICT."""
        if self._is_sqlite:
            return sqlite.insert(table)
        from sqlalchemy.dialects import postgresql  # 2 MB that SQLite does not need

        return postgresql.insert(table)

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
        async with self._in_turn():
            self._file.check()
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
        pool_use_lifo=True,  # those used last have answered last, and have prepared what is asked most
        connect_args={
            "prepared_statement_cache_size": STATEMENTS,
            "timeout": patience,
            "command_timeout": LONGEST_QUERY * patience,
            "server_settings": SERVER_SETTINGS,
        },
    )
    event.listen(engine.sync_engine, "handle_error", _drop_the_dead)
    event.listen(engine.sync_engine.pool, "checkout", partial(_check_out, patience))
    event.listen(engine.sync_engine.pool, "checkin", _check_in)
    return engine


def _check_in(_: object, entry: ConnectionPoolEntry) -> None:
    entry.info[LAST_USED] = time.monotonic()


def _check_out(patience: float, connection: AdaptedConnection, entry: ConnectionPoolEntry, _: object) -> None:
    """If a connection does not answer, gets a new one, and distrusts all older ones.

    One that was in use within TRUSTED seconds is not asked. SQLAlchemy's own check (``pool_pre_ping``) takes a time-out
    for an error of the caller, not for a dead connection.
    """
    if time.monotonic() - entry.info.get(LAST_USED, -TRUSTED) < TRUSTED:
        return
    try:
        connection.run_async(lambda driver: driver.fetchrow(";", timeout=patience))
    except Exception as error:
        raise InvalidatePoolError from error


def _count(connection: Connection, *_: Any) -> None:
    """Refuses the second statement of ``reading_once`` and ``writing_once``."""
    connection.info[ONCE] += 1
    if connection.info[ONCE] > 1:
        raise RuntimeError("a second statement where only one is a transaction by itself")


@contextmanager
def _unknown_if_lost() -> Iterator[None]:
    """Raises CommitUnknown if the connection is lost in a statement that commits."""
    try:
        yield
    except Exception as error:
        if not is_connection_lost(error):
            raise
        kept.unknown()
        raise CommitUnknown from error


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
    options = connection.get_execution_options()
    if not options.get(ONCE):
        connection.exec_driver_sql("BEGIN IMMEDIATE" if options.get(WRITES) else "BEGIN")
