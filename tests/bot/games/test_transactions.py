"""What a change of a game takes of the database: one connection, and all of it or nothing."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
import structlog
from fakes.clock import Clock
from fakes.outbox import ANN, BOB, HERE
from fakes.process import Process
from fakes.toy import Nim
from sqlalchemy import Connection, event

from bot.challenges.service import Challenges
from bot.core.database import WRITES, Database, to_its_end
from bot.games.service import Tables
from bot.notifications.repository import NoticeStore
from bot.notifications.service import Notices


class Drawn:
    """Counts the connections that are out of a database's pool at once."""

    def __init__(self, database: Database) -> None:
        self.out = self.most = 0
        event.listen(database.engine.sync_engine, "checkout", self._taken)
        event.listen(database.engine.sync_engine, "checkin", self._given_back)

    def _taken(self, *_: object) -> None:
        self.out += 1
        self.most = max(self.most, self.out)

    def _given_back(self, *_: object) -> None:
        self.out -= 1


async def test_whoever_holds_a_connection_waits_for_no_other(database: Database, nim: Nim, clock: Clock) -> None:
    """Or as many games as the pool has connections, moved in at once, would all wait for one more."""
    del nim
    process = Process(database, clock)  # which believes no preference that it has read
    notices = Notices(NoticeStore(database), process.preferences, clock)
    process.tables.companions = [*process.tables.companions, notices]
    drawn = Drawn(database)
    seated = await process.nim("3d/move", (ANN, BOB), HERE)
    await process.preferences.set_user(BOB, "pings", "digest")
    seated = await process.tables.play(seated.id, ANN, None, "1")
    await process.preferences.set_user(BOB, "digest_hour", "20")
    seated = await process.tables.play(seated.id, BOB, None, "1")
    assert seated.seq == 2
    assert (drawn.out, drawn.most) == (0, 1)


async def cancelled_as_it_commits(database: Database, work: Coroutine[Any, Any, object]) -> None:
    """Does the work in a task that is cancelled when its transaction is about to be committed, and again after."""
    task = asyncio.create_task(work)

    def cancel(connection: Connection) -> None:
        if connection.get_execution_options().get(WRITES) and task.cancel():
            asyncio.get_running_loop().call_soon(task.cancel)

    engine = database.engine.sync_engine
    event.listen(engine, "commit", cancel)
    with pytest.raises(asyncio.CancelledError):
        await task
    event.remove(engine, "commit", cancel)


async def test_a_game_that_is_begun_is_known_even_if_nobody_waits(
    database: Database, make_tables: Callable[..., Tables], challenges: Challenges
) -> None:
    told: list[str] = []
    challenges.tables.subscribe(lambda seated: told.append(seated.id))
    posted = await challenges.post(ANN, BOB, "nim", {}, HERE, "en")
    await cancelled_as_it_commits(database, challenges.accept(posted.id, BOB, HERE))
    accepted = await challenges.get(posted.id)
    stored = await make_tables(prefix="h").at(HERE.channel_id)
    assert stored is not None
    assert (accepted.status, accepted.game_id, told) == ("accepted", stored.id, [stored.id])


async def test_of_what_was_shown_only_the_database_is_believed(
    database: Database, tables: Tables, make_tables: Callable[..., Tables]
) -> None:
    seated = await tables.open("nim", {}, (ANN, BOB), HERE, "en")
    await cancelled_as_it_commits(database, tables.shown(seated.id, seated.seq, 100, HERE))
    stored = await make_tables().get(seated.id)
    assert (stored.shown_seq, stored.message_id) == (seated.seq, 100)
    assert await tables.get(seated.id) == stored


async def test_a_fault_after_a_cancellation_is_logged() -> None:
    begun = asyncio.Event()

    async def fail() -> None:
        begun.set()
        await asyncio.sleep(0)
        raise OSError("the disk is full")

    task = asyncio.create_task(to_its_end(fail()))
    await begun.wait()
    task.cancel()
    with structlog.testing.capture_logs() as logs, pytest.raises(asyncio.CancelledError):
        await task
    assert [line["event"] for line in logs] == ["failed_after_cancellation"]
