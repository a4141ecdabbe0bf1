"""A turn that hangs, though nothing is said to have failed: the next one keeps the time again."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from harness.bot import bot_running
from harness.discord import until

from bot import app
from bot.clocks import service
from bot.clocks.heartbeats.repository import HeartbeatRepository
from bot.clocks.worker import CorrectionWorker, DeadlineWorker
from engine.core.clock import SECOND

if TYPE_CHECKING:
    import pytest

    from bot.sandbox.server import Server


async def test_a_turn_that_hangs_is_given_up_and_the_next_one_keeps_the_time(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, turns = HeartbeatRepository.record, 0

    async def hangs_at_first(*given: Any) -> Any:
        nonlocal turns
        turns += 1
        if turns == 1:
            await asyncio.Event().wait()
        return await record(*given)

    monkeypatch.setattr(HeartbeatRepository, "record", hangs_at_first)
    monkeypatch.setattr(DeadlineWorker, "limit", 0.5)
    monkeypatch.setattr("bot.clocks.worker.HEARTBEAT_MS", 100)
    async with bot_running(stand_in, sqlite_url) as bot:
        await until(lambda: turns == 1, "a turn hangs")
        assert not await app.keeps_time(bot)
        await until(lambda: turns > 1, "the next turn begins")
        await until(lambda: app.keeps_time(bot), "the bot keeps time again")


def test_time_is_kept_again_within_half_a_minute() -> None:
    """A turn is given up, and the next one follows after a pause; a turn that only has much to do ends before that."""
    for worker in (DeadlineWorker, CorrectionWorker):
        assert worker.limit + worker.retry < 30
    waits = service.TOGETHER * service.PER_TICK / service.REQUESTS_PER_SECOND
    assert service.LONGEST_MS / SECOND + 4 * waits < DeadlineWorker.limit / 2  # four kinds of requests take turns
