"""Migrates the database's schema at start, one process at a time.

If two processes start at once, a file lock (SQLite) or an advisory lock (PostgreSQL) lets the second wait; then it has
nothing to do. A process of an older version goes on meanwhile, and may start again later, if the newer schema allows
it (``compatibility``).
"""

import asyncio
import errno
import os
import sqlite3
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import IO, Final

import structlog
from sqlalchemy import Connection, NullPool, func, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.core.storage import compatibility
from bot.core.storage.connecting import KEEP_ALIVE
from bot.core.storage.faults.start_errors import ReadOnly
from bot.core.storage.revisions import VERSION, check_usable, configure, current, is_newest, newest, serves
from bot.core.storage.schema import check_complete

ADVISORY: Final = 0x6162616B626F74
"""The number of the advisory lock: "abakbot" in ASCII."""
PAGE: Final = 512
"""Bytes of SQLite's smallest page. The first ones of a database are never all zero."""
POLL: Final = 0.05
OPEN: Final = 5.0
"""Seconds for PostgreSQL to accept the connection of a migration."""
LOCK_MS: Final = 2_000
"""Milliseconds that a migration waits for the lock of a table."""
PAUSE: Final = 1.0
"""Seconds between two attempts of a migration. Moves go on meanwhile."""
ATTEMPTS: Final = 30
LOCK_NOT_AVAILABLE: Final = "55P03"
"""PostgreSQL's SQLSTATE after ``lock_timeout``."""

log = structlog.get_logger(__name__)


async def migrate(engine: AsyncEngine) -> bool:
    """Upgrades to the newest revision in one transaction. An empty database gets all its tables: then returns True.

    Raises ReadOnly, UnknownSchema, EmptyFile; nothing is changed.
    """
    if engine.dialect.name == "sqlite":
        path = Path(str(engine.url.database))
        check_no_folder(path)
        async with file_lock(Path(f"{path}.lock")):
            check_content(path)
            with new_and_private(path):
                async with engine.connect() as connection:
                    await connection.run_sync(check_usable)  # before the file is changed: it may be another program's
                await asyncio.to_thread(write_ahead, str(path))
            async with engine.begin() as connection:
                return await connection.run_sync(upgrade)
    return await _migrate_in_play(engine)


async def _migrate_in_play(engine: AsyncEngine) -> bool:
    """Migrates a PostgreSQL database that other processes use.

    A wait for a table's lock makes all others wait, so this waits LOCK_MS at most, then leaves the way free for a
    while. A statement may take as long as it needs. First the ``engine`` asks, with its limits of time, whether there
    is anything to do: else a start would wait for ever on a connection that has died without a word.
    """
    async with engine.begin() as connection:
        await connection.run_sync(check_writable)
        if await connection.run_sync(is_upgraded):
            return False
    connect_args = {"timeout": OPEN, "server_settings": KEEP_ALIVE}  # else a dead one would keep the lock for hours
    patient = create_async_engine(engine.url, poolclass=NullPool, hide_parameters=True, connect_args=connect_args)
    try:
        attempt = 0
        while True:
            attempt += 1
            try:
                async with patient.begin() as connection:
                    while not await connection.scalar(select(func.pg_try_advisory_xact_lock(ADVISORY))):  # noqa: ASYNC110  another process migrates
                        await asyncio.sleep(POLL)
                    await connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_MS}"))
                    return await connection.run_sync(upgrade)
            except DBAPIError as error:
                if getattr(error.orig, "sqlstate", None) != LOCK_NOT_AVAILABLE or attempt == ATTEMPTS:
                    raise
                log.warning("migration_waits", attempt=attempt)
                await asyncio.sleep(PAUSE)
    finally:
        await patient.dispose()


@contextmanager
def new_and_private(path: Path) -> Iterator[None]:
    """Makes a new file that only its owner may read and write: it will hold the secrets of the next rolls.

    SQLite gives the files beside it the same rights. An existing file keeps the rights that the host chose. A new one
    is removed if nothing could be written into it: else it would look like a file that has lost its games.
    """
    made = not path.exists()
    if made:
        path.touch(mode=0o600, exist_ok=False)
    try:
        yield
    except BaseException:
        if made and path.stat().st_size == 0:
            path.unlink()
        raise


def write_ahead(path: str) -> None:
    """Turns on SQLite's write-ahead log, so readers never wait for the writer. The file keeps the mode.

    Raises PermissionError for a file that may only be read: SQLite would say so only when a move is saved.
    """
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")


class EmptyFile(Exception):
    """Raised if the database's file has no content, or only its log is left. Nothing was changed."""


def check_no_folder(path: Path) -> None:
    """Raises IsADirectoryError for a folder in the place of the database's file."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))


def check_content(path: Path) -> None:
    """Raises EmptyFile for a file without content, or of zeros, and for a write-ahead log without its file.

    Raises IsADirectoryError for a folder. SQLite itself would take the first and the last for a new database. Call this
    before SQLite opens the file: closing a file drops SQLite's locks on it.
    """
    check_no_folder(path)
    log_file = Path(f"{path}-wal")
    if path.is_file():
        with path.open("rb") as file:
            if not any(file.read(PAGE)):
                raise EmptyFile(
                    f"{path} is empty: its games are lost. Restore a backup, or delete the file to begin anew."
                )
    elif log_file.is_file() and log_file.stat().st_size:
        raise EmptyFile(
            f"{path} is missing, but its write-ahead log {log_file.name} is there. Bring the file back or restore a"
            " backup; or delete the log to begin anew."
        )


def check_writable(connection: Connection) -> None:
    """Raises ReadOnly if PostgreSQL takes no writes in the transaction, as a standby, or as it is set."""
    if connection.dialect.name == "postgresql" and connection.scalar(text("SHOW transaction_read_only")) == "on":
        raise ReadOnly


def is_upgraded(connection: Connection) -> bool:
    """Returns whether no revision is missing, or the schema is that of a newer version which allows for this one.

    Raises UnknownSchema.
    """
    check_usable(connection)
    if not serves(connection):
        return False
    if not is_newest(connection):
        log.warning("newer_schema", schema=current(connection))
    check_complete(connection)
    return True


def upgrade(connection: Connection) -> bool:
    """Runs the missing revisions. Returns whether there were no tables.

    Raises UnknownSchema, and nothing is changed.
    """
    if is_upgraded(connection):
        return False
    from alembic import command

    is_new = current(connection) is None

    config = configure(connection)
    command.upgrade(config, "head")
    check_complete(connection)
    compatibility.mark(connection, config, newest())
    return is_new


def downgrade(connection: Connection, revision: str) -> None:
    """Takes back all revisions after ``revision``, with the content of their tables and columns."""
    from alembic import command

    command.downgrade(configure(connection), revision)


def remove(connection: Connection) -> None:
    """Removes all tables of the schema, and those about it, as before the first ``upgrade``."""
    downgrade(connection, "base")
    for table in (compatibility.compatible_schemas.name, VERSION):
        connection.execute(text(f"DROP TABLE {table}"))


@asynccontextmanager
async def file_lock(path: Path) -> AsyncIterator[None]:
    """Locks ``path`` against other processes. The lock ends with the block, or with the process."""
    with path.open("a+b") as file:
        while not locked(file):  # noqa: ASYNC110  another process holds it, so there is no event to wait for
            await asyncio.sleep(POLL)
        yield


if sys.platform == "win32":
    import msvcrt

    def locked(file: IO[bytes]) -> bool:
        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def locked(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
