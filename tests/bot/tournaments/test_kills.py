"""The bot is killed at any moment of a running tournament, again and again: the tournament goes on by itself."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.bot import milliseconds
from harness.cups import Cup
from harness.discord import until
from harness.process import BotProcess
from harness.thinning import in_number
from harness.tournaments import plan_of
from sqlalchemy import text as sql

from bot.tournaments.tournament import Status
from engine.tournament.model import Format

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.process import Forks

    from bot.sandbox.server import Server
    from bot.tournaments.tournament import Plan

PLAYERS: Final = 7
ROUNDS: Final = 3
SWISS: Final = plan_of(Format.SWISS, rounds=ROUNDS)
AT_ONCE: Final = plan_of(Format.ROUND_ROBIN, at_once=True, clock="3d/move")
STARTING: Final = 0.6
"""Seconds in which a bot is killed while it starts and takes up what the one before left undone."""
WITHIN: Final = 0.3
STEP: Final = 0.03
"""Seconds after a commit in which the bot is killed."""
PATIENCE: Final = 6
"""Seconds after which the bot is killed if the moment does not come."""
BUSY: Final = 0.15
"""Seconds for which SQLite is held before the kill: the bot has come to wait for it by then."""
EVENTS: Final = ("channel_create", "message_create", "message_update", "interaction")
"""When the stand-in has a thread, a message, an edit or an answer, before the bot knows that it has."""
COMMITS: Final = {"paired": 0, "opened": 1, "result": 2}
"""When the database has a new round, game or result: the place in ``Cup.progress``."""
HELD: Final = {
    "writing a round": "tournament_rounds",
    "writing a pairing": "tournament_pairings",
    "writing the log": "tournament_log",
}
"""In the midst of a transaction: it waits for a table that the test holds. SQLite has one lock for all tables, so there
the transaction waits before it begins."""
MOMENTS: Final = (*EVENTS, *COMMITS, *HELD, "start", "soon")
FEW: Final = ("paired", "channel_create", "writing a round", "message_create", "result", "writing the log", "start")
"""The moments of a short run."""
MANY: Final = 50


@dataclass
class Killer:
    """Waits for a moment and kills the bot in it."""

    cup: Cup
    process: BotProcess
    rng: random.Random
    tally: Counter[str] = field(default_factory=Counter)

    async def at(self, moment: str) -> bool:
        """Kills the bot at the moment. False if the end comes before, or PATIENCE ends: it is killed then."""
        left = self.rng.randint(1, 3)
        stop = self._listen(moment, left)
        came = False
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                came = await self._comes(moment, left)
        stop()
        await self.process.kill()
        self.tally[moment if came else "none"] += 1
        return came

    def _listen(self, moment: str, left: int) -> Callable[[], None]:
        def strike(event: dict[str, Any]) -> None:
            nonlocal left
            answered = moment == "interaction" and event.get("state") == "answered"
            if event["type"] == moment and (answered or "only" not in event):
                left -= 1
                if left == 0:
                    self.process.strike()

        return self.process.world.subscribe(strike)

    async def _comes(self, moment: str, left: int) -> bool:
        """Waits for the moment; False if the tournament ends before."""
        if moment in {"start", "soon"}:
            await asyncio.sleep(self.rng.uniform(0, STARTING if moment == "start" else WITHIN))
            return True
        if moment in HELD:
            await asyncio.sleep(self.rng.uniform(0, WITHIN))
            return await self._held(HELD[moment])
        before = await self.cup.progress()
        while not self.process.dead:
            if moment in COMMITS:
                place = COMMITS[moment]
                if (await self.cup.progress())[place] >= before[place] + (left if place else 1):
                    await asyncio.sleep(self.rng.uniform(0, STEP))
                    return True
                await asyncio.sleep(0.002)
            else:
                await asyncio.sleep(0.005)
            if (await self.cup.snapshot()).tournament.status is Status.OVER:
                return False
        return True

    async def _held(self, table: str) -> bool:
        """Holds a table until the bot waits for it, and kills it then. False if it does not wait for it."""
        async with self.cup.database.writing() as connection:
            if connection.dialect.name == "sqlite":
                await asyncio.sleep(BUSY)
                self.process.strike()
                return True
            await connection.execute(sql(f"LOCK TABLE {table} IN EXCLUSIVE MODE"))
            for _ in range(200):
                if await connection.scalar(sql("SELECT count(*) FROM pg_locks WHERE NOT granted")):
                    await asyncio.sleep(self.rng.uniform(0, STEP))  # others may come to wait, too
                    self.process.strike()
                    return True
                await asyncio.sleep(0.01)
        return False


async def kill_and_go_on(
    server: Server,
    cups: Callable[..., Cup],
    url: str,
    forks: Forks,
    plan: Plan = SWISS,
    players: int = PLAYERS,
    *,
    kills: int,
    seed: int,
) -> Counter[str]:
    """Plays tournaments in which the bot is killed so many times, and checks each at its end."""
    rounds = plan.stages[0].rounds or 1
    rng = random.Random(seed)
    tally: Counter[str] = Counter()
    moments = list(FEW if kills <= len(FEW) else MOMENTS * (kills // len(MOMENTS) + 1))[:kills][::-1]
    if kills > len(FEW):
        rng.shuffle(moments)
    async with BotProcess(server, url, forks) as process:
        known: set[str] = set()
        while moments:
            cup = cups(url, players)
            await cup.create(replace(plan, starts=milliseconds()))
            killer = Killer(cup, process, rng, tally)
            await process.start()
            while moments and (await cup.snapshot()).tournament.status is not Status.OVER:
                moment = moments.pop()
                if moment != "start":
                    await process.ready()
                playing = asyncio.create_task(cup.play(rng))
                if not await killer.at(moment):
                    moments.insert(0, moment)
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
                assert playing.cancelled() or playing.exception() is None, playing.exception()
                await cup.time_passes()
                if len(moments) % 2:
                    server.world.messages.nonces.clear()  # Discord forgets them after some minutes
                await process.start()
            await process.ready()
            playing = asyncio.create_task(cup.play(rng))
            await until(cup.is_quiet, "the tournament ends by itself", seconds=60)
            await playing
            await process.stop()
            pings = await cup.check(rounds, known)
            tally.update({"pinged": pings[1], "not pinged": pings[0]})
            known |= set(await cup.game_ids())
            tally["tournaments"] += 1
    return tally


@pytest.mark.long
@pytest.mark.timeout(60 + 20 * MANY)
@pytest.mark.xdist_group("kill")
@in_number("kills", len(FEW), MANY)
async def test_a_tournament_outlives_every_kill(
    stand_in: Server, cups: Callable[..., Cup], database_url: str, forks: Forks, kills: int
) -> None:
    tally = await kill_and_go_on(stand_in, cups, database_url, forks, kills=kills, seed=11)
    print(f"{database_url.partition(':')[0]}: {dict(tally)}")  # noqa: T201  the figures of a full run
    assert sum(tally[moment] for moment in MOMENTS) == kills


@pytest.mark.long
@pytest.mark.timeout(60 + 20 * MANY)
@pytest.mark.xdist_group("kill")
@in_number("kills", 4, MANY)
async def test_games_that_begin_at_once_outlive_every_kill(
    stand_in: Server, cups: Callable[..., Cup], sqlite_url: str, forks: Forks, kills: int
) -> None:
    tally = await kill_and_go_on(stand_in, cups, sqlite_url, forks, AT_ONCE, 5, kills=kills, seed=12)
    assert sum(tally[moment] for moment in MOMENTS) == kills
    assert not tally["pinged"]


@pytest.mark.long
@pytest.mark.timeout(90)
@pytest.mark.xdist_group("kill")
async def test_an_announcement_is_found_that_was_not_noted(
    stand_in: Server, cups: Callable[..., Cup], sqlite_url: str, forks: Forks
) -> None:
    cup = cups(sqlite_url, 2)
    await cup.create(plan_of(Format.SWISS, rounds=1))
    async with BotProcess(stand_in, sqlite_url, forks) as process:

        def strike(event: dict[str, Any]) -> None:
            if event["type"] == "message_create":
                process.strike()

        stop = stand_in.world.subscribe(strike)
        await process.start()
        await until(lambda: process.dead, "it is announced")
        stop()
        await process.kill()
        stand_in.world.messages.nonces.clear()
        await cup.time_passes()
        await process.start()

        async def noted() -> bool:
            return (await cup.snapshot()).tournament.message_id is not None

        await until(noted, "the announcement is noted")
        await process.stop()
    assert [int(one["id"]) for one in cup.announcements()] == [(await cup.snapshot()).tournament.message_id]
