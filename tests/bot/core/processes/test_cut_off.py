"""An only process is cut off from PostgreSQL, and another one starts: both hear everything, until one leaves."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager, suppress
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import discord
import pytest
from harness.bot import Room, told
from harness.discord import until
from harness.health import Health, serving
from harness.patience import StandingTime
from harness.proxy import proxied

from bot.core.discord_errors import ALREADY_ANSWERED, NO_ACCESS
from bot.core.interactions import answer, suggesting
from bot.core.interactions.delivery import first_answer
from bot.core.processes import cut_off
from bot.core.processes.cut_off import AnswerLock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server

pytestmark = pytest.mark.long

DELAY = 0.1
"""Seconds that a round trip to PostgreSQL takes where it works."""
LATER = 6.0
"""Seconds that the process which is cut off leaves to the other one, however busy the machine is."""


@pytest.fixture
def faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets the other process find soon that one is cut off, and gives it time to answer."""
    monkeypatch.setattr("bot.core.processes.runner.POLL", 0.1)
    monkeypatch.setattr("bot.core.processes.membership.STALE", 2.0)
    monkeypatch.setattr(cut_off, "LATE", LATER)


@asynccontextmanager
async def impatient(server: Server, url: str) -> AsyncIterator[Health]:
    """Runs the process that will be cut off, and soon knows it. The limits of the other one are the usual ones."""
    async with AsyncExitStack() as stack:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("bot.core.processes.membership.FENCE", 1.0)
            patched.setattr("bot.core.processes.link.PATIENCE", 0.4)
            health = await stack.enter_async_context(serving(server, url))
        yield health


def connections(server: Server) -> int:
    return sum(session.socket is not None for session in server.gateway.sessions.values())


async def taken_over(server: Server, other: Health) -> None:
    """Waits until the other process serves the shard, which the one that is cut off serves, too."""

    async def serves() -> bool:
        return bool((await other.ready())[1]["shards"] == {"0": "connected"})

    await until(serves, "the other process serves the shard")
    assert connections(server) == 2


@pytest.mark.usefixtures("faster")
async def test_who_is_cut_off_gives_its_shards_up_when_another_process_answers(
    stand_in: Server, postgres_url: str
) -> None:
    async with proxied(postgres_url) as (proxy, url), impatient(stand_in, url):
        room = Room.of(stand_in)
        proxy.drop(new=True)
        async with serving(stand_in, postgres_url) as other:
            await taken_over(stand_in, other)
            await room.ana.slash("abak games")
            assert told(room.ana) == room.say("games.none")
            await until(lambda: connections(stand_in) == 1, "one of them leaves")
            assert (await other.ready())[1]["shards"] == {"0": "connected"}
            await room.ana.slash("abak games")
            assert told(room.ana) == room.say("games.none")
            await proxy.close()


@pytest.mark.usefixtures("faster")
async def test_who_is_cut_off_lets_a_slower_process_answer(
    stand_in: Server, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It knows at once that it cannot do anything: PostgreSQL takes no connection of it."""
    monkeypatch.setattr("bot.core.processes.runner.ShardRunner.answered_elsewhere", lambda _: None)  # it stays
    async with AsyncExitStack() as way, proxied(postgres_url) as (slow, slow_url):
        _, url = await way.enter_async_context(proxied(postgres_url))
        async with impatient(stand_in, url) as alone:
            room = Room.of(stand_in)
            await way.aclose()
            await alone.until(503, "database")
            async with serving(stand_in, slow_url) as other:
                await taken_over(stand_in, other)
                assert await room.ana.choices("abak rules", "topic", topic="a")
                await room.ana.slash("abak games")  # its statements are prepared now
                slow.delay = DELAY
                await room.ana.slash("abak games")
                assert told(room.ana) == room.say("games.none")
                assert connections(stand_in) == 2
                slow.delay = 0.0


# --- the lock --------------------------------------------------------------------------------------------------------


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> StandingTime:
    time = StandingTime()
    monkeypatch.setattr(cut_off, "time", time)
    monkeypatch.setattr(cut_off, "asyncio", time)
    return time


class Runner:
    """Knows how often it was told that another process answers."""

    def __init__(self, *, is_cut_off: bool) -> None:
        self.is_cut_off = is_cut_off
        self.told = 0

    def answered_elsewhere(self) -> None:
        self.told += 1


def lock_of(runner: Runner, **since: float) -> AnswerLock:
    interaction: Any = SimpleNamespace(client=SimpleNamespace(runner=runner))
    return AnswerLock(interaction, **since)


async def fail(lock: AnswerLock, error: Exception) -> None:
    with suppress(type(error)):
        async with lock:
            raise error


def refused(code: int) -> discord.HTTPException:
    reply: Any = SimpleNamespace(status=400, reason="Bad Request")
    return discord.HTTPException(reply, {"code": code, "message": ""})


@pytest.mark.parametrize(("is_cut_off", "waits"), [(False, 0.0), (True, cut_off.LATE)])
async def test_only_who_is_cut_off_answers_late(time: StandingTime, is_cut_off: bool, waits: float) -> None:
    async with lock_of(Runner(is_cut_off=is_cut_off)):
        assert time.now == waits


async def test_who_has_waited_elsewhere_waits_the_rest(time: StandingTime) -> None:
    time.now = 5.0
    async with lock_of(Runner(is_cut_off=True), since=4.5):
        assert time.now == pytest.approx(4.5 + cut_off.LATE)


def test_late_is_after_all_others_and_in_time_for_discord() -> None:
    assert max(answer.PATIENCE, suggesting.PATIENCE) < cut_off.LATE < first_answer.ACCEPTED


@pytest.mark.usefixtures("time")
async def test_another_process_is_known_by_an_interaction_that_nobody_here_has_answered() -> None:
    runner = Runner(is_cut_off=False)
    await fail(lock_of(runner), refused(ALREADY_ANSWERED))
    assert runner.told == 1


async def test_what_may_be_an_own_answer_tells_of_no_other_process(time: StandingTime) -> None:
    runner = Runner(is_cut_off=False)
    await fail(lock_of(runner), refused(NO_ACCESS))
    lock = lock_of(runner)
    await fail(lock, TimeoutError())  # it may have arrived
    await fail(lock, refused(ALREADY_ANSWERED))
    with suppress(discord.HTTPException):
        async with lock_of(runner):
            await time.sleep(cut_off.REPEATED)
            raise refused(ALREADY_ANSWERED)  # discord.py may have sent it twice
    assert runner.told == 0
