"""A transaction happens whole or not at all, whatever interrupts it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
import structlog
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from bot.core.storage.database import Database, after_commit, violated
from bot.core.storage.faults.outages import is_outage
from bot.core.storage.tables import metadata
from bot.core.storage.writing.violations import _unique

pytestmark = pytest.mark.both_databases

ADD = text("INSERT INTO entries (game_id, seq, at, kind, seat, body) VALUES (:game, :seq, 0, 'play', 0, '')")
GAME = text(
    "INSERT INTO games (id, game, version, options, position, started, commitment, seat0, seat1, channel_id, locale,"
    " secret, shown_seq, seq, status, last_entry_at)"
    " VALUES (:id, 'nim', 1, '{}', '', 0, '', 1, 2, :channel, 'en', '', -1, 0, 'running', 0)"
)
COUNT = text("SELECT count(*) FROM games")


async def games(database: Database) -> int:
    async with database.reading() as connection:
        return int(await connection.scalar(COUNT))


async def test_an_exception_takes_everything_back(database: Database) -> None:
    async def fail_half_way() -> None:
        async with database.writing() as connection:
            await connection.execute(GAME, {"id": "a", "channel": 1})
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        await fail_half_way()
    assert await games(database) == 0


async def test_a_cancelled_transaction_is_rolled_back_and_leaves_the_connection_usable(database: Database) -> None:
    written = asyncio.Event()

    async def write() -> None:
        async with database.writing() as connection:
            await connection.execute(GAME, {"id": "a", "channel": 1})
            written.set()
            await asyncio.Event().wait()

    for _ in range(20):  # more often than the pool has connections
        written.clear()
        task = asyncio.create_task(write())
        await written.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await games(database) == 0
    async with database.writing() as connection:
        await connection.execute(GAME, {"id": "a", "channel": 1})
    assert await games(database) == 1


async def test_cancelling_at_any_moment_leaves_whole_transactions_only(database: Database) -> None:
    async def write(number: int) -> None:
        async with database.writing() as connection:
            await connection.execute(GAME, {"id": f"a{number}", "channel": 2 * number})
            await connection.execute(GAME, {"id": f"b{number}", "channel": 2 * number + 1})

    for number in range(60):
        task = asyncio.create_task(write(number))
        for _ in range(number):  # each time a little later
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await write(60)  # nothing holds the lock
    async with database.reading() as connection:
        ids = set(await connection.scalars(text("SELECT id FROM games")))
    assert {"a60", "b60"} <= ids
    assert {i[1:] for i in ids if i[0] == "a"} == {i[1:] for i in ids if i[0] == "b"}


async def test_many_writers_at_once_all_succeed(database: Database) -> None:
    async def write(number: int) -> None:
        async with database.writing() as connection:
            await connection.execute(GAME, {"id": f"g{number}", "channel": number})

    await asyncio.gather(*(write(number) for number in range(40)))
    assert await games(database) == 40


async def test_a_reader_sees_one_moment(database: Database) -> None:
    async with database.reading() as connection:
        before = await connection.scalar(COUNT)
        async with database.writing() as writer:
            await writer.execute(GAME, {"id": "a", "channel": 1})
        assert await connection.scalar(COUNT) == before
    assert await games(database) == 1


async def test_a_write_by_a_reader_is_a_fault_of_ours_on_postgres(postgres_url: str) -> None:
    """And no outage, of which the log would have no traceback. SQLite rolls it back."""
    async with Database(postgres_url) as database:
        with structlog.testing.capture_logs() as lines, pytest.raises(RuntimeError, match="only reads") as refused:
            async with database.reading() as connection:
                await connection.execute(GAME, {"id": "a", "channel": 1})
        assert not is_outage(refused.value)
        assert lines == []
        assert await games(database) == 0


async def test_foreign_keys_hold(database: Database) -> None:
    with pytest.raises(IntegrityError):
        async with database.writing() as connection:
            await connection.execute(ADD, {"game": "none", "seq": 0})


async def test_sqlite_is_asked_to_keep_every_commit(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    async with database.reading() as connection:
        asked = {
            name: await connection.scalar(text(f"PRAGMA {name}"))
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    await database.close()
    assert asked == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


async def test_a_database_that_cannot_be_opened_is_let_go(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite3"
    path.write_text("this is not a database, and long enough for SQLite to see that it is none" * 10)
    with pytest.raises(Exception, match="not a database"):
        await Database.open(f"sqlite:///{path}")


# --- after a commit --------------------------------------------------------------------------------------------------


async def test_what_comes_after_a_commit_finds_it(database: Database) -> None:
    found: list[asyncio.Task[int]] = []
    async with database.writing() as connection:
        after_commit(connection, lambda: found.append(asyncio.create_task(games(database))))
        await connection.execute(GAME, {"id": "a", "channel": 1})
        await asyncio.sleep(0.01)
        assert not found
    assert [await task for task in found] == [1]


async def test_nothing_comes_after_a_transaction_that_was_rolled_back(database: Database) -> None:
    called: list[str] = []

    async def fail() -> None:
        async with database.writing() as connection:
            after_commit(connection, lambda: called.append("failed"))
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        await fail()
    async with database.writing() as connection:  # perhaps over the same connection
        after_commit(connection, lambda: called.append("committed"))
    assert called == ["committed"]


async def test_what_comes_after_a_commit_comes_though_nobody_waits_for_it(database: Database) -> None:
    called: list[str] = []

    async def write() -> None:
        async with database.writing() as connection:
            after_commit(connection, lambda: called.append("committed"))
            await connection.execute(GAME, {"id": "a", "channel": 1})
            asyncio.get_running_loop().call_soon(task.cancel)

    task = asyncio.create_task(write())
    await asyncio.gather(task, return_exceptions=True)
    assert len(called) == await games(database)


async def test_a_fault_after_a_commit_is_logged_and_keeps_nobody_else_waiting(database: Database) -> None:
    called: list[str] = []
    with structlog.testing.capture_logs() as logs:
        async with database.writing() as connection:
            after_commit(connection, lambda: int("no number"))
            after_commit(connection, lambda: called.append("next"))
            await connection.execute(GAME, {"id": "a", "channel": 1})
    assert [entry["event"] for entry in logs] == ["after_commit_failed"]
    assert (called, await games(database)) == (["next"], 1)


# --- which constraint was violated -----------------------------------------------------------------------------------

FIRST = {"id": "a", "channel": 1}
ENTRY = "INSERT INTO entries (game_id, seq, at, kind, seat, body) VALUES ('a', 0, 0, 'play', 0, '')"
VIOLATIONS = {
    "pk_games": (GAME, {"id": "a", "channel": 2}),
    "uq_games_running_channel": (GAME, {"id": "b", "channel": 1}),
    "ck_games_status": (text("UPDATE games SET status = 'channel'"), {}),
    "pk_entries": (text(f"{ENTRY}, ('a', 0, 0, 'play', 0, '')"), {}),
}


async def refused(database: Database, *statements: tuple[Any, dict[str, Any]]) -> IntegrityError:
    """Runs a transaction that a constraint forbids, and returns its error."""
    try:
        async with database.writing() as connection:
            for statement, given in statements:
                await connection.execute(statement, given)
    except IntegrityError as error:
        return error
    raise AssertionError("nothing was refused")


@pytest.mark.parametrize("name", VIOLATIONS)
async def test_an_error_says_which_constraint_was_violated(database: Database, name: str) -> None:
    assert violated(await refused(database, (GAME, FIRST), VIOLATIONS[name])) == name


async def test_a_column_that_may_not_be_empty_is_named_with_its_table(database: Database) -> None:
    assert violated(await refused(database, (GAME, {"id": "a", "channel": None}))) == "games.channel_id"


async def test_every_unique_index_that_is_asked_for_by_name_can_be_told_apart() -> None:
    for table in metadata.tables.values():
        keys = [tuple(columns) for _, columns in _unique(table)]
        assert len(keys) == len(set(keys)), table.name


# --- connections -----------------------------------------------------------------------------------------------------


async def test_no_more_connections_are_opened_to_postgres_than_the_settings_allow(postgres_url: str) -> None:
    database, most = Database(postgres_url, connections=3), 0

    async def ask() -> None:
        nonlocal most
        async with database.reading() as connection:
            await connection.execute(text("SELECT pg_sleep(0.01)"))
            most = max(most, database.engine.pool.checkedout())  # type: ignore[attr-defined]

    await asyncio.gather(*(ask() for _ in range(12)))
    await database.close()
    assert most == 3
