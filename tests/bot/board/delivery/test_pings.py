"""Beside a board that is changed in place, whoever is wanted is pinged by a message: once, and not for ever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import Room, bot_running, milliseconds, private, told, verbs
from harness.discord import is_ephemeral, text, until
from harness.scene import FIRST, SECOND

from bot.board.delivery import publisher, service
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.core import workers
from bot.core.translations import language
from bot.players.service import PreferenceService

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server

EN = language("en")


class Later:
    """A clock that can be put on."""

    def __init__(self) -> None:
        self.more = 0

    def __call__(self) -> int:
        return milliseconds() + self.more


def pings(room: Room) -> list[dict[str, Any]]:
    """Returns the messages that stand in the channel beside its boards, after the challenge."""
    world = room.server.world
    ours = [m for m in world.messages.in_channel(room.channel_id) if m["author"]["id"] == str(world.application_id)]
    return [m for m in ours[1:] if not m["attachments"] and not is_ephemeral(m)]


async def begun(server: Server, bot: AbakBot) -> Room:
    """Begins a game of APB, plays its first turn, and has boards changed in place in the server."""
    room = Room.of(server, bot)
    await bot.service(PreferenceService).set_server(server.world.guild_id, "old_board", "edit")
    live = await room.begin("apb")
    await room.type(live, FIRST)
    await room.shown()
    return room


async def test_whoever_is_called_can_move_from_the_call(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = await begun(stand_in, bot)
        [ping] = pings(room)
        assert len(room.boards) == 1
        assert room.pings[-1][0] == room.ben.user_id
        assert room.pings[-1][1]["id"] == ping["id"]
        await room.ben.press(EN("button.move"), ping)
        assert EN("picker.what") in told(room.ben)
        await room.ben.slash("abak move play", notation=SECOND)
        await room.shown()
        await room.ben.press(EN("button.move"), ping)
        assert text(private(room.ben)).startswith(EN("table.not_your_turn"))


async def test_an_offer_can_be_answered_from_its_call(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = await begun(stand_in, bot)
        await room.ben.slash("abak draw")
        await room.ben.press("b:draw:", private(room.ben))
        await room.shown()
        ping = pings(room)[-1]
        assert verbs(ping) == ["accept", "decline"]
        await room.ana.press("b:accept:", ping)
        assert (await room.shown()).table.outcome is not None


@pytest.mark.parametrize("restarted", [False, True])
async def test_the_call_of_an_offer_goes_with_the_answer(stand_in: Server, sqlite_url: str, *, restarted: bool) -> None:
    """Also if the process that sent it is gone: else it would stand for a day."""

    async def answered() -> None:
        await room.ana.press("b:decline:", ping)
        assert (await room.present()).offer is None
        await until(lambda: ping["id"] not in [one["id"] for one in pings(room)], "the ping is removed")

    async with bot_running(stand_in, sqlite_url) as bot:
        room = await begun(stand_in, bot)
        await room.ben.slash("abak draw")
        await room.ben.press("b:draw:", private(room.ben))
        await room.shown()
        ping = pings(room)[-1]
        if not restarted:
            await answered()
            return
    async with bot_running(stand_in, sqlite_url) as room.bot:
        await answered()


@pytest.mark.parametrize("forgotten", [False, True])
async def test_a_call_that_arrived_unnoticed_is_not_made_twice(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, *, forgotten: bool
) -> None:
    """Discord tells two alike by their nonce for some minutes; after that the channel itself is asked."""
    monkeypatch.setattr(publisher, "RETRIES", (0.2, 0.01))
    world = stand_in.world
    async with bot_running(stand_in, sqlite_url) as bot:
        room = await begun(stand_in, bot)
        world.faults.fail_next(f"POST /channels/{room.channel_id}/messages", status=400, lost=True)
        if forgotten:
            world.subscribe(lambda _: world.messages.nonces.clear())
        await room.ben.slash("abak move play", notation=SECOND)
        await room.shown()
        assert len(pings(room)) == 1  # the one before was found as well, and is of no use any more
        assert [user_id for user_id, _ in room.pings[-2:]] == [room.ben.user_id, room.ana.user_id]
        assert len(room.boards) == 1


async def test_a_call_goes_after_a_while(stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publisher, "SWEEP", 0.05)
    clock = Later()
    async with bot_running(stand_in, sqlite_url, now=clock) as bot:
        room = await begun(stand_in, bot)
        assert await bot.service(BoardDelivery).old() == []
        assert len(pings(room)) == 1
        clock.more += service.PING_LIFETIME_MS
        await until(lambda: pings(room) == [], "the ping is removed")
        clock.more += workers.LONGEST_PAUSE

        async def left() -> bool:
            return bool(await bot.service(BoardDelivery).old())

        while await left():  # it is not tried again
            await bot.service(BoardPublisher).idle()


async def test_the_call_of_a_dead_process_goes_too(stand_in: Server, sqlite_url: str) -> None:
    clock = Later()
    async with bot_running(stand_in, sqlite_url, now=clock) as bot:
        room = await begun(stand_in, bot)
        assert len(pings(room)) == 1
    clock.more += service.PING_LIFETIME_MS
    async with bot_running(stand_in, sqlite_url, now=clock):
        await until(lambda: pings(room) == [], "the ping is removed")
        assert len(room.boards) == 1


async def test_the_call_for_a_turn_that_was_never_noted_goes_with_the_next(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RETRIES", ())
    async with bot_running(stand_in, sqlite_url) as bot:
        room = await begun(stand_in, bot)
        stand_in.world.faults.fail_next(f"POST /channels/{room.channel_id}/messages", status=400, lost=True)
        await room.ben.slash("abak move play", notation=SECOND)
        await bot.service(BoardPublisher).idle()
        [_, stale] = pings(room)
        assert (await room.present()).shown_seq == 1
        await room.ana.slash("abak move play", notation="e5-e6 e4-e5")
        await room.shown()
        [ping] = pings(room)
        assert ping["id"] != stale["id"]
