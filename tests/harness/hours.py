"""Time that passes by hand while the bot goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import update

if TYPE_CHECKING:
    from fakes.clock import Clock

    from bot.client import AbakBot


async def pass_time(bot: AbakBot, clock: Clock, seconds: float, *, away: bool = False) -> None:
    """So much later the deadlines are ticked. The bot was there all the time, unless it was `away`."""
    await pass_unnoticed(bot, clock, seconds, away=away)
    await bot.deadline_worker.next_turn()
    await bot.publisher.idle()


async def pass_unnoticed(bot: AbakBot, clock: Clock, seconds: float, *, away: bool = False) -> None:
    """So much later no deadline has been ticked yet. Of all the bot's heartbeats, only the last leaves anything."""
    later = clock.at + int(seconds * 1000)
    heartbeats = bot.services.deadlines.heartbeats
    await bot.deadline_worker.next_turn()
    if not away:
        async with heartbeats.store.database.writing() as connection:
            await connection.execute(update(heartbeats).values(last_seen_at=later))
        heartbeats._last = dict.fromkeys(heartbeats._last, later)
    clock.at = later
