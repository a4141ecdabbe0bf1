"""The message of a round is there once, whatever the bot may read in the channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from fakes.clock import Clock
from harness.bot import bot_running, milliseconds
from harness.discord import until
from harness.tournaments import Event, plan_of
from sqlalchemy import update

from bot.core.messages import DOUBT_MS
from bot.sandbox.state import permissions
from bot.tournaments.rounds.delivery.messages import RoundMessages
from bot.tournaments.tables import tournament_rounds, tournaments
from engine.tournament.model import Format

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server

ROUND = "**Cup · Round 1**"
LAST = "🏆 **Cup is over**"


async def later(bot: AbakBot, clock: Clock, seconds: float) -> None:
    """Brings the messages of rounds up to date, later."""
    clock.pass_seconds(seconds)
    await bot.service(RoundMessages).run_once()


async def let_read(bot: AbakBot, event: Event, *, may: bool) -> None:
    """Lets the bot read the history of the tournament's channel, or not, and waits until it knows."""
    channel_id = event.organiser.channel_id
    channel = bot.get_channel(channel_id)
    assert isinstance(channel, discord.TextChannel)
    change = event.server.world.allow if may else event.server.world.deny
    change(channel_id, permissions.READ_MESSAGE_HISTORY)
    await until(lambda: channel.permissions_for(channel.guild.me).read_message_history is may, "the bot knows it")


async def test_it_is_not_sent_twice_where_the_bot_may_not_look(stand_in: Server, sqlite_url: str) -> None:
    """A process has died after it sent the message. The message is found as soon as the bot may look."""
    clock, world = Clock(milliseconds()), stand_in.world  # the ids of messages tell the time
    async with bot_running(stand_in, sqlite_url, now=clock) as bot:
        event = Event.of(stand_in, bot, 2)
        await event.create(plan_of(Format.SWISS, rounds=1))
        await event.start()
        await event.shows(ROUND, "0 of 1 game finished.")
        await event.opened(1)
        await bot.service(RoundMessages).close()
        bot.service(RoundMessages).stopping = False
        await let_read(bot, event, may=False)
        world.messages.nonces.clear()  # Discord forgets them after some minutes
        async with bot.services.database.writing() as connection:
            forgotten = {"message_id": None, "shown": -1, "attempts": 0, "next_attempt_at": clock()}
            await connection.execute(update(tournament_rounds).values(forgotten))
        await event.play_round()
        await later(bot, clock, 61)
        await later(bot, clock, DOUBT_MS / 1000)
        assert len(event.said(ROUND)) == 1
        assert "0 of 1 game finished." in event.said(ROUND)[0]
        await let_read(bot, event, may=True)
        await later(bot, clock, DOUBT_MS / 1000)
        assert len(event.said(ROUND)) == 1
        assert "1 of 1 game finished." in event.said(ROUND)[0]


async def test_the_last_message_is_not_sent_twice_where_the_bot_may_not_look(stand_in: Server, sqlite_url: str) -> None:
    """A process has died after it sent the message, and has not noted it."""
    clock, world = Clock(milliseconds()), stand_in.world
    async with bot_running(stand_in, sqlite_url, now=clock) as bot:
        event = Event.of(stand_in, bot, 2)
        await event.create(plan_of(Format.SWISS, rounds=1))
        await event.start()
        await event.play_to_the_end()
        await event.shows(LAST)
        await bot.service(RoundMessages).close()
        bot.service(RoundMessages).stopping = False
        await let_read(bot, event, may=False)
        world.messages.nonces.clear()
        async with bot.services.database.writing() as connection:
            forgotten = {"closing_id": None, "closing_at": clock() + 1}  # as a lease has left it
            await connection.execute(update(tournaments).values(forgotten))
        await later(bot, clock, 61)
        await later(bot, clock, DOUBT_MS / 1000)
        assert len(event.said(LAST)) == 1
        assert (await event.snapshot()).tournament.closing_id is None
        await let_read(bot, event, may=True)
        await later(bot, clock, 3 * DOUBT_MS / 1000)  # the longer ago it ended, the longer is the pause
        assert len(event.said(LAST)) == 1
        assert (await event.snapshot()).tournament.closing_id is not None


async def test_the_last_message_is_sent_again_after_a_failure_where_the_bot_may_not_look(
    stand_in: Server, sqlite_url: str
) -> None:
    clock, world = Clock(milliseconds()), stand_in.world
    async with bot_running(stand_in, sqlite_url, now=clock) as bot:
        event = Event.of(stand_in, bot, 2)
        await event.create(plan_of(Format.SWISS, rounds=1))
        await event.start()
        channel_id = event.organiser.channel_id
        await let_read(bot, event, may=False)
        await event.opened(1)
        await bot.service(RoundMessages).close()
        bot.service(RoundMessages).stopping = False
        await event.play_to_the_end()
        world.faults.fail_next(f"POST /channels/{channel_id}/messages", status=403)
        world.faults.fail_next(f"POST /channels/{channel_id}/messages", status=403)  # the second is without a picture
        await later(bot, clock, 0)
        assert event.said(LAST) == []
        await later(bot, clock, 3600)
        assert len(event.said(LAST)) == 1
