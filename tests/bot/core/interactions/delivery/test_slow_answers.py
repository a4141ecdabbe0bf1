"""A user who has to wait is told so, and the answer is filled in."""

from __future__ import annotations

import asyncio
import gc
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest
from harness.boards import assert_shown_once
from harness.bot import Room, private, told, told_all, wired
from harness.discord import alt, is_ephemeral, text, until
from harness.players import Greedy

from bot.board import pictures
from bot.challenges.service import ChallengeService
from bot.core.interactions import answer
from bot.core.translations import language

if TYPE_CHECKING:
    from harness.patience import StandingTime

    from bot.core.client import AbakBot

EN = language("en")


@pytest.fixture
def slow(standing_time: StandingTime, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - it comes before
    """Pictures take longer than the bot lets anybody wait without a word."""
    draw = pictures.registry.picture

    def slowly(*given: Any) -> bytes:
        time.sleep(0.25)
        return draw(*given)

    monkeypatch.setattr(answer, "PATIENCE", 0.0)
    monkeypatch.setattr(pictures.registry, "picture", slowly)
    monkeypatch.setattr(pictures.registry, "cached", lambda *_, **__: None)


@pytest.mark.usefixtures("slow")
async def test_a_slow_answer_is_announced_and_filled_in(room: Room) -> None:
    live = await room.begin("apb")
    looked = await room.ana.slash("abak board")
    assert looked.deferred
    assert looked.message is not None
    assert is_ephemeral(looked.message)
    assert len(alt(looked.message)) == 1
    opened = await room.ana.press("b:move:", room.board)
    assert opened.deferred
    await until(lambda: EN("picker.what") in told(room.ana), "the picker is open")
    picker = private(room.ana)
    assert len(alt(picker)) == 1
    steps = Greedy(patience=9).turn(live.table.game, live.table.state)
    await room.tap_steps(live, picker, steps)
    await room.ana.press("b:confirm:", picker)
    assert_shown_once(room, await room.shown())


@pytest.mark.usefixtures("slow")
async def test_a_slow_refusal_is_private_too(room: Room) -> None:
    live = await room.begin("apb")
    before = text(room.board)
    sent = await room.ben.press("b:move:", room.board)
    assert sent.deferred
    await until(lambda: told(room.ben).startswith(EN("table.not_your_turn")), "the refusal is told")
    assert wired(room.board) != []
    assert text(room.board) == before
    assert await room.present() == live


def slow_down(bot: AbakBot, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Makes a method of challenges take longer than the bot lets a user wait without a word."""
    do = getattr(bot.service(ChallengeService), name)

    async def slowly(*given: Any, **more: Any) -> Any:
        await asyncio.sleep(0.3)
        return await do(*given, **more)

    monkeypatch.setattr(answer, "PATIENCE", 0.0)
    monkeypatch.setattr(bot.service(ChallengeService), name, slowly)


async def test_a_slow_challenge_is_announced_to_all_and_filled_in(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    assert room.bot is not None
    slow_down(room.bot, monkeypatch, "post")
    message = await room.challenge("apb")
    assert not is_ephemeral(message)
    assert room.ben.mention in text(message)
    await room.ben.press("b:accept_challenge:", message)
    assert_shown_once(room, await room.shown())


async def test_a_slow_rematch_leaves_the_card_as_it_is(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    assert room.bot is not None
    await room.begin("apb")
    await room.ana.slash("abak resign")
    await room.ana.press("b:resign_for:", private(room.ana))
    await room.shown()
    card = room.board
    before = text(card), alt(card)
    slow_down(room.bot, monkeypatch, "rematch")
    asked = await room.ben.press("b:rematch:", card)
    assert asked.deferred
    await until(lambda: room.ana.last["id"] != card["id"], "the challenge stands below the card")
    assert (text(room.board), alt(room.board)) == before
    assert not is_ephemeral(room.ana.last)
    await room.ana.press("b:accept_challenge:", room.ana.last)
    assert (await room.shown()).table.seq == 0


async def test_a_slow_refusal_of_a_challenge_is_private(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    assert room.bot is not None
    slow_down(room.bot, monkeypatch, "post")
    await room.ana.slash("abak challenge", opponent=room.ana)
    await until(lambda: EN("challenge.self") in [m["content"] for m in room.ana.messages], "the refusal is told")
    assert [m for m in room.ben.messages if m["author"]["id"] == str(room.server.world.application_id)] == []


@pytest.mark.usefixtures("slow")
@pytest.mark.parametrize("error", [ConnectionResetError, TimeoutError, aiohttp.ServerDisconnectedError])
async def test_an_answer_that_could_not_be_announced_is_given(
    room: Room, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No task is left with an error that nobody looks at, and the answer is the first response."""
    tried: list[object] = []

    async def fail(*given: object, **_: object) -> None:
        tried.append(given)
        raise error

    await room.begin("apb")
    unseen: list[object] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, about: unseen.append(about))
    with monkeypatch.context() as patched:
        patched.setattr(discord.InteractionResponse, "defer", fail)
        looked = await room.ana.slash("abak board")
        assert room.bot is not None
        await told_all(room.bot)
    gc.collect()
    assert tried
    assert unseen == []
    assert not looked.deferred
    assert looked.message is not None
    assert len(alt(looked.message)) == 1


@pytest.mark.usefixtures("slow")
async def test_who_announces_an_answer_outlives_a_lost_connection(room: Room) -> None:
    assert room.bot is not None
    defer = AsyncMock(side_effect=ConnectionResetError)
    response = SimpleNamespace(is_done=lambda: False, defer=defer)
    interaction = SimpleNamespace(locale=None, message=None, response=response, client=room.bot)
    slow = answer.Answer(room.bot.context, interaction)  # type: ignore[arg-type]
    await slow._defer_if_slow()
    defer.assert_awaited_once()
    assert not slow._first.deferred  # the answer itself is the first response
