"""Time that passes by hand while the bot goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import update

from bot.board.delivery.publisher import BoardPublisher
from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.heartbeats.tables import heartbeats
from bot.clocks.vacations.service import VacationService
from bot.clocks.worker import CorrectionWorker, DeadlineWorker
from bot.games.service import GameService
from engine.core.hours import DAY
from engine.core.record import Kind

if TYPE_CHECKING:
    from fakes.clock import Clock

    from bot.core.client import AbakBot
    from bot.games.live import LiveGame
    from harness.bot import Room
    from harness.discord import Seat


async def pass_time(bot: AbakBot, clock: Clock, seconds: float, *, away: bool = False) -> None:
    """Moves the clock, ticks the deadlines, and corrects a few boards if the bot was `away`.

    Without `away`, the bot was there all the time.
    """
    await pass_unnoticed(bot, clock, seconds, away=away)
    await bot.service(DeadlineWorker).run_once()
    await bot.service(CorrectionWorker).run_once()
    await bot.service(BoardPublisher).idle()


async def pass_unnoticed(bot: AbakBot, clock: Clock, seconds: float, *, away: bool = False) -> None:
    """Moves the clock without ticking deadlines. Of all the bot's heartbeats, only the last leaves anything."""
    later = clock.at + int(seconds * 1000)
    await bot.service(DeadlineWorker).run_once()
    if not away:
        await was_there(bot.service(HeartbeatService), later)
    clock.at = later


async def was_there(service: HeartbeatService, until: int) -> None:
    """Stores heartbeats as if they had come until that moment, for all shards that ever had one."""
    async with service.store.database.writing() as connection:
        await connection.execute(update(heartbeats).values(last_seen_at=until))
    service._last = dict.fromkeys(service._last, until)


async def announce_vacation(room: Room, who: Seat) -> LiveGame:
    """Announces a vacation of ``who`` that begins at once, and notes it in the game's record, without other events."""
    assert room.bot is not None
    services, before = room.bot.services, await room.present()
    now = services.now()
    await services[VacationService].take(who.user_id, now, now + 2 * DAY)
    after = await services[GameService].tick(before.id)
    assert [entry.kind for entry in after.table.record.entries[before.seq :]] == [Kind.AWAY]
    return after
