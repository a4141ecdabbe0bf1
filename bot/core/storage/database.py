"""Opens a database, SQLite in a file or PostgreSQL. Every transaction is one ``async with`` block."""

import asyncio
import secrets
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self
from weakref import WeakKeyDictionary

import structlog
from sqlalchemy import Executable, Result, Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.cancellation import finish_despite_cancellation
from bot.core.metrics.transactions import timed
from bot.core.storage.connecting import PATIENCE, SQLITE_PATIENCE, connect, transactional
from bot.core.storage.faults import commit_status
from bot.core.storage.faults.file_identity import FileIdentity
from bot.core.storage.faults.outages import (
    CommitUnknown,
    DatabaseUnavailable,
    OutageLog,
    is_connection_lost,
    is_write_refused,
)
from bot.core.storage.faults.start_errors import naming_full_disk, reason
from bot.core.storage.migrate import migrate
from bot.core.storage.revisions import is_ready, name_of
from bot.core.storage.writing.changes import ORIGIN
from bot.core.storage.writing.violations import violated
from bot.settings import POSTGRES_CONNECTIONS

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql

POSTGRES_PORT: Final = 5432
SNAPSHOT: Final = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
__all__ = ["Conflict", "Database", "PlaceTaken", "after_commit", "connect", "violated"]

log = structlog.get_logger(__name__)

_after_commit: Final[WeakKeyDictionary[AsyncConnection, list[Callable[[], object]]]] = WeakKeyDictionary()
"""Callbacks by the connection of ``Database.writing``."""


class Conflict(Exception):
    """Raised if another process appended to the game in between; nothing was written."""


class PlaceTaken(Exception):
    """Raised if another game is running in that channel; nothing was written."""


def after_commit(connection: AsyncConnection, callback: Callable[[], object]) -> None:
    """Calls ``callback`` after the transaction of ``Database.writing`` is committed; never if it is rolled back.

    Exceptions of the callback are logged: the transaction is already committed.
    """
    _after_commit[connection].append(callback)


class Database:
    def __init__(self, url: str, connections: int = POSTGRES_CONNECTIONS, *, patience: float = PATIENCE) -> None:
        """``connections``: the most connections to PostgreSQL at once. ``patience``: see PATIENCE."""
        self.url = make_url(url)
        self.origin = secrets.token_hex(4)
        """Names this process in its announcements (``changes.announce``)."""
        self.engine = connect(url, connections, patience).execution_options(**{ORIGIN: self.origin})
        self._is_sqlite = self.engine.dialect.name == "sqlite"
        # one writer at a time, in order of arrival; with SQLite's own lock they would have to poll
        self._write_lock = asyncio.Lock() if self._is_sqlite else None
        self._file = FileIdentity(Path(self.url.database) if self._is_sqlite and self.url.database else None)
        self.outages = OutageLog()
        self.is_new = False
        """Whether ``open`` has made its tables."""

    @classmethod
    async def open(cls, url: str, connections: int = POSTGRES_CONNECTIONS, *, patience: float = PATIENCE) -> Self:
        """Connects. First creates the folder (SQLite) and migrates the schema to the newest revision.

        Raises DatabaseUnavailable if PostgreSQL cannot be reached.
        """
        target = make_url(url)
        if target.get_backend_name() == "sqlite" and target.database:
            path = Path(target.database)
            await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
        database = cls(url, connections, patience=patience)
        try:
            with naming_full_disk(Path(target.database or "").parent):  # an SQLite file's
                database.is_new = await migrate(transactional(database.engine))
            database._file.check()
        except BaseException as error:
            await database.close()
            if isinstance(error, OSError) and not database._is_sqlite:
                raise DatabaseUnavailable(database._unreached(error)) from error
            raise
        return database

    @property
    def place(self) -> str:
        """The file with its whole path, or the name and the host."""
        return str(Path(name_of(self.url)).absolute()) if self._is_sqlite else name_of(self.url)

    @timed("read")
    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """Opens a transaction that reads one snapshot. It ends with a rollback, which needs no disk."""
        with self._watched():
            async with self.connected() as connection:
                if self._is_sqlite:
                    await connection.exec_driver_sql("BEGIN")
                else:
                    await connection.execution_options(**SNAPSHOT)
                yield connection

    async def fetch(
        self,
        query: Executable,
        values: Mapping[str, Any] | None = None,
        within: AsyncConnection | None = None,
    ) -> Result[*tuple[Any, ...]]:
        """Returns the rows of one SELECT, which is a snapshot by itself. Reads ``within`` a transaction, if given."""
        found: Result[*tuple[Any, ...]]
        if within is not None:
            found = await within.execute(query, values)
        else:
            async with self._fetching() as connection:
                found = (await connection.execute(query, values)).freeze()()  # outlives the connection
        return found

    @timed("read")
    @asynccontextmanager
    async def _fetching(self) -> AsyncIterator[AsyncConnection]:
        with self._watched():
            async with self.connected() as connection:
                if not self._is_sqlite:
                    await connection.execution_options(isolation_level="AUTOCOMMIT")
                yield connection

    @timed("write", Conflict)
    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """Opens a transaction that commits at the end of the block and rolls back on any exception.

        A commit that has begun always finishes, even if the task is cancelled. See ``after_commit``. Raises
        CommitUnknown, and DatabaseReplaced, also after a commit into a deleted file.
        """
        with self._watched(writes=True):
            async with self._in_turn(), self.connected() as connection:
                if self._is_sqlite:  # at once: two writers never deadlock when they upgrade their locks
                    await connection.exec_driver_sql("BEGIN IMMEDIATE")
                callbacks = _after_commit[connection] = []
                try:
                    yield connection
                except BaseException:
                    await connection.rollback()
                    raise
                await finish_despite_cancellation(self._commit(connection, callbacks))

    async def _commit(self, connection: AsyncConnection, callbacks: Sequence[Callable[[], object]]) -> None:
        try:
            with _unknown_if_lost():
                await connection.commit()
        except Exception:  # SQLite's transaction is still open then, and nobody else would end it
            await connection.invalidate()
            raise
        self._file.check_written()
        commit_status.committed()
        for callback in callbacks:
            try:
                callback()
            except Exception:
                log.exception("after_commit_failed")

    @contextmanager
    def _watched(self, *, writes: bool = False) -> Iterator[None]:
        began = self.outages.clock()
        try:
            yield
        except Exception as error:
            if not writes and is_write_refused(error):
                raise RuntimeError("a statement that writes, in a transaction that only reads") from None
            self.outages.failed(error, writes=writes, began=began)
            raise
        self.outages.succeeded(wrote=writes)

    @asynccontextmanager
    async def _in_turn(self) -> AsyncIterator[None]:
        """Waits for a turn to write. Else writers would wait behind others that wait for a lock in vain."""
        if self._write_lock is None:
            yield
            return
        try:
            async with asyncio.timeout(SQLITE_PATIENCE):
                await self._write_lock.acquire()
        except TimeoutError as error:
            raise DatabaseUnavailable("Others have been writing for too long.") from error
        try:
            yield
        finally:
            self._write_lock.release()

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[AsyncConnection]:
        """Raises DatabaseUnavailable if there is no connection, or an answer does not come in time."""
        self._file.check()
        connected = False
        try:
            async with self.engine.connect() as connection:
                connected = True
                yield connection
        except (OSError, TimeoutError) as error:
            if connected and not isinstance(error, TimeoutError | ConnectionError):
                raise
            raise DatabaseUnavailable(self._unreached(error)) from error

    def _unreached(self, error: Exception) -> str:
        """Returns why PostgreSQL cannot be reached, and where it was looked for."""
        host = self.url.host or self.url.query.get("host") or "this machine"
        return f"{reason(error)} ({host}, port {self.url.port or POSTGRES_PORT})"

    def insert(self, table: Table) -> "sqlite.Insert | postgresql.Insert":
        """Makes an INSERT of this database's dialect, which supports ON CONFLICT."""
        if self._is_sqlite:
            return sqlite.insert(table)
        from sqlalchemy.dialects import postgresql  # 2 MB that SQLite does not need

        return postgresql.insert(table)

    async def is_ready(self) -> bool:
        """Returns whether the database answers, and this version can play on it. May raise the reason if not."""
        async with self.reading() as connection:
            return await connection.run_sync(is_ready)

    async def erase_deleted(self, limit: int | None = None) -> bool:
        """Rewrites an SQLite file, so that no byte of a deleted row is left in it or in its write-ahead log.

        Writers wait meanwhile. Returns False, and does nothing, if the file is larger than ``limit`` bytes. PostgreSQL
        does the same by itself (autovacuum). Raises sqlite3.OperationalError if readers hold an old snapshot for too
        long.
        """
        path = Path(self.url.database or "")
        if not self._is_sqlite:
            return True
        if limit is not None and (await asyncio.to_thread(path.stat)).st_size > limit:
            return False
        # ``secure_delete`` alone is not enough: SQLite moves rows within a page without overwriting where they were
        async with self._in_turn(), self.connected() as connection:
            await connection.exec_driver_sql("VACUUM")
            if (await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")).one().busy:
                raise sqlite3.OperationalError("the write-ahead log is in use")
        return True

    async def close(self) -> None:
        await self.engine.dispose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


@contextmanager
def _unknown_if_lost() -> Iterator[None]:
    """Raises CommitUnknown if the connection is lost in a statement that commits."""
    try:
        yield
    except Exception as error:
        if not is_connection_lost(error):
            raise
        commit_status.unknown()
        raise CommitUnknown from error
