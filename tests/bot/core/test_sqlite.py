"""SQLite is used in the loop's own thread, and yet nobody else's lock stops the loop."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import OperationalError

from bot.core import sqlite
from bot.core.database import Database

NAME = text("INSERT INTO player_names (user_id, name, seen) VALUES (:id, 'Ana', 0)")
COUNT = text("SELECT count(*) FROM player_names")


@contextmanager
def locked(url: str) -> Iterator[sqlite3.Connection]:
    """Somebody else writes for as long as the block lasts."""
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
        await asyncio.sleep(5 * sqlite.PAUSE)
        assert not waiting.done()
        assert await people(database) == 0  # who reads does not wait
        other.execute("ROLLBACK")
        await waiting
    assert await people(database) == 1
    await database.close()


async def test_a_writer_that_has_waited_long_enough_gives_up(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PATIENCE", 0.05)
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
        await asyncio.sleep(2 * sqlite.PAUSE)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    await write(database, 2)
    assert await people(database) == 1
    await database.close()


async def test_no_thread_is_started(sqlite_url: str) -> None:
    threads = threading.active_count()
    database = Database(sqlite_url)
    await asyncio.gather(*(write(database, number) for number in range(9)))
    assert await people(database) == 9
    assert threading.active_count() == threads
    await database.close()


async def test_a_reader_that_has_fallen_behind_may_not_write(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    async with database.reading() as connection:
        assert await connection.scalar(COUNT) == 0
        await write(database, 1)
        with pytest.raises(OperationalError, match="locked"):  # at once: waiting would not help
            await asyncio.wait_for(connection.execute(NAME, {"id": 2}), 5)
    assert await people(database) == 1
    await database.close()
