"""Neither the disk nor another process's lock on the SQLite file stops the event loop."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, closing, contextmanager
from functools import partial
from typing import Any, ClassVar

import pytest
from harness.discord import until
from sqlalchemy import func, insert, select, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage import connecting
from bot.core.storage.connecting import SQLITE_CONNECTIONS
from bot.core.storage.database import Database
from bot.players.tables import player_names

NAME = text("INSERT INTO player_names (user_id, name, seen) VALUES (:id, 'Ana', 0)")
SLOW = (
    "WITH RECURSIVE many(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 300000) SELECT count(*) FROM many"
)
COUNT = text("SELECT count(*) FROM player_names")


@contextmanager
def locked(url: str) -> Iterator[sqlite3.Connection]:
    """Writes from elsewhere for as long as the block lasts."""
    with closing(sqlite3.connect(str(make_url(url).database), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


async def write(database: Database, number: int) -> None:
    async with database.writing() as connection:
        await connection.execute(NAME, {"id": number})


async def people(database: Database) -> int:
    async with database.reading() as connection:
        return int(await connection.scalar(COUNT))


async def test_a_writer_waits_for_another_process_while_the_loop_goes_on(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    with locked(sqlite_url) as other:
        waiting = asyncio.create_task(write(database, 1))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        assert await people(database) == 0  # who reads does not wait
        other.execute("ROLLBACK")
        await waiting
    assert await people(database) == 1
    await database.close()


async def test_a_writer_that_has_waited_long_enough_gives_up(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connecting, "SQLITE_PATIENCE", 0.05)
    database = Database(sqlite_url)
    with locked(sqlite_url), pytest.raises(OperationalError, match="locked"):
        await write(database, 1)
    await write(database, 2)  # and nothing of it is left behind
    assert await people(database) == 1
    await database.close()


async def test_a_writer_that_is_cancelled_while_it_waits_leaves_nothing(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    with locked(sqlite_url):
        waiting = asyncio.create_task(write(database, 1))
        await asyncio.sleep(0.02)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    await write(database, 2)
    assert await people(database) == 1
    await database.close()


@pytest.mark.parametrize("door", [Database.reading, Database.writing])
async def test_a_statement_that_is_cancelled_ends_its_transaction(
    sqlite_url: str, door: Callable[[Database], AbstractAsyncContextManager[AsyncConnection]]
) -> None:
    async with Database(sqlite_url) as database:
        begun = asyncio.Event()

        async def work() -> None:
            async with door(database) as connection:
                begun.set()
                await connection.execute(text(SLOW))

        task = asyncio.create_task(work())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await write(database, 1)
        assert await people(database) == 1


async def test_a_commit_that_fails_leaves_nothing(sqlite_url: str) -> None:
    async with Database(sqlite_url) as database:

        async def refer_to_nothing() -> None:
            async with database.writing() as connection:
                await connection.execute(text("PRAGMA defer_foreign_keys = ON"))
                await connection.execute(text("INSERT INTO snapshots (game_id, text) VALUES ('none', '')"))

        with pytest.raises(IntegrityError, match="FOREIGN KEY"):
            await refer_to_nothing()
        await write(database, 1)
        assert await people(database) == 1


async def test_a_reader_waits_for_who_keeps_the_file_to_himself(sqlite_url: str) -> None:
    async with Database(sqlite_url) as database:
        await write(database, 1)
    with locked(sqlite_url) as other:
        other.execute("ROLLBACK")
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        waiting = [asyncio.create_task(ask(database)) for ask in (people, people_fetched)]
        await asyncio.sleep(0.05)
        assert not any(task.done() for task in waiting)
    assert await asyncio.gather(*waiting) == [1, 1]
    await database.close()


async def people_fetched(database: Database) -> int:
    return int((await database.fetch(select(func.count()).select_from(player_names))).scalar_one())


async def test_a_result_that_nobody_reads_does_not_hold_back_the_commit(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    rows = [{"user_id": number, "name": "Ana", "seen": 0} for number in range(3)]
    async with database.writing() as connection:
        unread = await connection.execute(insert(player_names).values(rows).returning(player_names.c.user_id))
    assert await people(database) == 3
    assert [row.user_id for row in unread] == [0, 1, 2]  # read before the connection was given back
    await database.close()


async def test_any_number_of_readers_may_stay(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    async with AsyncExitStack() as stay:
        readers = [await stay.enter_async_context(database.reading()) for _ in range(2 * SQLITE_CONNECTIONS)]
        assert [await connection.scalar(COUNT) for connection in readers] == [0] * len(readers)
        await write(database, 1)
    assert await people(database) == 1
    pool: Any = database.engine.pool
    assert pool.checkedin() == SQLITE_CONNECTIONS
    await database.close()


class SlowDisk(sqlite3.Connection):
    """Imitates a slow disk: a commit waits for it, as for ``fsync``."""

    sync: ClassVar[Callable[[], object]]
    """Waits for the disk, and lets the interpreter's lock go, as ``fsync`` does."""

    def commit(self) -> None:
        if self.in_transaction:
            type(self).sync()
        super().commit()


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlite3.connect", partial(sqlite3.connect, factory=SlowDisk))


@pytest.mark.usefixtures("slow_disk")
async def test_the_loop_goes_on_while_a_commit_waits_for_the_disk(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, went_on = threading.Event(), threading.Event()

    def sync() -> None:
        begun.set()
        assert went_on.wait(30)

    monkeypatch.setattr(SlowDisk, "sync", staticmethod(sync), raising=False)
    database = Database(sqlite_url)
    writing = asyncio.create_task(write(database, 1))
    await until(begun.is_set, "the commit has begun")
    went_on.set()
    await writing
    assert await people(database) == 1
    await database.close()


@pytest.mark.usefixtures("slow_disk")
async def test_a_commit_that_has_begun_comes_to_its_end_whoever_is_cancelled(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, goes_on = threading.Event(), threading.Event()

    def sync() -> None:
        begun.set()
        assert goes_on.wait(30)

    monkeypatch.setattr(SlowDisk, "sync", staticmethod(sync), raising=False)
    database = Database(sqlite_url)
    writing = asyncio.create_task(write(database, 1))
    following = asyncio.create_task(write(database, 2))
    await until(begun.is_set, "the commit has begun")
    for _ in range(3):
        writing.cancel()
        await asyncio.sleep(0.01)
    assert not writing.done()
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    await following
    assert await people(database) == 2
    await database.close()


async def test_a_reader_that_has_fallen_behind_may_not_write(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    async with database.reading() as connection:
        assert await connection.scalar(COUNT) == 0
        await write(database, 1)
        with pytest.raises(OperationalError, match="locked"):  # at once: waiting would not help
            await connection.execute(NAME, {"id": 2})
    assert await people(database) == 1
    await database.close()
