"""Time that passes by hand while the bot goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import update

from bot.board.delivery.publisher import BoardPublisher
from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.heartbeats.tables import heartbeats
from bot.clocks.worker import CorrectionWorker, DeadlineWorker

if TYPE_CHECKING:
    from fakes.clock import Clock

    from bot.core.client import AbakBot


async def pass_time(bot: AbakBot, clock: Clock, seconds: float, *, away: bool = False) -> None:
    """So much later the deadlines are ticked, and a few boards are corrected where the bot was `away`.

    It was there all the time, unless it was.
    """
    await pass_unnoticed(bot, clock, seconds, away=away)
    await bot.service(DeadlineWorker).next_turn()
    await bot.service(CorrectionWorker).next_turn()
    await bot.service(BoardPublisher).idle()


async def pass_unnoticed(bot: AbakBot, clock: Clock, seconds: float, *, away: bool = False) -> None:
    """So much later no deadline has been ticked yet. Of all the bot's heartbeats, only the last leaves anything."""
    later = clock.at + int(seconds * 1000)
    service = bot.service(HeartbeatService)
    await bot.service(DeadlineWorker).next_turn()
    if not away:
        async with service.store.database.writing() as connection:
            await connection.execute(update(heartbeats).values(last_seen_at=later))
        service._last = dict.fromkeys(service._last, later)
    clock.at = later
