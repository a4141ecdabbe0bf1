"""Each interaction is answered once, and no more of a user than the limits allow; over the real socket."""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from discord import InteractionType
from harness.boards import assert_shown_once
from harness.bot import SPANISH, Room, bot_running, told, told_all
from harness.discord import Seat, text
from harness.scene import FIRST

from bot.core.admission import gate as admission
from bot.core.admission.gate import Admission
from bot.core.limits.rates import Rate

if TYPE_CHECKING:
    from bot.sandbox.server import Server


def deliver_again(room: Room) -> None:
    """Delivers the newest interaction once more, as Discord does after a resumed connection."""
    for session in room.server.gateway.sessions.values():
        created = [sent for _, sent in session.sent if json.loads(sent)["t"] == "INTERACTION_CREATE"]
        if created and session.socket is not None:
            session.socket.put(created[-1])


async def settled(room: Room) -> None:
    """Waits until the bot has answered what somebody else sent later; it must not begin to answer what came before."""
    assert room.bot is not None
    begun: list[int] = []
    answer = room.bot.context.answer

    async def noted(interaction: Any, *given: Any, **more: Any) -> None:
        begun.append(interaction.user.id)
        await answer(interaction, *given, **more)

    room.bot.context.answer = noted  # type: ignore[method-assign]
    later = Seat.join(room.server.world, "Later", room.channel_id)
    await later.slash("abak games")
    await told_all(room.bot)
    room.bot.context.answer = answer  # type: ignore[method-assign]
    assert begun == [later.user_id]


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


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_server_that_asks_for_too_much_does_not_hold_up_others(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    monkeypatch.setattr(admission, "IN_SERVER", Rate(2, 7))
    async with bot_running(stand_in, sqlite_url, rate_limits=True) as bot:
        room = Room.of(stand_in, bot, locale=locale)
        for who in (room.ana, room.ben, room.ana):
            await who.slash("abak games")
        assert told(room.ana) == room.say("error.server_too_fast", n=7)
        typed = [await room.ben.choices("abak move play", "notation", notation="") for _ in range(3)]
        assert typed[2] == []
        abroad = room.elsewhere(room.server.world.add_channel("abroad", room.server.world.add_guild("Abroad")))
        await abroad.ana.slash("abak games")
        assert told(abroad.ana) != room.say("error.server_too_fast", n=7)


async def test_one_user_cannot_use_up_the_share_of_the_server(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admission, "PRESSES", Rate(1, 60))
    monkeypatch.setattr(admission, "IN_SERVER", Rate(2, 60))
    async with bot_running(stand_in, sqlite_url, rate_limits=True) as bot:
        room = Room.of(stand_in, bot)
        for _ in range(4):
            await room.ana.slash("abak games")
        assert told(room.ana) == room.say("error.too_fast", n=60)
        await room.ben.slash("abak games")
        assert told(room.ben) == room.say("games.none")


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


@dataclass
class Gate:
    """The admission of interactions, with a time that the test lets pass."""

    at: float = 0.0

    def __post_init__(self) -> None:
        self.gate = Admission(limited=False, clock=lambda: self.at)

    async def admits(self, number: int, kind: InteractionType = InteractionType.component) -> bool:
        interaction: Any = SimpleNamespace(id=number, type=kind)
        context: Any = None
        return await self.gate.admit(context, interaction)


async def test_interactions_are_remembered_for_some_minutes() -> None:
    gate = Gate()
    assert await gate.admits(1)
    assert not await gate.admits(1)
    gate.at = admission.LIFETIME
    assert not await gate.admits(1)
    gate.at = admission.LIFETIME + admission.PART + 0.1
    assert await gate.admits(2)
    assert len(gate.gate._pressed) == 1
    assert await gate.admits(1)


async def test_interactions_are_known_in_whatever_order_they_come() -> None:
    gate, ids = Gate(), [7, 3, 2**63 + 1, 5, 0, 4]
    for at, number in enumerate(ids):
        gate.at = at * admission.PART / 2
        assert await gate.admits(number)
    assert not any([await gate.admits(number) for number in ids])
    assert await gate.admits(6)


async def test_a_press_is_remembered_though_hundreds_follow_each_second() -> None:
    gate, every = Gate(), 1 / 300
    assert await gate.admits(0)
    for number in range(1, 300 * int(admission.LIFETIME)):
        gate.at = number * every
        assert await gate.admits(number)
    assert not await gate.admits(0)


async def test_what_is_typed_displaces_no_press() -> None:
    gate, typed = Gate(), InteractionType.autocomplete
    assert await gate.admits(0)
    for number in range(1, 2 * admission.KEPT):
        assert await gate.admits(number, typed)
    assert not await gate.admits(0)
    assert not await gate.admits(number, typed)
    assert len(gate.gate._typed) <= admission.KEPT_KEYSTROKES * (1 + 1 / admission.PARTS)


async def test_not_too_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "KEPT", 10)
    gate = Gate()
    for number in range(40):
        assert await gate.admits(number)
    assert len(gate.gate._pressed) == 12  # a part more
    assert not await gate.admits(30)
    assert not await gate.admits(28)
    assert await gate.admits(27)


async def test_a_bot_that_has_left_discord_takes_nothing_more() -> None:
    gate, context = Admission(limited=False), None
    gate.closed = True
    interaction: Any = SimpleNamespace(id=1, type=InteractionType.component)
    assert not await gate.admit(context, interaction)  # type: ignore[arg-type]
