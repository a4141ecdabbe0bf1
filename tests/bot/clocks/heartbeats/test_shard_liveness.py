"""A connection that dies without a word: nobody is charged for the time in which no move could arrive."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.clock import START, Clock
from harness.bot import Room, bot_running
from harness.discord import PATIENT, text, until

from bot.board.delivery.publisher import BoardPublisher
from bot.clocks.heartbeats import shard_liveness
from bot.clocks.heartbeats.service import HEARTBEAT_MS
from bot.clocks.service import DeadlineService
from bot.clocks.worker import DeadlineWorker
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from engine.core.clock import SECOND
from engine.core.record import Kind

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.core.client import AbakBot
    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

STEPS = 15
"""Beats' lengths for which the connection is dead: longer than a bank of a minute."""


@pytest.fixture
def time() -> Clock:
    return Clock(START)


@pytest.fixture
async def bot(
    stand_in: Server, sqlite_url: str, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[AbakBot]:
    """One that trusts no connection that does not answer at once; only the test lets its clock tick."""
    monkeypatch.setattr(shard_liveness, "FRESH", 0)
    monkeypatch.setattr(shard_liveness, "PATIENCE", PATIENT)
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        await bot.service(DeadlineWorker).close()
        yield bot


async def begin(room: Room, bot: AbakBot, clock: str) -> LiveGame:
    place = Place(room.server.world.guild_id, room.channel_id)
    await bot.service(GameService).open(NewGame("apb", {}, place, "en", clock), (room.ana.user_id, room.ben.user_id))
    return await room.shown()


async def go_on(bot: AbakBot, time: Clock, steps: int = 1) -> None:
    for _ in range(steps):
        time.at += HEARTBEAT_MS
        await bot.service(DeadlineWorker).run_once()


async def test_what_a_dead_connection_takes_is_given_back_and_said(
    bot: AbakBot, stand_in: Server, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = Room.of(stand_in, bot)
    await bot.service(DeadlineWorker).run_once()
    live = await begin(room, bot, "1m")
    await go_on(bot, time, 2)
    stand_in.world.faults.stall()
    with monkeypatch.context() as patched:
        patched.setattr(shard_liveness, "PATIENCE", 0.1)
        await go_on(bot, time, STEPS)
    assert not bot.shards[0].is_closed()
    assert (await bot.service(GameService).get(live.id)).table.outcome is None
    stand_in.world.faults.drop_gateway()
    await until(lambda: bot.is_ready() and 0 in bot.shards and heard(bot), "it is connected again")
    await go_on(bot, time)
    await bot.service(BoardPublisher).idle()
    live = await bot.service(GameService).get(live.id)
    (credit,) = [entry for entry in live.table.record.entries if entry.kind is Kind.CREDIT]
    assert credit.body == f"{2 * HEARTBEAT_MS} {(2 + STEPS + 1) * HEARTBEAT_MS}"
    clock = live.table.clock
    assert clock is not None
    assert clock.left(0, time.at - clock.started) == 60 * SECOND - 2 * HEARTBEAT_MS
    await until(lambda: "the bot was away" in text(room.board), "the board says so")


def heard(bot: AbakBot) -> bool:
    return shard_liveness._keeper(bot.shards[0]) is not None


async def test_a_connection_over_which_nothing_happens_lives(bot: AbakBot, time: Clock) -> None:
    await go_on(bot, time, STEPS)
    assert await shard_liveness.of(bot)() == [0]
    assert await bot.service(DeadlineService).heartbeats.outages(None, 0) == []


async def test_a_connection_that_was_heard_of_just_now_is_not_asked(
    bot: AbakBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_liveness, "FRESH", 60)
    asked: list[object] = []
    monkeypatch.setattr(bot.shards[0]._parent.ws, "send_heartbeat", asked.append)
    assert await shard_liveness.of(bot)() == [0]
    assert asked == []


async def test_only_who_is_asked_for_is_waited_for(
    bot: AbakBot, stand_in: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_liveness, "PATIENCE", 0.1)
    stand_in.world.faults.stall()
    assert await shard_liveness.of(bot)([]) == []
    assert await shard_liveness.of(bot)([0]) == []


async def test_a_connection_that_breaks_while_it_is_asked_is_dead(
    bot: AbakBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: object) -> None:
        raise ConnectionResetError

    monkeypatch.setattr(shard_liveness, "PATIENCE", 0.05)
    monkeypatch.setattr(bot.shards[0]._parent.ws, "send_heartbeat", broken)
    assert await shard_liveness.of(bot)() == []


async def test_of_two_shards_one_dies(
    stand_in: Server, sqlite_url: str, time: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shard_liveness, "FRESH", 0)
    monkeypatch.setattr(shard_liveness, "PATIENCE", PATIENT)
    stand_in.world.shards = 2
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        await until(lambda: len(bot.shards) == 2, "both are connected")
        assert await shard_liveness.of(bot)() == [0, 1]
        stand_in.world.faults.stall(1)
        monkeypatch.setattr(shard_liveness, "PATIENCE", 0.1)
        live: list[int] = []

        async def heard_of() -> bool:
            live[:] = await shard_liveness.of(bot)()
            return bool(live)

        await until(heard_of, "the other answers in time")
        assert live == [0]
