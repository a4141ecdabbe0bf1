"""A user is answered even if Discord's reply to the deferral was lost: nobody is left at "thinking"."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import discord
import pytest
from harness.bot import Room, bot_running, private, told, told_all
from harness.discord import text

from bot.core.interactions import answer
from bot.core.interactions.forms import Field, form_of
from bot.core.interactions.press import Press
from bot.core.translations import language
from bot.my_games import views
from bot.sandbox.faults import RESET
from engine.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from harness.patience import StandingTime

    from bot.core.interactions.answer import Answer
    from bot.sandbox.server import Server

EN = language("en")
SLOW = 0.4


async def says(given: Answer) -> None:
    await given.private("Here it is.")


async def says_to_all(given: Answer) -> None:
    await given.public("Here it is.", discord.ui.View(), discord.AllowedMentions.none())


async def changes(given: Answer) -> None:
    await given.update("Here it is.")


async def ends(given: Answer) -> None:
    await given.done()


async def refuses(_given: Answer) -> None:
    raise Refused("table.stale")


async def fails(_given: Answer) -> None:
    raise RuntimeError("made by the test")


async def asks(given: Answer) -> None:
    await given.form(form_of(Press("more", "", 0), "Title", [Field("move", "Move", "", "")]))


def slowly(end: Callable[[Answer], Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    async def slow(given: Answer, *_: Any, **__: Any) -> None:
        await asyncio.sleep(SLOW)
        await end(given)

    return slow


@pytest.fixture(autouse=True)
def impatient(standing_time: StandingTime, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - it comes before
    monkeypatch.setattr(answer, "PATIENCE", 0.0)


@pytest.mark.parametrize("status", [RESET, 502], ids=["reset", "tried again by discord.py"])
@pytest.mark.parametrize(
    ("end", "expected"),
    [
        (says, "Here it is."),
        (refuses, EN("table.stale")),
        (fails, EN("error.ours")),
        (asks, EN("error.slow")),
        (ends, None),
    ],
)
async def test_a_command_is_answered(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, status: int, end: Any, expected: str | None
) -> None:
    monkeypatch.setattr(views, "show_list", slowly(end))
    async with bot_running(stand_in, sqlite_url, faults=end is fails) as bot:
        room = Room.of(stand_in, bot)
        stand_in.world.faults.fail_next("/callback", status=status, lost=True)
        sent = await room.ana.slash("abak games")
        await told_all(bot)
        assert sent.deferred
        assert stand_in.world.faults.failures == []
        if expected is None:
            assert sent.message is None
        else:
            assert told(room.ana) == expected


@pytest.mark.parametrize("status", [RESET, 502], ids=["reset", "tried again by discord.py"])
@pytest.mark.parametrize(
    ("end", "expected"),
    [(says, "Here it is."), (changes, "Here it is."), (refuses, EN("table.stale")), (asks, EN("error.slow"))],
)
async def test_a_press_is_answered(
    room: Room, monkeypatch: pytest.MonkeyPatch, status: int, end: Any, expected: str
) -> None:
    assert room.bot is not None
    await room.ana.slash("abak settings")
    before = private(room.ana)
    monkeypatch.setitem(room.bot.context.handlers, "page_user", slowly(end))
    room.server.world.faults.fail_next("/callback", status=status, lost=True)
    await room.ana.press("b:page_user:", before)
    await told_all(room.bot)
    now = room.ana.fresh(before)
    assert (text(now) if end is changes else told(room.ana)) == expected
    assert (text(now) == text(before)) == (end is not changes)


@pytest.mark.parametrize("status", [RESET, 502], ids=["reset", "tried again by discord.py"])
async def test_what_is_for_everybody_comes_once(room: Room, monkeypatch: pytest.MonkeyPatch, status: int) -> None:
    assert room.bot is not None
    await room.begin("apb")
    board = room.board
    monkeypatch.setitem(room.bot.context.handlers, "more", slowly(says_to_all))
    room.server.world.faults.fail_next("/callback", status=status, lost=True)
    await room.ana.press("b:more:", board)
    await told_all(room.bot)
    assert [text(one) for one in room.ana.messages].count("Here it is.") == 1
    assert text(room.ana.fresh(board)) == text(board)
