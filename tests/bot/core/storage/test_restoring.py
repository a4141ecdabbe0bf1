"""Restoring a backup: all of it or nothing, into a new or empty database, on both databases."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from harness.command_line import abakbot
from harness.rows import fill_every_table
from harness.storage import files_below, files_in, new, opened, tables_of, told

from bot.core.storage.backups import NotPossible, restore_backup, write_backup
from bot.core.storage.copying import differing_tables, is_empty
from bot.core.storage.database import Database
from bot.games.tables import games

pytestmark = [pytest.mark.changes_schema, pytest.mark.both_databases]

ASIDE = "A file of an earlier database was in the way. It is now "


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that is not there yet, or has no tables."""
    if request.param == "sqlite":
        return new(tmp_path / "not" / "there", "target")
    return str(request.getfixturevalue("empty_postgres_url"))


class Broken(Exception):
    pass


@pytest.mark.parametrize("before", ["new", "empty"])
async def test_a_restore_that_fails_leaves_nothing(before: str, empty_database_url: str, tmp_path: Path) -> None:
    """Whatever was written is gone again, so that nobody takes the half for the whole."""
    file = tmp_path / "games.backup"
    async with opened(new(tmp_path)) as database:
        await fill_every_table(database)
        await write_backup(new(tmp_path), file)
    if before == "empty":
        await (await Database.open(empty_database_url)).close()
    there = files_below(tmp_path)
    written = 0

    def breaks(table: str, rows: int) -> None:
        nonlocal written
        written += rows
        if table == games.name:
            raise Broken

    with pytest.raises(Broken):
        await restore_backup(file, empty_database_url, breaks)
    assert written
    assert files_below(tmp_path) == there
    if before == "empty":
        async with opened(empty_database_url) as left:
            assert await is_empty(left)
    elif not empty_database_url.startswith("sqlite"):
        assert await tables_of(empty_database_url) == []
    await restore_backup(file, empty_database_url, told)


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + b"x" * 5000, None])
async def test_what_is_no_backup_is_refused(content: bytes | None, sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.backup"
    if content is None:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("CREATE TABLE visits (id INTEGER)")
    else:
        file.write_bytes(content)
    with pytest.raises(NotPossible, match="is not a backup"):
        await restore_backup(file, sqlite_url)
    with pytest.raises(NotPossible, match="There is no file"):
        await restore_backup(tmp_path / "none.backup", sqlite_url)


def spoilt(file: Path, how: str) -> bytes:
    """Returns the content of a backup that was cut off, or whose list of tables or rows of one are damaged."""
    content = file.read_bytes()
    if how == "cut off":
        return content[: len(content) // 2]
    with closing(sqlite3.connect(file)) as connection:
        ((page,),) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'tournaments'")
    start = 4096 * (page - 1)
    first, last = {"tables": (100, 4096), "rows": (start, start + 64), "cells": (start + 8, start + 40)}[how]
    return content[:first] + b"\xaa" * (last - first) + content[last:]


@pytest.mark.parametrize("how", ["cut off", "tables", "rows", "cells"])
async def test_a_damaged_backup_is_named_and_restores_nothing(
    how: str, sqlite_url: str, empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, file = tmp_path / "whole.backup", tmp_path / "games.backup"
    async with opened(sqlite_url) as database:
        await fill_every_table(database)
    await write_backup(sqlite_url, whole)
    content = spoilt(whole, how)
    file.write_bytes(content)
    size = whole.stat().st_size
    fault = f"is cut off: it has {len(content):,} bytes of {size:,}" if how == "cut off" else "is damaged"
    said = (1, f"{file} {fault}. Take another backup, or copy this one again.\n")
    monkeypatch.setenv("DATABASE_URL", empty_database_url)
    before = files_below(tmp_path)
    assert await asyncio.to_thread(abakbot, "restore", str(file)) == said
    assert await asyncio.to_thread(abakbot, "db", "check", "--backup", str(file)) == said
    assert files_below(tmp_path) == before
    if not empty_database_url.startswith("sqlite"):
        assert await tables_of(empty_database_url) == []


async def test_a_backup_with_a_row_that_cannot_be_restored_leaves_nothing(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sentence in the database's own words, without a traceback."""
    file = tmp_path / "games.backup"
    async with opened(new(tmp_path)) as database:
        await fill_every_table(database)
    await write_backup(new(tmp_path), file)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO entries VALUES ('none', 0, 1, 'play', 0, '')")
    monkeypatch.setenv("DATABASE_URL", empty_database_url)
    before = files_below(tmp_path)
    code, output = await asyncio.to_thread(abakbot, "restore", str(file))
    said = output.splitlines()[-1]
    assert code == 1
    assert said.startswith(f"{file} has a row that cannot be restored: ")
    assert said.endswith(f". Nothing was restored. `abakbot db check --backup {file}` says more.")
    assert "class" not in said
    assert files_below(tmp_path) == before
    if not empty_database_url.startswith("sqlite"):
        assert await tables_of(empty_database_url) == []


@pytest.mark.parametrize(
    "left", [{"-wal": b"moves", "-shm": b"x"}, {"-wal": b""}, {"": b""}, {"": bytes(8192)}], ids=str
)
def test_what_is_left_of_an_earlier_file_is_moved_aside(
    left: dict[str, bytes], sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite would write an old log into the restored file. It may hold moves, so it is kept."""
    file = tmp_path / "games.backup"

    async def fill() -> None:
        async with opened(sqlite_url) as database:
            await fill_every_table(database)
        await write_backup(sqlite_url, file)

    async def differ() -> list[str]:
        async with opened(sqlite_url) as database, opened(f"sqlite:///{path}") as restored:
            return await differing_tables(database, restored)

    asyncio.run(fill())
    path = tmp_path / "again" / "games.sqlite3"
    path.parent.mkdir()
    for end, content in left.items():
        Path(f"{path}{end}").write_bytes(content)
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    code, said = abakbot("restore", str(file))
    assert code == 0
    named = [line.removeprefix(ASIDE).removesuffix(".") for line in said.splitlines() if line.startswith(ASIDE)]
    kept = [content for end, content in left.items() if end != "-shm" and (end, content) != ("-wal", b"")]
    assert [Path(name).read_bytes() for name in named] == kept
    assert said.count("Delete such files when no move is missed") == bool(kept)
    assert {*files_in(path.parent)} == {path, *map(Path, named)}
    assert asyncio.run(differ()) == []
