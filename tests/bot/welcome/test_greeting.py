"""A server that adds the bot is greeted once, in its language, where the bot may write."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from harness.bot import SPANISH, Room, bot_running, private, told, verbs
from harness.discord import Seat, buttons, is_ephemeral, text, until
from harness.thinning import one_of

from bot.core.storage.database import Database
from bot.core.translations import language_for_locale
from bot.players.service import PreferenceService
from bot.sandbox.state import permissions
from bot.welcome.repository import GreetingRepository
from bot.welcome.service import GreetingService
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.sandbox.server import Server

pytestmark = pytest.mark.both_databases

GREETING = ["machine", "welcome_challenge", "welcome_learn", "welcome_settings"]


def new_server(world: Any, locale: str = "en-US") -> tuple[int, int]:
    """Returns a server that the bot has not joined yet, and its system channel."""
    guild_id = world.add_guild("New", bot=False)
    hall = world.add_channel("hall", guild_id)
    world.set_language(guild_id, locale)
    world.set_system_channel(guild_id, hall)
    return guild_id, hall


def invite(world: Any, guild_id: int) -> None:
    world.invite_bot(guild_id)
    world.add_channel("later", guild_id)  # what the bot hears next: it has heard of the invitation by then


async def heard(room: Room) -> None:
    """Waits until the bot has dealt with all earlier events, so that a server that invites it afterwards is greeted."""
    assert room.bot is not None
    world = room.server.world
    guild_id, hall = new_server(world)
    invite(world, guild_id)
    await until(lambda: world.messages.in_channel(hall), "a later server is greeted")
    await until(lambda: not handling(), "no event is being handled")


def handling() -> list[str]:
    """Returns the events that the bot is dealing with: discord.py has a task for each, with its name."""
    return [task.get_name() for task in asyncio.all_tasks() if task.get_name().startswith("discord.py: on_")]


@one_of("locale", ["en-US", SPANISH])
async def test_a_server_is_greeted_in_its_language_with_buttons_that_work(room: Room, locale: str) -> None:
    world = room.server.world
    guild_id, hall = new_server(world, locale)
    invite(world, guild_id)
    await until(lambda: len(world.messages.in_channel(hall)) == 1, "the server is greeted")
    (greeting,) = world.messages.in_channel(hall)
    say = language_for_locale(locale)
    assert text(greeting) == say("welcome", games=say.listed(game.name for game in GAMES.values()))
    assert len(text(greeting).splitlines()) == 2
    assert verbs(greeting) == GREETING
    assert not is_ephemeral(greeting)
    newcomer, owner = (Seat.join(world, name, hall, locale=locale) for name in ("Nora", "Olga"))
    world.set_owner(guild_id, owner.user_id)
    await newcomer.press("b:welcome_challenge:", greeting)
    assert say("button.form_post") in buttons(private(newcomer))
    await newcomer.press("b:welcome_learn:", greeting)
    assert told(newcomer) == say("learn.which")
    await newcomer.press("b:welcome_settings:", greeting)
    assert told(newcomer) == say("settings.not_manager")
    await owner.press("b:welcome_settings:", greeting)
    assert "page_server" in verbs(private(owner))


async def test_no_server_is_greeted_twice(stand_in: Server, sqlite_url: str) -> None:
    """Neither in an outage, nor after a restart, nor when it adds the bot again."""
    world = stand_in.world
    guild_id, hall = new_server(world)
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        invite(world, guild_id)
        await until(lambda: len(world.messages.in_channel(hall)) == 1, "the server is greeted")
        world.remove_bot(guild_id)
        invite(world, guild_id)
        await heard(room)
    async with bot_running(stand_in, sqlite_url) as bot:
        room.bot = bot
        await heard(room)
        world.remove_bot(guild_id)
        invite(world, guild_id)
        await heard(room)
    assert len(world.messages.in_channel(hall)) == 1


async def test_a_server_that_wants_no_machine_is_offered_none(room: Room) -> None:
    assert room.bot is not None
    world = room.server.world
    guild_id, hall = new_server(world)
    await room.bot.service(PreferenceService).set_server(guild_id, "machine", "nowhere")
    invite(world, guild_id)
    await until(lambda: world.messages.in_channel(hall), "the server is greeted")
    assert verbs(world.messages.in_channel(hall)[0]) == GREETING[1:]


async def test_where_the_bot_may_not_write_it_says_nothing(room: Room) -> None:
    world = room.server.world
    mute, hall = new_server(world)
    world.deny(hall, permissions.SEND_MESSAGES)
    without, other = new_server(world)
    world.set_system_channel(without, None)
    for guild_id in (mute, without):
        invite(world, guild_id)
    await heard(room)
    assert not world.messages.in_channel(hall)
    assert not world.messages.in_channel(other)
    assert not [entry for entry in world.log if entry.method == "POST" and str(hall) in entry.path]


async def test_a_server_known_from_the_start_is_not_greeted(stand_in: Server, sqlite_url: str) -> None:
    world = stand_in.world
    hall = world.add_channel("hall")
    world.set_system_channel(world.guild_id, hall)
    async with bot_running(stand_in, sqlite_url) as bot:
        await heard(Room.of(stand_in, bot))
    assert not world.messages.in_channel(hall)


async def test_of_two_processes_one_greets(database: Database, clock: Clock) -> None:
    greetings = [GreetingService(GreetingRepository(database), clock) for _ in range(2)]
    claimed = await asyncio.gather(*(greeting.claim(5) for greeting in greetings))
    assert sorted(claimed) == [False, True]
    assert await greetings[0].claim(6)
