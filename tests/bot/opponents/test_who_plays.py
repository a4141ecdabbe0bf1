"""Tests who may play the machine, and in which channels: the server's panel, and every way in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import SPANISH, Room, private, told, verbs
from harness.discord import Seat, text, until

from bot.core.translations import language
from bot.games.service import GameService
from bot.players.service import PreferenceService
from bot.sandbox.state import permissions

if TYPE_CHECKING:
    from bot.games.stored import RunningGame

EN = language("en")
MANAGER = permissions.MEMBER | permissions.MANAGE_GUILD


def role_of(room: Room, who: Seat) -> str:
    """Gives the person a role that nobody else has, and returns it."""
    world = room.server.world
    world.grant(world.guild_id, who.user_id, permissions.MEMBER)
    found: str = world.members[world.guild_id][who.user_id]["roles"][0]
    return found


async def choose(room: Room, key: str, value: object) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_server(room.server.world.guild_id, key, str(value))


def bot_of(room: Room) -> Seat:
    return Seat(room.server.world, room.server.world.application_id, room.channel_id)


async def game_of(room: Room, who: Seat) -> RunningGame:
    """Waits for their only game."""
    assert room.bot is not None
    games = room.bot.service(GameService)

    async def begun() -> bool:
        return bool(await games.of(who.user_id))

    await until(begun, "the game begins")
    (game,) = await games.of(who.user_id)
    return game


async def finish_a_game(room: Room, who: Seat) -> Room:
    """Lets them play the machine in a channel of its own; returns the room that shows the result."""
    assert room.bot is not None
    away = room.elsewhere(room.server.world.add_channel("earlier"))
    await who.at(away.channel_id).slash("abak challenge", level=2, game="abalone", side="black")
    game = await game_of(room, who)
    await room.bot.service(GameService).resign(game.id, who.user_id, 1)
    await away.shown()
    return away


async def refused_at_every_way_in(room: Room, who: Seat, sentence: str) -> None:
    """``sentence``: what they are told. The messages that lead to the machine are older than the server's choice."""
    ways = [
        lambda: who.slash("abak challenge", opponent=bot_of(room), game="abalone"),
        lambda: who.slash("abak challenge", level=2, game="abalone"),
        lambda: who.slash("abak challenge", opponent=bot_of(room)),
        lambda: who.context(EN("menu.challenge"), bot_of(room)),
    ]
    for number, way in enumerate(ways):
        await way()
        assert told(who) == sentence, number
    await who.slash("abak games")
    assert "machine" not in verbs(private(who))
    await who.slash("abak challenge")
    assert "form_machine" not in verbs(private(who))


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_without_a_chosen_role_every_way_in_says_which_one_to_ask_for(alone: Room, locale: str) -> None:
    say = language(locale[:2])
    alone.speak(locale)
    ana, ben, world = alone.ana, alone.ben, alone.server.world
    earlier = await finish_a_game(alone, ben)
    await ben.slash("abak games")
    offer = private(ben)
    await ben.slash("abak challenge")
    form = private(ben)
    await ben.press("b:machine:", offer)
    games = private(ben)
    role = role_of(alone, ana)
    await choose(alone, "machine_roles", role)
    sentence = say("machine.roles", role=f"<@&{role}>")
    await refused_at_every_way_in(alone, ben, sentence)
    for button, message in (("b:machine:", offer), ("b:form_machine:", form), ("Abalone", games)):
        await ben.press(button, message)
        assert told(ben) == sentence, button
    away = ben.at(earlier.channel_id)
    await away.press("b:rematch:", earlier.board)
    assert told(away) == sentence
    await ben.direct().slash("abak challenge", level=2, game="abalone")  # nothing of the server holds there
    assert (await game_of(alone, ben)).place.guild_id is None
    await ana.slash("abak challenge", level=2, game="abalone")
    assert (await game_of(alone, ana)).place.guild_id == world.guild_id


async def test_elsewhere_than_in_a_chosen_channel_every_way_in_says_where_to_go(alone: Room) -> None:
    assert alone.bot is not None
    ana, world = alone.ana, alone.server.world
    hall = world.add_channel("hall")
    thread = int(world.add_thread(hall, "table", ana.user_id)["id"])
    earlier = await finish_a_game(alone, ana)
    await choose(alone, "machine_channels", hall)
    sentence = EN("machine.channels", channel=f"<#{hall}>")
    await refused_at_every_way_in(alone, ana, sentence)
    away = ana.at(earlier.channel_id)
    await away.press("b:rematch:", earlier.board)
    assert told(away) == sentence
    await ana.at(thread).slash("abak challenge", level=2, game="abalone")
    game = await game_of(alone, ana)
    assert game.place.channel_id == thread
    await ana.slash("abak move here", game=game.id)
    assert told(ana) == sentence
    await ana.at(hall).slash("abak move here", game=game.id)
    assert told(ana.at(hall)) == EN("here.moved", game="Abalone")


async def test_the_panel_says_who_plays_it_and_where(alone: Room) -> None:
    assert alone.bot is not None
    world, preferences = alone.server.world, alone.bot.service(PreferenceService)
    boss = Seat.join(world, "Boss", alone.channel_id, permissions=MANAGER)
    roles = [role_of(alone, who) for who in (alone.ana, alone.ben)]
    channels = [str(world.add_channel(name)) for name in ("hall", "bar")]
    closed = world.add_channel("closed")
    world.deny(closed, permissions.SEND_MESSAGES)
    await boss.slash("abak server")
    panel = private(boss)
    await boss.press("b:page_server:me:0:machine", panel)
    for key, chosen, mark in (("machine_roles", roles, "@&"), ("machine_channels", channels, "#")):
        title, menu = EN(f"preference.server.{key}"), f"{'r' if mark == '@&' else 'c'}:set_server:me:0:{key}"
        assert f"**{title}**: {EN(f'panel.empty.{key}')}" in text(boss.fresh(panel))
        await boss.choose(*chosen[::-1], menu=menu, message=panel)
        assert f"**{title}**: <{mark}{chosen[0]}>, <{mark}{chosen[1]}>" in text(boss.fresh(panel))
        assert (await preferences.of_server(world.guild_id))[key] == ",".join(chosen)
    await boss.choose(channels[0], str(closed), menu="c:set_server:me:0:machine_channels", message=panel)
    assert f"<#{closed}>" in told(boss)
    assert (await preferences.of_server(world.guild_id))["machine_channels"] == ",".join(channels)
    for key, menu in (("machine_roles", "r:set_server:"), ("machine_channels", "c:set_server:")):
        await boss.choose(menu=menu, message=panel)
        assert (await preferences.of_server(world.guild_id))[key] == ""
    await preferences.set_server(world.guild_id, "machine_seeks", "60")
    await boss.press("b:page_server:me:0:machine", panel)
    assert EN("seek.nowhere") not in text(boss.fresh(panel))
    await boss.choose("nowhere", menu="m:set_server:me:0:machine", message=panel)
    assert EN("seek.nowhere") in text(boss.fresh(panel))
