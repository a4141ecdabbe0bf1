"""Tests which games a person may open: by a link, by an id, by a shared message, and by a forged button."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any, Final

import pytest
from harness.bot import private, told
from harness.discord import Seat, components, is_ephemeral
from harness.finished import STARTED, row, store

from bot.core.translations import language
from bot.sandbox.state.permissions import MEMBER, VIEW_CHANNEL

if TYPE_CHECKING:
    from harness.bot import Room

    from bot.sandbox.world import World

SAY: Final = language("en")
MANAGE_THREADS: Final = 1 << 34
LOOKS: Final = ("replay", "look", "film", "record", "share", "flip", "words", "more")


def shut(world: World, channel_id: int, *allowed: int) -> None:
    """Hides a channel from everybody but these people and the bot."""
    channel = world.channels[channel_id]
    view = str(VIEW_CHANNEL)
    may = [{"id": str(x), "type": 1, "allow": view, "deny": "0"} for x in (*allowed, world.application_id)]
    channel["permission_overwrites"] = [{"id": str(world.guild_id), "type": 0, "allow": "0", "deny": view}, *may]
    world.events.channel("update", channel)


def link(message: dict[str, Any], world: World) -> str:
    return f"https://discord.com/channels/{world.guild_id}/{message['channel_id']}/{message['id']}"


async def opens(who: Seat, game: str) -> bool:
    """Returns whether the game opens; if not, checks that they are told why in private."""
    before = len(who.messages)
    await who.slash("abak replay", game=game)
    assert is_ephemeral(who.last)
    assert len(who.messages) == before + 1
    return any(":look:" in str(x.get("custom_id")) for x in components(who.last))


async def forge(who: Seat, verb: str, game_id: str, seq: int = 0) -> None:
    """Presses a button about any game on a private message of their own."""
    await who.slash("abak settings")
    message = private(who)
    before = deepcopy(message["components"])
    button = {"type": 2, "id": 2, "style": 2, "label": "Forged", "custom_id": f"b:{verb}:{game_id}:{seq}:"}
    message["components"] = [{"type": 1, "id": 1, "components": [button]}]
    await who.press(f"b:{verb}:", message)
    message["components"] = before


async def test_a_link_opens_for_who_sees_the_channel_and_for_the_players(room: Room) -> None:
    world = room.server.world
    live = await room.begin("abalone")
    await room.ana.slash("abak resign")
    await room.ana.press("b:resign_for:", private(room.ana))
    live = await room.shown()
    address, hall = link(room.board, world), world.add_channel("hall")
    eve, ana = Seat.join(world, "Eve", hall), room.ana.at(hall)
    for text in (address, live.id, f"<{address}>", address.rpartition("/")[0]):
        assert await opens(eve, text), text
    shut(world, room.channel_id, room.ben.user_id)
    for text in (address, live.id, address.rpartition("/")[0]):
        assert not await opens(eve, text), text
        assert told(eve) == SAY("access.channel")
        assert await opens(ana, text)
    shut(world, room.channel_id, eve.user_id)
    assert await opens(eve, address)


async def test_what_is_no_link_to_a_game_is_answered_clearly(room: Room) -> None:
    said = room.ana.say("hello")
    await room.begin("abalone")
    world = room.server.world
    for text in (
        "not a game",
        link(said, world),
        link(said | {"id": "1"}, world),
        link(said | {"channel_id": "1"}, world),
    ):
        assert not await opens(room.ana, text), text
        assert told(room.ana) == SAY("replay.unknown"), text
    assert not await opens(room.ana, "nosuchgame")
    assert told(room.ana) == SAY("table.unknown")


async def test_games_of_other_servers_and_direct_messages_are_closed_to_strangers(room: Room) -> None:
    """By id, by link, and by every button that shows a game."""
    assert room.bot is not None
    world = room.server.world
    players = (room.ana.user_id, room.ben.user_id)
    rows = [
        row("direct", players, STARTED, guild_id=None, channel_id=77, message_id=770),
        row("server", players, STARTED, guild_id=world.guild_id + 1, channel_id=88, message_id=880),
        row("gone", players, STARTED, guild_id=world.guild_id, channel_id=99, message_id=990),
    ]
    async with room.bot.services.database.writing() as connection:
        await store(connection, rows)
    eve = Seat.join(world, "Eve", room.channel_id)
    refusals = {"direct": "access.direct", "server": "access.server", "gone": "access.channel"}
    for number, (game_id, refusal) in enumerate(refusals.items(), 7):
        for text in (game_id, f"https://discord.com/channels/{world.guild_id}/{number * 11}/{number * 110}"):
            assert not await opens(eve, text)
            assert told(eve) == SAY(refusal)
            assert await opens(room.ana, text)
        public = len(room.server.world.messages.in_channel(room.channel_id))
        for verb in LOOKS:
            await forge(eve, verb, game_id)
            assert told(eve) == SAY(refusal), verb
            public += 2  # her settings and the refusal, for her alone
            assert len(room.server.world.messages.in_channel(room.channel_id)) == public, verb


async def test_a_list_has_no_games_of_channels_that_are_closed_to_its_reader(room: Room) -> None:
    assert room.bot is not None
    world, players = room.server.world, (room.ana.user_id, room.ben.user_id)
    closed = world.add_channel("closed")
    rows = [
        row(f"closed{number}", players, STARTED + number, guild_id=world.guild_id, channel_id=closed)
        for number in range(9)
    ]
    rows.append(row("open", players, STARTED - 1, guild_id=world.guild_id, channel_id=room.channel_id))
    async with room.bot.services.database.writing() as connection:
        await store(connection, rows)
    eve = Seat.join(world, "Eve", world.add_channel("hall"))
    shut(world, closed, *players)
    await eve.slash("abak history", user=room.ana)
    assert told(eve).splitlines()[1:] == [SAY("history.none"), SAY("history.closed")]
    await eve.press(SAY("button.forward"), private(eve))
    assert len(told(eve).splitlines()) == 3
    assert str(room.channel_id) in told(eve)
    assert str(closed) not in told(eve)
    await room.ben.slash("abak history", user=room.ana)
    assert len(told(room.ben).splitlines()) == 9
    shut(world, closed, eve.user_id, *players)
    await eve.slash("abak history", user=room.ana)
    assert len(told(eve).splitlines()) == 9


async def test_the_same_forgery_opens_what_one_may_see(room: Room) -> None:
    """So that the test above cannot pass because a forged press goes nowhere."""
    live = await room.begin("abalone")
    eve = Seat.join(room.server.world, "Eve", room.server.world.add_channel("hall"))
    for verb in LOOKS:
        await forge(eve, verb, live.id)
        assert not told(eve).startswith(SAY("access.channel")), verb
        shown = [x.get("custom_id", "") for m in eve.messages for x in components(m)]
        assert any(live.id in custom_id for custom_id in shown) or eve.last["attachments"], verb


@pytest.mark.parametrize("private_thread", [False, True])
async def test_a_thread_is_seen_by_who_sees_its_channel_and_a_private_one_by_its_members(
    room: Room, *, private_thread: bool
) -> None:
    assert room.bot is not None
    world = room.server.world
    thread = int(world.add_thread(room.channel_id, "game", room.ben.user_id, private=private_thread)["id"])
    world.join_thread(thread, room.ana.user_id)
    live = await room.elsewhere(thread).begin("abalone")
    hall = world.add_channel("hall")
    eve, max_ = Seat.join(world, "Eve", hall), Seat.join(world, "Max", hall, permissions=MEMBER | MANAGE_THREADS)
    for archived in (False, True):
        if archived:
            world.archive(thread)
        assert await opens(eve, live.id) is not private_thread
        assert await opens(max_, live.id)
    world.join_thread(thread, eve.user_id)
    assert await opens(eve, live.id)
    shut(world, room.channel_id, room.ana.user_id)
    assert not await opens(eve, live.id)


async def test_from_a_thread_the_game_of_its_channel_opens(room: Room) -> None:
    live = await room.begin("abalone")
    world = room.server.world
    thread = int(world.add_thread(room.channel_id, "talk", room.ben.user_id)["id"])
    assert await opens(Seat.join(world, "Eve", thread), live.id)


async def test_a_shared_replay_stands_in_the_channel_and_opens_for_who_may_see_the_game(room: Room) -> None:
    world = room.server.world
    live = await room.begin("abalone")
    shut(world, room.channel_id, room.ana.user_id, room.ben.user_id)
    hall = world.add_channel("hall")
    ana, eve = room.ana.at(hall), Seat.join(world, "Eve", hall)
    await ana.slash("abak replay", game=live.id)
    await ana.press("b:share:", private(ana))
    (shared,) = [m for m in world.messages.in_channel(hall) if not is_ephemeral(m)]
    assert shared["content"].splitlines()[0] == SAY("replay.shared", player=room.ana.mention)
    assert shared["content"].splitlines()[-1] == link(room.board, world)
    assert not [m for user_id, m in room.pings if m["id"] == shared["id"]]
    await eve.press("b:replay:", shared)
    assert told(eve) == SAY("access.channel")
    assert not await opens(eve, link(shared, world))
    shut(world, room.channel_id, eve.user_id)
    await eve.press("b:replay:", shared)
    assert any(":look:" in str(x.get("custom_id")) for x in components(private(eve)))
    assert await opens(eve, link(shared, world))
