"""Writes and restores backups: SQLite files with all that a database of either kind holds.

The bot may play on meanwhile.
"""

import asyncio
import os
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import Final

from sqlalchemy import delete
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError

from bot.core.storage.copying import copy_rows, differing_tables, is_empty
from bot.core.storage.database import Database
from bot.core.storage.faults.outages import is_outage
from bot.core.storage.faults.start_errors import BY_TEXT, explained, reason
from bot.core.storage.migrate import EmptyFile, check_content, check_writable, remove
from bot.core.storage.revisions import (
    UNFINISHED,
    UnknownSchema,
    check_usable,
    current,
    newest,
    set_current,
    unfinished_copy,
    way_to_newest,
)
from bot.core.storage.tables import all_tables
from bot.core.storage.working_folders import working_folder

PATIENCE: Final = 30.0
"""Seconds that the copy of an SQLite file waits for a lock."""
OURS: Final = frozenset({"alembic_version", "player_names", "preferences"})
"""Tables of every schema, from the first one on."""
MAGIC: Final = b"SQLite format 3\0"
HEADER: Final = 100
"""Bytes of the header of an SQLite file."""
COPIES: Final = "abakbot-copy-"
"""How the folders of copies begin, in the folder for temporary files."""
ANOTHER: Final = "Take another backup, or copy this one again."


class NotPossible(Exception):
    """Raised if a command cannot be carried out. Nothing was changed; the text says why, and what to do."""


def silent(table: str, rows: int) -> None:
    """Tells nothing about a copied table."""
    del table, rows


async def write_backup(url: str, file: Path, tell: Callable[[str, int], None] = silent) -> None:
    """Writes one moment of the database into a new file, which only its owner may read.

    The file appears when it is complete and on the disk. Raises NotPossible if it exists already, if the database is
    another program's, or if a PostgreSQL database is not of this version. Raises EmptyFile if an SQLite file has lost
    its content.
    """
    await asyncio.to_thread(_check_new, file)
    with _hidden_folder(file.parent) as folder:
        part = folder / file.name
        await _write(url, part, tell)
        part.chmod(0o600)
        await asyncio.to_thread(_sync, part)
        part.rename(file)


async def _write(url: str, file: Path, tell: Callable[[str, int], None]) -> None:
    if make_url(url).get_backend_name() == "sqlite":
        await asyncio.to_thread(_copy_file, Path(str(make_url(url).database)), file)
    else:
        await _copy_into_file(url, file, tell)


@contextmanager
def _hidden_folder(parent: Path) -> Iterator[Path]:
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(working_folder(parent, ".backup-"))
        except OSError as error:
            raise NotPossible(f"The folder {parent.absolute()} takes no backup: {reason(error)}.") from error
        yield folder


async def restore_backup(file: Path, url: str, tell: Callable[[str, int], None] = silent) -> list[Path]:
    """Fills the database with the backup, which may be of an older version. The database has to be new or empty.

    A new file appears when it is complete and on the disk; another database is as before if anything goes wrong. Moves
    the log of an earlier file aside, or a file without content, and returns their new names.

    Raises NotPossible if the database holds anything, if the file is no backup, or if the two differ afterwards.
    """
    async with opened_backup(file) as source:
        path = Path(make_url(url).database or "") if make_url(url).get_backend_name() == "sqlite" else None
        if path is None or await asyncio.to_thread(_has_content, path):
            async with Database(url) as database, database.connected() as connection:
                is_new = await connection.run_sync(current) is None
            await _fill(file, source, url, tell, is_new=is_new)
            return []
        await asyncio.to_thread(path.parent.mkdir, parents=True, exist_ok=True)
        with working_folder(path.parent, ".restore-") as folder:
            part = folder / path.name
            await _fill(file, source, _url_of(part), tell, is_new=True)
            await asyncio.to_thread(_sync, part)
            aside = await asyncio.to_thread(_move_aside, path)
            part.rename(path)
            return aside


def _has_content(path: Path) -> bool:
    try:
        check_content(path)
    except EmptyFile:
        return False
    return path.is_file()


def _move_aside(path: Path) -> list[Path]:
    """Moves away an old log, which SQLite would take for a part of the new file at this path.

    Deletes what holds nothing: the index of the log, and an empty log, which is left by a command that only reads.
    """
    log = Path(f"{path}-wal")
    Path(f"{path}-shm").unlink(missing_ok=True)
    if log.exists() and not log.stat().st_size:
        log.unlink()
    found = [old for old in (path, log) if old.exists()]
    return [old.rename(f"{old}.old-{time.time_ns() // 1_000_000_000}") for old in found]


async def _fill(file: Path, source: Database, url: str, tell: Callable[[str, int], None], *, is_new: bool) -> None:
    """Fills a database without rows, ``is_new``: also without tables. Takes all back if anything goes wrong.

    Until it is full, no version uses it: if this process is killed or the server is lost, nothing can be taken back.
    """
    async with await Database.open(url) as target:
        if not await is_empty(target):
            way = ", or move its file away" if make_url(url).get_backend_name() == "sqlite" else ""
            raise NotPossible(f"The database of DATABASE_URL is not empty. Name a new one{way}.")
        async with target.reading() as connection:
            schema = await connection.run_sync(current) or newest()
        try:
            await name_schema(target, UNFINISHED)
            await _copy_all(file, source, target, tell)
            await name_schema(target, schema)
        except BaseException:
            async with target.writing() as connection:
                await connection.run_sync(set_current, schema)
                for table in reversed(all_tables()):
                    await connection.execute(delete(table))
                if is_new:
                    await connection.run_sync(remove)
            raise
        await target.erase_deleted()  # empties the write-ahead log of a file into it


async def name_schema(target: Database, revision: str) -> None:
    """Names another revision, such as that of an unfinished restore or copy, which no version uses."""
    async with target.writing() as connection:
        await connection.run_sync(set_current, revision)


async def _copy_all(file: Path, source: Database, target: Database, tell: Callable[[str, int], None]) -> None:
    advice = f"Nothing was restored. `abakbot db check --backup {file}` says more."
    try:
        await copy_rows(source, target, tell)
    except DBAPIError as error:
        if is_outage(error):
            raise
        raise NotPossible(f"{file} has a row that cannot be restored: {reason(error)}. {advice}") from error
    if differ := await differing_tables(source, target):
        raise NotPossible(f"These tables differ from the backup: {', '.join(differ)}. {advice}")


@asynccontextmanager
async def opened_backup(file: Path) -> AsyncIterator[Database]:
    """Opens a copy of the backup, with the newest schema. Raises NotPossible, UnknownSchema."""
    with working_folder(Path(gettempdir()), COPIES) as folder:
        copy = folder / "backup.sqlite3"
        await asyncio.to_thread(_copy_backup, file, copy)
        with _naming_damage(file):
            try:
                database = await Database.open(_url_of(copy))
            except UnknownSchema as error:  # which names the copy
                raise UnknownSchema(str(file), error.says) from None
            async with database:
                await _check_whole(file, database)
                yield database


async def _check_whole(file: Path, copy: Database) -> None:
    """Raises NotPossible for a damaged page, before a transaction meets it and logs an outage of the database."""
    async with copy.connected() as connection:
        if (await connection.exec_driver_sql("PRAGMA quick_check(1)")).scalar() != "ok":
            raise NotPossible(f"{file} is damaged. {ANOTHER}")


@contextmanager
def _naming_damage(file: Path) -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        if explained(error) != BY_TEXT["malformed"]:
            raise
        raise NotPossible(f"{file} is damaged. {ANOTHER}") from error


@asynccontextmanager
async def snapshot(url: str) -> AsyncIterator[Database]:
    """Opens a copy of the database as it is at this moment."""
    with working_folder(Path(gettempdir()), COPIES) as folder:
        file = folder / "snapshot.sqlite3"
        await _write(url, file, silent)
        async with Database(_url_of(file)) as database:
            yield database


async def check_there(url: str, *, writes: bool = False) -> None:
    """Raises NotPossible if there is no database, or an empty one: a mistyped name must not make a new one.

    Raises EmptyFile for an SQLite file that has lost its content, UnknownSchema if this version cannot use it, and if
    the caller ``writes``, ReadOnly.
    """
    if make_url(url).get_backend_name() == "sqlite":
        await asyncio.to_thread(_check_file, Path(str(make_url(url).database)))
    async with Database(url) as database, database.connected() as connection:
        if writes:
            await connection.run_sync(check_writable)
        await connection.run_sync(check_usable)
        if await connection.run_sync(current) is None:
            raise NotPossible("The database of DATABASE_URL is empty. `abakbot db upgrade` makes a new one of it.")


async def check_target(url: str) -> bool:
    """Returns whether an interrupted copy has filled a part of the database. An SQLite file need not be there.

    Raises ReadOnly, EmptyFile, UnknownSchema if it cannot be filled.
    """
    if make_url(url).get_backend_name() == "sqlite":
        path = Path(str(make_url(url).database))
        await asyncio.to_thread(check_content, path)
        if not await asyncio.to_thread(path.is_file):
            return False
    async with Database(url) as database, database.connected() as connection:
        await connection.run_sync(check_writable)
        if await connection.run_sync(current) == unfinished_copy():
            return True
        await connection.run_sync(check_usable)
        return False


def _check_file(database: Path) -> None:
    check_content(database)
    if not database.is_file():
        raise NotPossible(f"There is no database {database}.")


def _copy_file(database: Path, file: Path) -> None:
    """Copies a file by SQLite itself, in one reading transaction: writers do not disturb it, unlike ``.backup``."""
    _check_file(database)
    with closing(sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True, timeout=PATIENCE)) as source:
        source.execute("SELECT name FROM sqlite_master").fetchall()  # names damage, unlike the next statement
        source.execute("VACUUM INTO ?", (str(file),))
    if not _is_ours(file):
        raise NotPossible(f"{database} is not a database of Abakbot. Check DATABASE_URL.")


async def _copy_into_file(url: str, file: Path, tell: Callable[[str, int], None]) -> None:
    async with Database(url) as source:
        await check_version(source)
        async with await Database.open(_url_of(file)) as target:
            await copy_rows(source, target, tell)
            await target.erase_deleted()  # empties the write-ahead log into the file


async def check_version(database: Database) -> None:
    """Raises NotPossible unless the database has the newest schema, UnknownSchema if this version cannot use it."""
    async with database.reading() as connection:
        await connection.run_sync(check_usable)
        if (found := await connection.run_sync(current)) != newest():
            if found is None:
                raise NotPossible("The database has no tables yet. `abakbot db upgrade` makes them.")
            way = await connection.run_sync(way_to_newest)
            raise NotPossible(f"The database has the schema {found}, this version {newest()}: {way}. Nothing was done.")


def _check_new(file: Path) -> None:
    if file.is_dir():
        raise NotPossible(f"{file} is a folder. Name a new file for the backup, such as {file / 'today.backup'}.")
    if file.exists():
        raise NotPossible(f"{file} exists already. Choose another name for the backup.")
    if not file.parent.is_dir():
        raise NotPossible(f"There is no folder {file.parent}.")


def _copy_backup(file: Path, copy: Path) -> None:
    if file.is_dir():
        raise NotPossible(f"{file} is a folder. Name the file of the backup.")
    if not file.is_file():
        raise NotPossible(f"There is no file {file}.")
    shutil.copyfile(file, copy)
    has, should_have = copy.stat().st_size, _size(copy)
    is_damaged = False
    try:
        if not _is_ours(copy):
            raise NotPossible(f"{file} is not a backup of Abakbot.")
    except sqlite3.DatabaseError:
        is_damaged = True
    if has < should_have:
        raise NotPossible(f"{file} is cut off: it has {has:,} bytes of {should_have:,}. {ANOTHER}")
    if is_damaged:
        raise NotPossible(f"{file} is damaged. {ANOTHER}")


def _size(file: Path) -> int:
    """Returns how many bytes an SQLite file should have by its header (sqlite.org/fileformat.html); 0 if unknown."""
    with file.open("rb") as opened:
        header = opened.read(HEADER)
    if len(header) < HEADER or not header.startswith(MAGIC):
        return 0
    page, pages = int.from_bytes(header[16:18]), int.from_bytes(header[28:32])
    says = header[24:28] == header[92:96]  # else the number of pages is an old one
    return (65_536 if page == 1 else page) * pages if says else 0


def _is_ours(file: Path) -> bool:
    """Returns whether an SQLite file has the tables of the bot. Raises sqlite3.DatabaseError if it is damaged."""
    with closing(sqlite3.connect(file)) as connection:
        try:
            found = connection.execute("SELECT name FROM sqlite_master").fetchall()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_NOTADB:
                return False
            raise
    return {name for (name,) in found} >= OURS


def _sync(file: Path) -> None:
    with file.open("rb") as opened:
        os.fsync(opened.fileno())


def _url_of(file: Path) -> str:
    return URL.create("sqlite", database=str(file)).render_as_string()
