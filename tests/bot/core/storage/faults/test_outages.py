"""A database that is locked, deleted or replaced: nobody waits for ever, and nothing is promised that is not kept."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import AsyncMock

import pytest
from fakes.databases import order
from harness.boards import assert_shown_once
from harness.bot import SPANISH, Room, bot_running, private, told, told_all
from harness.discord import PATIENT, until
from harness.health import serving
from harness.scene import FIRST
from harness.storage import locked
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from bot.core.interactions import answer
from bot.core.storage import connecting
from bot.core.storage.database import Database
from bot.core.storage.faults import commit_status
from bot.core.storage.faults.outages import (
    CommitUnknown,
    DatabaseReplaced,
)
from bot.core.storage.faults.start_errors import BY_CODE, BY_TEXT, READ_ONLY
from bot.games.running import commit

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from bot.sandbox.server import Server

NAME = text("INSERT INTO player_names (user_id, name, seen) VALUES (:id, 'Ana', 0)")


def path_of(url: str) -> Path:
    return Path(str(make_url(url).database))


async def write(database: Database, number: int) -> None:
    async with database.writing() as connection:
        await connection.execute(NAME, {"id": number})


async def write_and_delete(database: Database) -> None:
    async with database.writing() as connection:
        await connection.execute(NAME, {"id": 2})
        path_of(str(database.url)).unlink()


def delete(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    shutil.copy(path, path.with_suffix(".copy"))
    path.with_suffix(".copy").replace(path)


@pytest.mark.parametrize("spoil", [delete, replace])
async def test_a_file_that_is_gone_takes_nothing_more(sqlite_url: str, spoil: Callable[[Path], None]) -> None:
    path = path_of(sqlite_url)
    async with Database(sqlite_url) as database:
        await write(database, 1)
        os.link(path, path.with_suffix(".kept"))
        spoil(path)
        for number in (2, 3):
            with pytest.raises(DatabaseReplaced):
                await write(database, number)
        with pytest.raises(DatabaseReplaced):
            await database.is_ready()  # so the bot is not ready
        path.with_suffix(".kept").replace(path)  # the first file is back
        await write(database, 4)
        assert await database.is_ready()


def empty(path: Path) -> None:
    os.truncate(path, 0)


def delete_the_log(path: Path) -> None:
    Path(f"{path}-wal").unlink()


@pytest.mark.parametrize("spoil", [empty, delete_the_log])
async def test_a_file_that_loses_its_content_takes_nothing_more(sqlite_url: str, spoil: Callable[[Path], None]) -> None:
    async with Database(sqlite_url) as database:
        await write(database, 1)
        spoil(path_of(sqlite_url))
        for number in (2, 3):
            with pytest.raises(DatabaseReplaced):
                await write(database, number)
        with pytest.raises(DatabaseReplaced):
            await database.is_ready()


async def test_what_was_saved_before_the_log_was_deleted_is_there_after_a_stop(sqlite_url: str) -> None:
    async with Database(sqlite_url) as database:
        await write(database, 1)
        delete_the_log(path_of(sqlite_url))
        with pytest.raises(DatabaseReplaced):
            await write(database, 2)
    with closing(sqlite3.connect(path_of(sqlite_url))) as after:
        assert (1,) in after.execute("SELECT user_id FROM player_names").fetchall()


async def test_what_goes_into_a_file_that_has_just_been_deleted_is_not_acknowledged(sqlite_url: str) -> None:
    async with Database(sqlite_url) as database:
        await write(database, 1)
        with pytest.raises(DatabaseReplaced):
            await write_and_delete(database)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_players_read_that_nothing_can_be_saved(stand_in: Server, sqlite_url: str, locale: str) -> None:
    path = path_of(sqlite_url)
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        live = await room.begin("apb")
        os.link(path, path.with_suffix(".kept"))
        path.unlink()
        await room.type(live, FIRST)
        assert told(room.ana) == room.say("error.no_database")
        await room.type(live, FIRST)
        assert told(room.ana) == room.say("error.no_database")
        assert await room.ana.choices("abak move play", "notation", notation="") == []
        path.with_suffix(".kept").replace(path)
        await room.type(live, FIRST)
        assert_shown_once(room, await room.shown())


async def test_the_bot_is_not_ready_while_its_file_is_gone(stand_in: Server, sqlite_url: str) -> None:
    path = path_of(sqlite_url)
    async with serving(stand_in, sqlite_url) as health:
        os.link(path, path.with_suffix(".kept"))
        path.unlink()
        await health.until(503, "database")
        path.with_suffix(".kept").replace(path)
        await health.until(200)
        (begun,) = health.lines("database_unavailable")
        assert path.name in begun["cause"]


@asynccontextmanager
async def another_program(url: str, begin: str) -> AsyncIterator[None]:
    """Begins a transaction, which waits beside the loop: the bot may be writing, and needs the loop to end it."""
    path = path_of(url)
    with closing(sqlite3.connect(path, PATIENT, isolation_level=None, check_same_thread=False)) as other:
        await asyncio.to_thread(other.execute, begin)
        yield  # closing rolls back


async def test_the_bot_is_not_ready_while_another_program_locks_its_file(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading goes on meanwhile."""
    monkeypatch.setattr(connecting, "SQLITE_PATIENCE", 0.5)
    async with serving(stand_in, sqlite_url) as health:
        async with another_program(sqlite_url, "BEGIN IMMEDIATE"):
            await health.until(503, "database")
        await health.until(200)
        (begun,) = health.lines("database_unavailable")
        assert begun["cause"] == BY_TEXT["database is locked"]


async def test_the_bot_is_not_ready_while_its_server_takes_no_writes(
    stand_in: Server, postgres_url: str, postgres_server: str
) -> None:
    """As after a fail-over to a standby. Connections that were opened meanwhile are not used any more afterwards."""
    name = make_url(postgres_url).database
    others = "datname = current_database() AND pid <> pg_backend_pid()"
    async with serving(stand_in, postgres_url) as health:
        await order(postgres_server, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        await order(postgres_url, f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}")  # noqa: S608
        begun = partial(health.lines, "database_unavailable")
        await until(lambda: BY_CODE[READ_ONLY] in [line["cause"] for line in begun()], "it is logged")
        await health.until(503, "database")
        await order(postgres_server, f"ALTER DATABASE {name} RESET default_transaction_read_only")
        await health.until(200)


async def test_a_locked_database_leaves_nobody_waiting(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user who was told to wait reads the answer in the same place."""
    monkeypatch.setattr(connecting, "SQLITE_PATIENCE", 0.5)
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        await room.ana.choices("abak move play", "notation", notation="")
        async with another_program(sqlite_url, "BEGIN EXCLUSIVE"):
            monkeypatch.setattr(answer, "PATIENCE", 0.0)  # it is announced before the database is given up
            sent = await room.type(live, FIRST)
            await told_all(bot)
            assert sent.deferred
            assert sent.message is not None
            assert sent.message["id"] == private(room.ana)["id"]
            assert told(room.ana) == room.say("error.no_database")
        assert await room.present() == live
        await room.type(live, FIRST)
        assert_shown_once(room, await room.shown())


# --- what is saved ---------------------------------------------------------------------------------------------------


async def broken(*_: object, **__: object) -> None:
    raise RuntimeError("made by the test")


async def test_a_failure_before_the_commit_says_that_nothing_has_changed(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        with monkeypatch.context() as patched:
            patched.setattr("bot.games.repository.announce", broken)
            await room.type(live, FIRST)
        assert told(room.ana) == room.say("error.ours")
        assert await room.present() == live


@pytest.mark.parametrize("fault", ["ours", "reset"])
async def test_a_failure_after_the_commit_says_that_it_is_saved(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    is_ours = fault == "ours"
    error = RuntimeError("made by the test") if is_ours else ConnectionResetError()

    async def fails(*_: object, **__: object) -> None:
        raise error

    async with bot_running(stand_in, sqlite_url, faults=int(is_ours)) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        with monkeypatch.context() as patched:
            patched.setattr("bot.core.interactions.answer.Answer.done", fails)
            await room.play(live, FIRST)
        assert told(room.ana) == room.say("error.kept")
        assert_shown_once(room, await room.shown())
        assert (await room.present()).seq > live.seq


@pytest.mark.parametrize("carried_out", [True, False])
@pytest.mark.parametrize("back", [True, False])
async def test_a_commit_whose_end_nobody_heard_is_looked_up(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, *, carried_out: bool, back: bool
) -> None:
    """The connection is lost during COMMIT; afterwards the database is back at once, or not."""
    monkeypatch.setattr(commit, "LOOK_PAUSE", 0.01)
    commit_as_ever, reading = Database._commit, Database.reading
    fetch_as_ever = Database.fetch
    lost: list[Any] = []

    async def commit_unheard(self: Database, connection: Any, *more: Any) -> None:
        if lost or commit_status._current.get() is None:  # the bot's own writing goes on
            await commit_as_ever(self, connection, *more)
            return
        lost.append(connection)
        if carried_out:
            await commit_as_ever(self, connection, *more)
            commit_status._current.get().committed = 0  # type: ignore[union-attr]
        else:
            await connection.rollback()
        commit_status.unknown()
        raise CommitUnknown

    def away(self: Database) -> Any:
        if lost and not back:
            raise ConnectionRefusedError
        return reading(self)

    async def fetched(self: Database, *given: Any, **more: Any) -> Any:
        if lost and not back:
            raise ConnectionRefusedError
        return await fetch_as_ever(self, *given, **more)

    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        await told_all(bot)
        with monkeypatch.context() as patched:
            patched.setattr(Database, "fetch", fetched)
            patched.setattr(Database, "_commit", commit_unheard)
            patched.setattr(Database, "reading", away)
            await room.type(live, FIRST)
        after = await room.present()
        assert (after.seq > live.seq) == carried_out
        if carried_out and back:
            assert_shown_once(room, await room.shown())
        elif back:
            assert told(room.ana) == room.say("error.no_database")
        else:
            assert told(room.ana) == room.say("error.unknown")


@pytest.mark.parametrize(("error", "unknown"), [(ConnectionResetError(), 1), (TimeoutError(), 1), (locked(), 0)])
async def test_only_a_lost_connection_leaves_a_commit_unknown(sqlite_url: str, error: Exception, unknown: int) -> None:
    async def commit() -> None:
        raise error

    connection: Any = SimpleNamespace(commit=commit, invalidate=AsyncMock())
    async with Database(sqlite_url) as database:
        watched = commit_status.watch()
        with pytest.raises(CommitUnknown if unknown else OperationalError):
            await database._commit(connection, [])
        assert (watched.committed, watched.unknown) == (0, unknown)
        connection.invalidate.assert_awaited_once_with()
