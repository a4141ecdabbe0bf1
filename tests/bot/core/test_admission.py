"""Each interaction is answered once, and no more of a user than the limits allow; over the real socket."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from harness.boards import assert_shown_once
from harness.bot import SPANISH, Room, bot_running, told, told_all
from harness.discord import text
from harness.scene import FIRST

from bot.core.admission import gate as admission
from bot.core.admission.gate import Admission
from bot.core.limits.rates import Rate

if TYPE_CHECKING:
    from bot.sandbox.server import Server


def deliver_again(room: Room) -> None:
    """Discord delivers the newest interaction once more, as after a resumed connection."""
    for session in room.server.gateway.sessions.values():
        created = [sent for _, sent in session.sent if json.loads(sent)["t"] == "INTERACTION_CREATE"]
        if created and session.socket is not None:
            session.socket.put(created[-1])


async def settled(room: Room) -> None:
    """Waits until the bot has read what was sent; it must not begin to answer it."""
    assert room.bot is not None
    begun: list[object] = []
    answer = room.bot.context.answer

    async def noted(*given: Any, **more: Any) -> None:
        begun.append(given)
        await answer(*given, **more)

    room.bot.context.answer = noted  # type: ignore[method-assign]
    await asyncio.sleep(0.3)
    await told_all(room.bot)
    room.bot.context.answer = answer  # type: ignore[method-assign]
    assert begun == []


async def test_a_move_that_is_delivered_twice_is_played_once_without_a_word(room: Room) -> None:
    live = await room.begin("apb")
    await room.type(live, FIRST)
    moved = await room.shown()
    seen = len(room.ana.messages)
    deliver_again(room)
    await settled(room)
    assert len(room.ana.messages) == seen
    assert await room.present() == moved
    assert_shown_once(room, moved)


async def test_a_challenge_that_is_delivered_twice_pings_once(room: Room) -> None:
    await room.challenge("apb")
    deliver_again(room)
    await settled(room)
    assert len(room.ben.pings) == 1
    assert room.server.validator.violations == []
    await room.ana.slash("abak games")
    assert told(room.ana).count(room.ben.mention) == 1  # one challenge is open


async def test_a_press_that_is_delivered_twice_is_answered_once(room: Room) -> None:
    message = await room.challenge("apb")
    await room.ben.press("b:accept_challenge:", message)
    deliver_again(room)
    await settled(room)
    assert_shown_once(room, await room.shown())
    assert "challenge" not in told_privately(room)


def told_privately(room: Room) -> str:
    return " ".join(text(m) for m in room.ben.messages if m["flags"] & 64)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_who_asks_for_too_much_reads_when_to_try_again(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    monkeypatch.setattr(admission, "PRESSES", Rate(2, 7))
    async with bot_running(stand_in, sqlite_url, rate_limits=True) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        message = await room.challenge("apb")
        await room.ana.slash("abak games")
        await room.ana.slash("abak games")
        assert told(room.ana) == room.say("error.too_fast", n=7)
        await room.ana.press("b:cancel_challenge:", message)
        assert told(room.ana) == room.say("error.too_fast", n=7)
        await room.ben.press("b:accept_challenge:", message)  # nobody else waits
        assert_shown_once(room, await room.shown())


async def test_suggestions_over_the_limit_are_empty(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "KEYSTROKES", Rate(2, 60))
    async with bot_running(stand_in, sqlite_url, rate_limits=True) as bot:
        room = Room.of(stand_in, bot)
        await room.begin("apb")
        typed = {"notation": ""}
        counts = [len(await room.ana.choices("abak move play", "notation", **typed)) for _ in range(3)]
        assert counts[0] == counts[1] > 0
        assert counts[2] == 0


async def test_interactions_are_remembered_for_a_while_and_not_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "KEPT", 10)
    now = 0.0
    gate = Admission(limited=False, clock=lambda: now)
    context: Any = None

    async def admits(number: int) -> bool:
        interaction: Any = SimpleNamespace(id=number)
        return await gate.admit(context, interaction)

    assert await admits(1)
    assert not await admits(1)
    for number in range(2, 40):
        assert await admits(number)
    assert len(gate._seen) <= 11
    now = admission.LIFETIME + 1
    assert await admits(39)


async def test_a_bot_that_has_left_discord_takes_nothing_more() -> None:
    gate, context = Admission(limited=False), None
    gate.closed = True
    interaction: Any = SimpleNamespace(id=1)
    assert not await gate.admit(context, interaction)  # type: ignore[arg-type]
