"""Backups: everything is in them, of one moment, on both databases."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from harness.rows import ROWS, fill_every_table
from harness.storage import files_in, new, opened, told
from sqlalchemy import delete, func, insert, select, update

from bot.core.storage.backups import NotPossible, restore_backup, silent, write_backup
from bot.core.storage.copying import copy_rows, differing_tables, is_empty
from bot.games.tables import games
from bot.players.tables import player_names, preferences
from bot.privacy.tables import deletions
from bot.profiles.tables import leaderboard

pytestmark = [pytest.mark.changes_schema, pytest.mark.both_databases]

PAIRS = 40


async def test_a_backup_can_be_restored(database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "games.backup"
    async with opened(database_url) as database:
        await fill_every_table(database)
        await write_backup(database_url, file)
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert [path for path in files_in(tmp_path) if "backup" in path.name] == [file]
        await restore_backup(file, new(tmp_path), told)
        async with opened(new(tmp_path)) as restored:
            assert await differing_tables(database, restored) == []
            async with restored.writing() as connection:
                await connection.execute(update(leaderboard).values(rating=0.1))
            assert await differing_tables(database, restored) == ["leaderboard"]


async def test_sqlite_goes_to_postgresql_and_back(sqlite_url: str, postgres_url: str, tmp_path: Path) -> None:
    """Each with its numbering: the id of a deleted row is not given again."""
    async with opened(sqlite_url) as first, opened(postgres_url) as second, opened(new(tmp_path)) as third:
        await fill_every_table(first)
        async with first.writing() as connection:
            await connection.execute(delete(deletions).where(deletions.c.id == 10**6 + ROWS))
        for source, target in ((first, second), (second, third)):
            await copy_rows(source, target, silent)
            assert await differing_tables(source, target) == []
        values = {column.name: 1 for column in deletions.columns if column.name not in {"id", "erased"}} | {
            "erased": False
        }
        for database in (second, third):
            async with database.writing() as connection:
                made = await connection.execute(insert(deletions).values(values).returning(deletions.c.id))
                assert made.scalar_one() == 10**6 + ROWS + 1


async def test_an_interrupted_copy_is_continued(sqlite_url: str, postgres_url: str) -> None:
    async with opened(sqlite_url) as source, opened(postgres_url) as target:
        await fill_every_table(source)

        def stops(table: str, rows: int) -> None:
            del rows
            if table == games.name:
                raise KeyError

        with pytest.raises(KeyError):
            await copy_rows(source, target, stops)
        assert await differing_tables(source, target)
        await copy_rows(source, target, told)
        assert await differing_tables(source, target) == []


async def test_a_backup_is_of_one_moment_while_everybody_plays(database_url: str, tmp_path: Path) -> None:
    """Each transaction writes two rows: a backup has both or neither, and is done before the players are."""
    async with opened(database_url) as database:
        stopped, on = asyncio.Event(), asyncio.Event()
        written = 0

        async def play() -> None:
            nonlocal written
            while not stopped.is_set():
                written += 1
                async with database.writing() as connection:
                    await connection.execute(insert(player_names).values(user_id=written, name="x" * 50, seen=1))
                    given = {"scope": "user", "id": written, "key": "theme", "value": "wood"}
                    await connection.execute(insert(preferences).values(given))
                if written % PAIRS == 0:
                    on.set()
                await asyncio.sleep(0)

        playing = asyncio.create_task(play())
        backups = []
        for number in range(5):
            on.clear()
            await on.wait()
            before, file = written, tmp_path / f"{number}.backup"
            await write_backup(database_url, file)
            backups.append((before, file, written))
        stopped.set()
        await playing
    for before, file, after in backups:
        with closing(sqlite3.connect(file)) as connection:
            names, settings = (
                connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608  two tables of ours
                for table in ("player_names", "preferences")
            )
        assert names == settings
        assert before - 1 <= names <= after


async def test_nothing_is_overwritten(database_url: str, tmp_path: Path) -> None:
    file = tmp_path / "games.backup"
    async with opened(database_url) as database:
        await fill_every_table(database)
        await write_backup(database_url, file)
        taken = file.read_bytes()
        with pytest.raises(NotPossible, match="exists already"):
            await write_backup(database_url, file)
        assert file.read_bytes() == taken
        with pytest.raises(NotPossible, match="is not empty") as refused:
            await restore_backup(file, database_url)
        assert ("file" in str(refused.value)) == database_url.startswith("sqlite")
        async with database.reading() as connection:
            assert (await connection.execute(select(func.count()).select_from(games))).scalar() == ROWS


async def test_a_backup_that_fails_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "games.backup"
    with pytest.raises(NotPossible, match="There is no database"):
        await write_backup(new(tmp_path, "missing"), file)
    with pytest.raises(NotPossible, match="There is no folder"):
        await write_backup(new(tmp_path), tmp_path / "none" / "games.backup")
    assert files_in(tmp_path) == []


async def test_an_older_database_is_not_copied_from_postgresql(empty_postgres_url: str, tmp_path: Path) -> None:
    with pytest.raises(NotPossible, match="`abakbot db upgrade` makes them"):
        await write_backup(empty_postgres_url, tmp_path / "games.backup")
    assert files_in(tmp_path) == []


async def test_an_empty_database_is_known(database_url: str) -> None:
    async with opened(database_url) as database:
        assert await is_empty(database)
        await fill_every_table(database)
        assert not await is_empty(database)
