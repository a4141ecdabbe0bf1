"""A database that this version cannot use is refused in one sentence, and stays as it was."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest
from click.testing import CliRunner
from harness.revisions import LATER
from sqlalchemy import text
from sqlalchemy.engine import make_url

from bot.__main__ import main
from bot.command_line.settings import BAD_SETTINGS, UNREACHED
from bot.core.storage.database import Database
from bot.core.storage.revisions import UnknownSchema, newest

if TYPE_CHECKING:
    from collections.abc import Sequence

pytestmark = [pytest.mark.changes_schema, pytest.mark.both_databases]
ANEW: Final = "set DATABASE_URL to a new database."
OLD: Final = (
    "has the schema {}, which is older than the first release of Abakbot or another program's, and cannot be upgraded: "
    + ANEW
)
LACKS: Final = (
    f"does not have the tables of its schema {newest()}, it lacks {{}}: restore a backup, or set DATABASE_URL to a new"
    " database."
)
STAMP: Final = "UPDATE alembic_version SET version_num = '{}'"
NEWER: Final = (
    f"has the schema abakbot_9999 of a newer version of Abakbot, and this version has {newest()}: run the newer"
    f" version, or {ANEW}"
)
DAMAGES: Final = {
    "of numbers alone": ([STAMP.format("0006")], OLD.format("0006")),
    "of a room": ([STAMP.format("challenges_0002")], OLD.format("challenges_0002")),
    "of a newer version": ([STAMP.format("abakbot_9999")], NEWER),
    "without a column": (["ALTER TABLE games DROP COLUMN commitment"], LACKS.format("games.commitment")),
    "without a table": (["DROP TABLE heartbeats"], LACKS.format("heartbeats")),
    "without several": (
        [
            *(f"DROP TABLE {table}" for table in ("heartbeats", "lessons", "analyses", "vacations", "snapshots")),
            "ALTER TABLE games DROP COLUMN commitment",
            "ALTER TABLE games DROP COLUMN edits",
        ],
        LACKS.format("analyses, games.commitment, games.edits, heartbeats, lessons and 2 more"),
    ),
}
"""Damages to a database of this version, and the words about them."""
PROGRAMS: Final = {
    "another program": (["CREATE TABLE visits (id INTEGER)"], f"holds tables of another program (visits): {ANEW}"),
    "another program with Alembic": (
        [
            "CREATE TABLE alembic_version (version_num TEXT)",
            "INSERT INTO alembic_version VALUES ('ae1027a6acf')",
            "CREATE TABLE games (id INTEGER)",
        ],
        OLD.format("ae1027a6acf"),
    ),
}
"""Statements of other programs in an empty database."""


def changed(path: Path, statements: Sequence[str]) -> bytes:
    """Runs the statements, and returns the content of the file."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            connection.execute(statement)
    return path.read_bytes()


def invoke(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, arguments)
    return done.exit_code, done.output


def refused_everywhere(path: Path, says: str, patch: pytest.MonkeyPatch) -> None:
    """Checks that all that open the database say this in one line, and leave the file as it is."""
    before = path.read_bytes()
    patch.setenv("DATABASE_URL", f"sqlite:///{path}")
    patch.setenv("DISCORD_TOKEN", "never.sent.anywhere")
    line = f"The database {path} {says}\n"
    for command in ("run", "db upgrade", "db check", "db rebuild", f"db downgrade {newest()} --yes"):
        assert (command, *invoke(*command.split())) == (command, UNREACHED, line)
    assert invoke("sandbox", "--port", "0", "--data", str(path.parent)) == (BAD_SETTINGS, line)
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_file_that_this_version_cannot_use(
    damage: str, sqlite_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements, says = DAMAGES[damage]
    path = tmp_path / "games.sqlite3"
    path.write_bytes(sqlite_template.read_bytes())
    changed(path, statements)
    refused_everywhere(path, says, monkeypatch)
    backup = tmp_path / "games.backup"
    backup.write_bytes(path.read_bytes())
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{tmp_path / 'other.sqlite3'}")
    for command in ("restore", "db check --backup"):
        assert invoke(*command.split(), str(backup)) == (UNREACHED, f"The database {backup} {says}\n")


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_file_of_another_program(program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    statements, says = PROGRAMS[program]
    path = tmp_path / "games.sqlite3"
    changed(path, statements)
    refused_everywhere(path, says, monkeypatch)


@pytest.mark.parametrize("damage", ["of a room", "without a column", "another program"])
def test_a_postgresql_database_that_this_version_cannot_use(
    damage: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named by its host; a password is not shown."""
    statements, says = (DAMAGES | PROGRAMS)[damage]
    url = request.getfixturevalue("postgres_url" if damage in DAMAGES else "empty_postgres_url")
    asyncio.run(done(url, statements))
    monkeypatch.setenv("DATABASE_URL", url)
    named = make_url(url)
    for command in ("upgrade", "check"):
        line = f"The database {named.database} on {named.host or 'this machine'} {says}\n"
        assert invoke("db", command) == (UNREACHED, line)


async def done(url: str, statements: Sequence[str]) -> None:
    async with Database(url) as database, database.engine.begin() as connection:
        for statement in statements:
            await connection.exec_driver_sql(statement)


async def test_what_an_older_revision_made_is_checked_before_the_upgrade(
    database_url: str, request: pytest.FixtureRequest
) -> None:
    """With the tables of that revision, not with those of this version."""
    await done(database_url, ["DROP TABLE heartbeats"])
    request.getfixturevalue("newer")
    with pytest.raises(UnknownSchema, match="it lacks heartbeats:"):
        await Database.open(database_url)
    async with Database(database_url) as database, database.reading() as connection:
        assert await connection.scalar(text("SELECT version_num FROM alembic_version")) != LATER


async def test_tables_of_litestream_are_in_nobodys_way(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    changed(path, ["CREATE TABLE _litestream_seq (id INTEGER)"])
    for _ in range(2):
        async with await Database.open(f"sqlite:///{path}") as database:
            assert await database.is_ready()


@pytest.mark.parametrize("damage", ["of a room", "of a newer version", "without a column"])
async def test_a_bot_is_not_ready_when_its_database_has_become_such_a_one(damage: str, database_url: str) -> None:
    async with Database(database_url) as database:
        assert await database.is_ready()
        await done(database_url, DAMAGES[damage][0])
        with pytest.raises(UnknownSchema):
            await database.is_ready()


async def test_a_bot_is_not_ready_without_the_newest_schema_unless_a_newer_one_allows_for_it(
    database_url: str, newer: pytest.MonkeyPatch
) -> None:
    async with Database(database_url) as database:
        assert not await database.is_ready()
        await (await Database.open(database_url)).close()
        assert await database.is_ready()
        newer.undo()
        assert await database.is_ready()


async def test_a_bot_is_not_ready_on_an_empty_database(tmp_path: Path) -> None:
    async with Database(f"sqlite:///{tmp_path / 'empty.sqlite3'}") as database:
        assert not await database.is_ready()
