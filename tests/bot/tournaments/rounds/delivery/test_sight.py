"""The message of an arena is posted anew when it is buried: once, also if the bot is killed meanwhile."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from fakes.clock import Clock
from harness.bot import bot_running, verbs
from harness.discord import text, until
from harness.tournaments import Event, plan_of
from sqlalchemy import select, update

from bot.core.messages import ChannelMessages
from bot.tournaments.rounds.delivery.messages import RoundMessages
from bot.tournaments.rounds.delivery.sight import BURIED, SEARCHED
from bot.tournaments.tables import tournament_rounds
from engine.core.hours import HOUR
from engine.tournament.model import Format

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

    from bot.sandbox.server import Server

GAMES = "**Cup · Games**"


def shown(event: Event) -> list[int]:
    """Returns the places of the arena's messages among all of the channel, the newest being 0."""
    channel = event.server.world.messages.in_channel(event.organiser.channel_id)
    return [place for place, one in enumerate(reversed(channel)) if text(one).startswith(GAMES)]


async def begun(server: Server, bot: Any, players: int = 2) -> Event:
    event = Event.of(server, bot, players)
    await event.create(plan_of(Format.ARENA, arena=HOUR))
    await event.start()
    await event.shows(GAMES)
    stored, number = event.rounds.repository, (await event.snapshot()).tournament.round
    await until(lambda: stored.message_ids(event.tournament_id, number), "the message is stored, the next look planned")
    return event


def chat(event: Event, lines: int) -> None:
    for number in range(lines):
        event.people[0].say(f"Hello {number}")


async def test_it_is_posted_anew_when_it_is_buried(stand_in: Server, sqlite_url: str) -> None:
    time = Clock()
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = await begun(stand_in, bot)
        ana = event.people[0]
        chat(event, BURIED - 1)
        time.pass_seconds(61)
        event.look()
        await event.opened(1)
        time.pass_seconds(3)
        event.look()
        await event.shows(GAMES, "0 of 1 game finished.")
        (place,) = shown(event)
        assert place >= BURIED - 1  # it is still where it was
        chat(event, 1)
        time.pass_seconds(61)
        event.look()  # nothing has changed in the arena
        await until(lambda: shown(event) == [0], f"it is posted anew: {event.said()}")
        message = ana.messages[-1]
        assert verbs(message) == ["arena_rest", "arena_back"]
        await ana.press("Pause", message)
        assert "You pause." in ana.last["content"]
        await event.play_round()
        time.pass_seconds(3)
        event.look()
        await event.shows(GAMES, "1 of 1 game finished.")
        assert len(shown(event)) == 1


async def test_a_killed_bot_leaves_no_second_one(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is killed after the new message is sent, and before anything is noted."""
    time = Clock()
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = await begun(stand_in, bot)
        failed = []

        async def killed(_: ChannelMessages, replaced: Sequence[int]) -> None:
            if replaced:
                failed.append(len(shown(event)))
                raise TimeoutError

        with monkeypatch.context() as patch:
            patch.setattr(ChannelMessages, "delete", killed)
            chat(event, SEARCHED + 1)
            time.pass_seconds(61)
            event.look()
            await until(lambda: failed, "the new message is sent")
    chat(event, 1)
    time.pass_seconds(120)
    stand_in.world.messages.nonces.clear()  # Discord forgets them after some minutes
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        Event(bot.services, stand_in, bot, event.organiser, event.people, tournament_id=event.tournament_id).look()
        await until(lambda: len(shown(event)) == 1, f"one is left: {event.said()}")
        assert failed == [2]
        assert shown(event) == [1]  # the new one, below which somebody has written


async def test_it_stays_where_another_process_has_just_posted_it_anew(stand_in: Server, sqlite_url: str) -> None:
    time = Clock()
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = await begun(stand_in, bot)
        worker, channel = bot.service(RoundMessages), event.organiser.channel_id
        await worker.close()
        worker.stopping = False
        chat(event, BURIED)
        (old,) = [one for one in stand_in.world.messages.in_channel(channel) if text(one).startswith(GAMES)]
        messages = ChannelMessages(bot, channel, stand_in.world.guild_id)
        newer = await messages.send(GAMES, "newer")
        await messages.delete([int(old["id"])])
        async with bot.services.database.writing() as connection:
            await connection.execute(update(tournament_rounds).values(message_id=newer))
        versions = select(tournament_rounds.c.version)
        before = (await bot.services.database.fetch(versions)).scalars().all()
        time.pass_seconds(61)
        await worker.run_once()
        assert (await bot.services.database.fetch(versions)).scalars().all() == before
        assert [one["id"] for one in stand_in.world.messages.in_channel(channel)][-1] == str(newer)


async def test_a_process_that_is_late_posts_no_second_one(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it waits for Discord, its lease ends, and another process posts the message anew."""
    time = Clock()
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = await begun(stand_in, bot)
        channel, began, goes_on = event.organiser.channel_id, asyncio.Event(), asyncio.Event()
        edit = ChannelMessages.edit

        async def late(*given: Any) -> None:
            if not began.is_set():
                began.set()
                await goes_on.wait()
            await edit(*given)

        monkeypatch.setattr(ChannelMessages, "edit", late)
        time.pass_seconds(3)
        event.look()
        await asyncio.wait_for(began.wait(), 30)
        chat(event, BURIED)
        time.pass_seconds(61)
        other = RoundMessages(bot, bot.services)
        await other.run_once()
        assert shown(event) == [0]
        goes_on.set()
        await bot.service(RoundMessages).close()
        assert shown(event) == [0]
        (stored,) = (await bot.services.database.fetch(select(tournament_rounds.c.message_id))).scalars()
        assert stand_in.world.messages.in_channel(channel)[-1]["id"] == str(stored)


async def test_one_that_was_deleted_is_not_taken_for_the_one_in_its_place(stand_in: Server, sqlite_url: str) -> None:
    """Both have nonces of their own, as Discord may answer the second request with the first message."""
    time, sent = Clock(), []
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        event = await begun(stand_in, bot)
        for _ in range(3):
            channel = stand_in.world.messages.in_channel(event.organiser.channel_id)
            (message,) = (one for one in channel if text(one).startswith(GAMES))
            sent.append(message["nonce"])
            stand_in.world.delete_message(int(message["id"]))
            await event.play_round()
            time.pass_seconds(3)
            event.look()
            await event.shows(GAMES)
    assert len(set(sent)) == 3
