"""Opens databases and lists files, for tests of backups and copies."""

from __future__ import annotations

import sqlite3
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sqlalchemy import inspect
from sqlalchemy.exc import OperationalError

from bot.core.storage.database import Database
from harness.rows import ROWS

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    database = await Database.open(url)
    try:
        yield database
    finally:
        await database.close()


def locked() -> OperationalError:
    """The error of a statement while another program writes."""
    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    return OperationalError("INSERT", {}, error)


def new(folder: Path, name: str = "new") -> str:
    return f"sqlite:///{folder / name}.sqlite3"


def files_in(folder: Path) -> list[Path]:
    return list(folder.iterdir())


def files_below(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def told(table: str, rows: int) -> None:
    assert (table, rows) == (table, ROWS)


async def tables_of(url: str) -> list[str]:
    async with Database(url) as database, database.reading() as connection:
        return await connection.run_sync(lambda plain: inspect(plain).get_table_names())
