"""A stored database of each revision: all of them are upgraded, and nothing in them is lost.

``STORED=write pytest -n 0 tests/bot/core/storage/test_stored_databases.py`` stores one of the newest revision. Whoever
adds a revision does so; the others stay as they are, with the revisions that made them. A stored one is never written
again: if its revision has still to change before anybody has it, delete both of its files first.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from alembic import command
from harness.stored import fill, read
from sqlalchemy import MetaData, create_engine, insert, select

from bot.core.storage.backups import write_backup
from bot.core.storage.database import Database, connect
from bot.core.storage.revisions import FOLDERS, configure, current, newest, revisions
from bot.core.storage.tables import all_tables
from bot.rebuild import check_copy
from bot.settings import Settings

if TYPE_CHECKING:
    from sqlalchemy import Connection

STORED: Final = Path(__file__).with_name("stored")
Rows = dict[str, list[dict[str, Any]]]
"""By table; each row by column."""


def frozen(revision: str) -> str:
    return hashlib.sha256((FOLDERS[0] / f"{revision}.py").read_bytes()).hexdigest()


async def write(folder: Path, stored: Path = STORED) -> None:
    """Stores a database of the newest revision, and beside it what the bot reads there.

    Raises FileExistsError if there is one.
    """
    packed, beside = stored / f"{newest()}.db.xz", stored / f"{newest()}.json"
    if found := [path.name for path in (packed, beside) if path.exists()]:
        raise FileExistsError(f"{' and '.join(found)}: this revision has landed, or delete its stored files first")
    url, file = f"sqlite:///{folder / 'new.sqlite3'}", folder / "stored.sqlite3"
    async with await Database.open(url) as database:
        await fill(database)
        said = {"sha256": frozen(newest()), "read": await read(database)}
    await write_backup(url, file)
    packed.write_bytes(lzma.compress(file.read_bytes()))
    beside.write_text(json.dumps(said, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@pytest.mark.parametrize("ending", ["db.xz", "json"])
async def test_a_stored_database_is_never_written_again(tmp_path: Path, ending: str) -> None:
    landed = tmp_path / f"{newest()}.{ending}"
    landed.write_text("as it was", encoding="utf-8")
    with pytest.raises(FileExistsError, match=landed.name):
        await write(tmp_path, tmp_path)
    assert landed.read_text(encoding="utf-8") == "as it was"


async def test_a_revision_with_a_stored_database_does_not_change(tmp_path: Path) -> None:
    if os.environ.get("STORED") == "write":
        await write(tmp_path)
    assert {path.name.partition(".")[0] for path in STORED.iterdir()} == set(revisions())
    for revision in revisions():
        assert said_of(revision)["sha256"] == frozen(revision), f"{revision} has landed: make a new revision"


def said_of(revision: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((STORED / f"{revision}.json").read_text(encoding="utf-8"))
    return found


@pytest.fixture(params=revisions())
def revision(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def stored(revision: str, tmp_path: Path) -> Path:
    """The file of the stored database, as it was."""
    path = tmp_path / "games.sqlite3"
    path.write_bytes(lzma.decompress((STORED / f"{revision}.db.xz").read_bytes()))
    return path


def rows_of(connection: Connection) -> Rows:
    """Returns all rows of all tables, also of those that this version does not know."""
    tables = MetaData()
    tables.reflect(connection)
    return {
        table.name: [row._asdict() for row in connection.execute(select(table).order_by(*table.primary_key))]
        for table in tables.sorted_tables
    }


def rows_in(path: Path) -> Rows:
    engine = create_engine(f"sqlite:///{path}")
    with engine.connect() as connection:
        found = rows_of(connection)
    engine.dispose()
    return found


def kept(before: Rows, after: Rows) -> tuple[Rows, Rows]:
    """Returns the tables and columns that both have."""
    shared = {
        table: [name for name in before[table][0] if after[table] and name in after[table][0]]
        for table in before.keys() & after.keys()
        if before[table] and table not in {"alembic_version", "compatible_schemas"}
    }
    one, other = (
        {table: [{name: row[name] for name in names} for row in rows[table]] for table, names in shared.items()}
        for rows in (before, after)
    )
    return one, other


async def test_a_stored_database_is_upgraded_and_read(revision: str, stored: Path) -> None:
    before = rows_in(stored)
    async with await Database.open(f"sqlite:///{stored}") as database:
        async with database.reading() as connection:
            assert await connection.run_sync(current) == newest()
        one, other = kept(before, rows_in(stored))
        assert one == other
        assert as_json(await read(database)) == said_of(revision)["read"]
        settings = Settings.load(database_url=f"sqlite:///{stored}")
        assert [fault async for fault in check_copy(database, settings)] == []  # last: it writes


async def test_a_stored_database_is_upgraded_on_postgresql(
    revision: str, stored: Path, empty_postgres_url: str
) -> None:
    """Its rows come into the schema that the revision makes there."""
    before = rows_in(stored)

    def bring(connection: Connection) -> None:
        command.upgrade(configure(connection), revision)
        tables = MetaData()
        tables.reflect(connection)
        for table in tables.sorted_tables:
            if table.name in before and table.name != "alembic_version" and before[table.name]:
                connection.execute(insert(table), before[table.name])

    engine = connect(empty_postgres_url)
    async with engine.begin() as connection:
        await connection.run_sync(bring)
    await engine.dispose()
    async with await Database.open(empty_postgres_url) as database:
        async with database.reading() as connection:
            one, other = kept(before, await connection.run_sync(rows_of))
        assert one == other
        assert as_json(await read(database)) == said_of(revision)["read"]


def as_json(found: dict[str, Any]) -> dict[str, Any]:
    again: dict[str, Any] = json.loads(json.dumps(found))
    return again


def test_the_newest_stored_database_has_rows_in_every_table(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_bytes(lzma.decompress((STORED / f"{newest()}.db.xz").read_bytes()))
    with closing(sqlite3.connect(path)) as connection:
        counts = {
            table.name: connection.execute(f"SELECT count(*) FROM {table.name}").fetchone()[0]  # noqa: S608  ours
            for table in all_tables()
        }
    assert [table for table, count in counts.items() if not count] == []
