"""Tests when the bot says that it is ready: the deadlines of all its shards are kept."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from fakes.clock import Clock
from harness.bot import Room, bot_running
from harness.discord import until
from harness.scene import FIRST

from bot import app
from bot.board.delivery.publisher import BoardPublisher
from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.service import DeadlineService
from bot.clocks.worker import DeadlineWorker

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server


async def test_it_is_not_ready_without_a_heartbeat_for_more_than_15_seconds(stand_in: Server, sqlite_url: str) -> None:
    clock = Clock()
    async with bot_running(stand_in, sqlite_url, now=clock) as bot:
        await until_ready(bot)
        await asyncio.gather(*(worker.close() for worker in bot._workers))
        clock.pass_seconds(15)
        assert await app.keeps_time(bot)
        clock.pass_seconds(0.001)
        assert not await app.keeps_time(bot)


async def test_play_does_not_hide_that_nobody_keeps_the_deadlines(stand_in: Server, sqlite_url: str) -> None:
    """A command records a heartbeat, too: the bot is there. Who keeps the deadlines is another matter."""
    clock = Clock()
    async with bot_running(stand_in, sqlite_url, now=clock) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        await until_ready(bot)
        await asyncio.gather(*(worker.close() for worker in bot._workers if not isinstance(worker, BoardPublisher)))
        clock.pass_seconds(15.001)
        await room.type(live, FIRST)
        assert bot.service(HeartbeatService).is_recorded_for(stand_in.world.guild_id)
        assert not await app.keeps_time(bot)


async def test_it_is_ready_when_the_deadlines_of_each_of_its_shards_are_kept(stand_in: Server, sqlite_url: str) -> None:
    stand_in.world.shards, clock = 2, Clock()
    async with bot_running(stand_in, sqlite_url, now=clock) as bot:
        await until(lambda: len(bot.shards) == 2, "both are connected")
        bot.service(DeadlineWorker).wake()
        await until_ready(bot)
        await asyncio.gather(*(worker.close() for worker in bot._workers))
        clock.pass_seconds(15.001)
        await bot.service(DeadlineService).run_once([0])
        assert not await app.keeps_time(bot)
        await bot.service(DeadlineService).run_once([0, 1])
        assert await app.keeps_time(bot)


async def until_ready(bot: AbakBot) -> None:
    await until(lambda: app.keeps_time(bot), "the bot keeps time")
