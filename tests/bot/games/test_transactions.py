"""A change of a game takes one connection to the database, and is written as a whole or not at all."""

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

from bot.challenges.service import ChallengeService
from bot.core.cancellation import finish_despite_cancellation
from bot.core.storage.database import Database
from bot.core.storage.writing.changes import ORIGIN
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.notifications.repository import NotificationRepository
from bot.notifications.service import NotificationService

pytestmark = pytest.mark.both_databases


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
    notifications = NotificationService(NotificationRepository(database), process.preferences, clock)
    process.games.hooks = [*process.games.hooks, notifications]
    drawn = Drawn(database)
    live = await process.nim("3d/move", (ANN, BOB), HERE)
    await process.preferences.set_user(BOB, "pings", "digest")
    live = await process.games.play(live.id, ANN, None, "1")
    await process.preferences.set_user(BOB, "digest_hour", "20")
    live = await process.games.play(live.id, BOB, None, "1")
    assert live.seq == 2
    assert (drawn.out, drawn.most) == (0, 1)


async def cancelled_as_it_commits(database: Database, work: Coroutine[Any, Any, object]) -> None:
    """Does the work in a task that is cancelled when its transaction is about to be committed, and again after."""
    task = asyncio.create_task(work)

    def cancel(connection: Connection) -> None:
        if connection.get_execution_options().get(ORIGIN) and task.cancel():
            asyncio.get_running_loop().call_soon(task.cancel)

    engine = database.engine.sync_engine
    event.listen(engine, "commit", cancel)
    with pytest.raises(asyncio.CancelledError):
        await task
    event.remove(engine, "commit", cancel)


async def test_a_game_that_is_begun_is_known_even_if_nobody_waits(
    database: Database, make_games: Callable[..., GameService], challenges: ChallengeService
) -> None:
    told: list[str] = []
    challenges.games.subscribe(lambda live: told.append(live.id))
    posted = await challenges.post(ANN, BOB, NewGame("nim", {}, HERE, "en"))
    await cancelled_as_it_commits(database, challenges.accept(posted.id, BOB, HERE))
    accepted = await challenges.get(posted.id)
    stored = await make_games(prefix="h").at(HERE.channel_id)
    assert stored is not None
    assert (accepted.status, accepted.game_id, told) == ("accepted", stored.id, [stored.id])


async def test_of_what_was_shown_only_the_database_is_believed(
    database: Database, games: GameService, make_games: Callable[..., GameService]
) -> None:
    live = await games.open(NewGame("nim", {}, HERE, "en"), (ANN, BOB))
    await cancelled_as_it_commits(database, games.shown(live.id, live.seq, 100, HERE))
    stored = await make_games().get(live.id)
    assert (stored.shown_seq, stored.message_id) == (live.seq, 100)
    assert await games.get(live.id) == stored


async def test_a_fault_after_a_cancellation_is_logged() -> None:
    begun = asyncio.Event()

    async def fail() -> None:
        begun.set()
        await asyncio.sleep(0)
        raise OSError("the disk is full")

    task = asyncio.create_task(finish_despite_cancellation(fail()))
    await begun.wait()
    task.cancel()
    with structlog.testing.capture_logs() as logs, pytest.raises(asyncio.CancelledError):
        await task
    assert [line["event"] for line in logs] == ["failed_after_cancellation"]
