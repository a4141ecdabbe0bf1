"""A game goes to another server only if the opponent agrees."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from harness import malformed
from harness.bot import Room, bot_running, is_ephemeral, private, told, told_all, verbs
from harness.discord import Seat, text, until

from bot.board.delivery.publisher import BoardPublisher
from bot.core.limits.rates import QUESTIONS
from bot.core.translations import language
from bot.games.service import GameService

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

EN = language("en")
VERBS = ["relocate_agree", "relocate_decline"]


@pytest.fixture
async def here(stand_in: Server, sqlite_url: str) -> AsyncIterator[Room]:
    async with bot_running(stand_in, sqlite_url) as bot:
        yield Room.of(stand_in, bot)


def abroad(room: Room) -> Room:
    """Returns a channel of another server of which both are members."""
    world = room.server.world
    return room.elsewhere(world.add_channel("abroad", guild_id=world.add_guild("Abroad")))


async def asked(room: Room, there: Room, live: LiveGame) -> dict[str, Any]:
    """Lets Ana ask to move the game, and returns the question."""
    sent = await there.ana.slash("abak move here", game=live.id)
    assert sent.message is not None
    assert not is_ephemeral(sent.message)
    assert verbs(sent.message) == VERBS
    assert text(sent.message).startswith(f"{room.ben.mention}, {room.ana.mention}")
    return sent.message


async def place(room: Room, live: LiveGame) -> int:
    assert room.bot is not None
    return (await room.bot.service(GameService).newest(live.id)).place.channel_id


async def test_the_opponent_is_asked_and_agrees(here: Room) -> None:
    assert here.bot is not None
    live, there = await here.begin("abalone"), abroad(here)
    question = await asked(here, there, live)
    assert here.server.world.events.notifications[-1][0] == here.ben.user_id
    assert await place(here, live) == here.channel_id
    await there.ana.press("b:relocate_agree:", question)
    assert told(there.ana) == EN("here.not_yours")
    stranger = Seat.join(here.server.world, "Eve", there.channel_id)
    await stranger.press("b:relocate_agree:", question)
    assert told(stranger) == EN("table.not_a_player")
    assert await place(here, live) == here.channel_id
    await there.ben.press("b:relocate_agree:", question)
    await told_all(here.bot)
    assert await place(here, live) == there.channel_id
    assert verbs(there.ana.fresh(question)) == []
    await here.bot.service(BoardPublisher).idle()
    assert len(there.boards) == 1


@pytest.mark.parametrize("who", ["ana", "ben"])
async def test_a_declined_game_stays(here: Room, who: str) -> None:
    assert here.bot is not None
    live, there = await here.begin("abalone"), abroad(here)
    question = await asked(here, there, live)
    await getattr(there, who).press("b:relocate_decline:", question)
    await told_all(here.bot)
    assert verbs(there.ana.fresh(question)) == []
    assert await place(here, live) == here.channel_id


async def test_what_was_not_asked_cannot_be_agreed_to(here: Room) -> None:
    """Forged: another asker, time, signature, game or channel; and replayed after the game went on."""
    assert here.bot is not None
    live, there = await here.begin("abalone"), abroad(here)
    question = await asked(here, there, live)
    real = next(x["custom_id"] for x in question["components"][0]["components"])
    third = there.elsewhere(here.server.world.add_channel("third"))
    await third.ben.slash("abak settings")
    forged = [
        (there.ben, question, real[:-1] + ("a" if real[-1] != "a" else "b")),
        (there.ben, question, re.sub(r":(\d)(\d+):", r":2\2:", real)),
        (there.ben, question, real.replace(str(here.ana.user_id), str(here.ana.user_id - 1))),
        (third.ben, private(third.ben), real),
    ]
    for who, message, custom_id in forged:
        await malformed.together([malformed.press(who, message, custom_id)], here.bot)
        assert told(who) == EN("error.press"), custom_id
        assert await place(here, live) == here.channel_id
    await there.ben.press("b:relocate_agree:", question)
    await told_all(here.bot)
    await here.elsewhere(here.channel_id).ana.slash("abak move here", game=live.id)
    await malformed.together([malformed.press(there.ben, question, real)], here.bot)
    await told_all(here.bot)
    assert await place(here, live) == there.channel_id


async def test_within_the_server_nobody_is_asked(here: Room) -> None:
    live = await here.begin("abalone")
    there = here.elsewhere(here.server.world.add_channel("hall"))
    await there.ana.slash("abak move here", game=live.id)
    assert told(there.ana) == EN("here.moved", game="Abalone")
    assert await place(here, live) == there.channel_id


async def test_an_open_offer_leaves_no_buttons_where_the_game_was(here: Room) -> None:
    live = await here.begin("abalone")
    await here.ana.slash("abak draw")
    await here.ana.press("b:draw:", private(here.ana))
    await here.shown()
    there = here.elsewhere(here.server.world.add_channel("hall"))
    await there.ana.slash("abak move here", game=live.id)
    await there.shown()
    await here.told_all()

    def asking() -> list[Any]:
        return [m for m in here.server.world.messages.in_channel(here.channel_id) if "accept" in verbs(m)]

    await until(lambda: not asking(), "nothing can be answered where the game was")


async def test_nobody_is_pinged_by_question_after_question(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, rate_limits=True) as bot:
        room = Room.of(stand_in, bot)
        live, there = await room.begin("abalone"), abroad(room)
        before = len(room.server.world.events.notifications)
        for _ in range(QUESTIONS.burst):
            await asked(room, there, live)
        for _ in range(3):
            await there.ana.slash("abak move here", game=live.id)
            assert told(there.ana).startswith("That was too fast for me.")
        assert len(room.server.world.events.notifications) == before + QUESTIONS.burst
