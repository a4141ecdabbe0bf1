"""The drill of the runbook, from the command line on both databases: back up under play, lose all, restore, play on."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from harness.books import Books
from harness.bot import Room, bot_running
from harness.rows import fill_every_table
from sqlalchemy.engine import make_url

from bot.__main__ import main
from bot.core.storage.backups import write_backup
from bot.core.storage.copying import differing_tables
from bot.core.storage.database import Database
from bot.core.storage.revisions import newest

if TYPE_CHECKING:
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

pytestmark = [pytest.mark.changes_schema, pytest.mark.long]

ROOT = Path(__file__).parents[4]


async def beside(*arguments: str, url: str) -> tuple[int, str]:
    """Runs the command line in a process of its own; its status and what it says."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot",
        *arguments,
        cwd=ROOT,
        stdout=pipe,
        stderr=asyncio.subprocess.STDOUT,
        env={**os.environ, "DATABASE_URL": url},
    )
    said, _ = await asyncio.wait_for(process.communicate(), 120)
    return process.returncode or 0, said.decode()


async def abakbot(*arguments: str, url: str) -> tuple[int, str]:
    """Runs the command in this process, which has loaded everything already; no bot may run in it meanwhile."""
    done = await asyncio.to_thread(CliRunner(env={"DATABASE_URL": url}).invoke, main, arguments)
    return done.exit_code, done.output


def any_move(live: LiveGame) -> str:
    return str(live.game.format(live.state, [live.game.legal(live.state)[0]]))


async def lose(url: str) -> None:
    """Deletes the whole database, as a broken disk would."""
    if make_url(url).get_backend_name() == "sqlite":
        path = Path(str(make_url(url).database))
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
            path.with_name(name).unlink(missing_ok=True)
        return
    async with Database(url) as database, database.engine.begin() as connection:
        await connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        await connection.exec_driver_sql("CREATE SCHEMA public")


async def test_the_drill(stand_in: Server, database_url: str, tmp_path: Path) -> None:
    """Everything played before the backup is there again, and the game goes on over the wire."""
    file = tmp_path / "today.backup"
    async with bot_running(stand_in, database_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("abalone")
        await room.type(live, any_move(live))
        before = (await room.shown()).seq
        backup = asyncio.create_task(beside("backup", str(file), url=database_url))
        others = [Room.of(stand_in, bot) for _ in range(3)]
        for other in others:  # everybody plays on meanwhile
            begun = await other.begin("abalone")
            await other.type(begun, any_move(begun))
        status, said = await backup
        assert status == 0, said
        after = len(others) + 1
    status, said = await abakbot("db", "check", "--backup", str(file), url=database_url)
    assert (status, said.splitlines()[-1]) == (0, f"The backup is in order. Its schema is {newest()}.")
    await lose(database_url)
    status, said = await abakbot("restore", str(file), url=database_url)
    assert (status, said.splitlines()[-1]) == (0, "The database holds what the backup holds.")
    status, said = await abakbot("db", "check", url=database_url)
    assert (status, said.splitlines()[-1]) == (0, f"The database is in order. Its schema is {newest()}.")
    async with bot_running(stand_in, database_url) as bot:
        room.bot = bot
        restored = await room.present()
        assert restored.seq == before
        assert 1 <= await counted(database_url) <= after
        await room.type(restored, any_move(restored))
        assert (await room.shown()).seq == before + 1
    async with Books(database_url) as books:
        assert len((await books.stored(live.id)).record.entries) == before + 1


async def counted(url: str) -> int:
    async with Database(url) as database, database.reading() as connection:
        return int((await connection.exec_driver_sql("SELECT count(*) FROM games")).scalar_one())


async def test_a_new_database_that_has_its_tables_already_is_filled(
    sqlite_url: str, sqlite_template: Path, tmp_path: Path
) -> None:
    """By a process of its own, which has loaded no more than the command needs. A full one is left as it is."""
    file, fresh = tmp_path / "all.backup", tmp_path / "fresh.sqlite3"
    shutil.copy(sqlite_template, fresh)
    url = f"sqlite:///{fresh}"
    async with Database(sqlite_url) as full, Database(url) as filled:
        await fill_every_table(full)
        await write_backup(sqlite_url, file)
        assert await differing_tables(full, filled)
        status, said = await beside("restore", str(file), url=url)
        assert status == 0, said
        assert await differing_tables(full, filled) == []
    status, said = await beside("restore", str(file), url=url)
    assert (status, "is not empty" in said) == (1, True), said


async def test_tables_of_litestream_are_no_fault(sqlite_url: str) -> None:
    path = str(make_url(sqlite_url).database)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
        connection.execute("CREATE TABLE _litestream_lock (id INTEGER)")
    status, said = await abakbot("db", "check", url=sqlite_url)
    assert (status, said.splitlines()[-1]) == (0, f"The database is in order. Its schema is {newest()}.")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE of_somebody_else (id INTEGER)")
    status, said = await abakbot("db", "check", url=sqlite_url)
    assert status == 1
    assert "of_somebody_else" in said
