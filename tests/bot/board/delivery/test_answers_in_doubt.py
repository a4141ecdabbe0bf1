"""Answers of which it is not known at once whether they have become the board, and games that go on meanwhile."""

from __future__ import annotations

import asyncio
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import discord
import pytest
from harness.boards import assert_shown_once
from harness.bot import Room, private, told_all
from harness.discord import PATIENT, until
from harness.origins import shows
from harness.positions import placed
from harness.scene import FIRST, SECOND

from bot.board import message as board
from bot.board.delivery.answers import BoardAnswers
from bot.board.delivery.publisher import BoardPublisher
from bot.core.interactions import answer
from bot.core.interactions.delivery import first_answer
from bot.core.translations import language
from bot.sandbox.faults import RESET

if TYPE_CHECKING:
    from harness.patience import StandingTime

    from bot.core.interactions.answer import Answer
    from bot.games.live import LiveGame

EN = language("en")
SOLE = f"XGID=-AAA{'-' * 20}b-:0:0:1:65:0:0:0:0:10"
"""There is only one turn."""


@pytest.mark.usefixtures("slow_boards")
@pytest.mark.parametrize("typed", [True, False], ids=["a command", "a button of the board"])
async def test_a_deferral_whose_reply_is_lost_is_not_taken_for_the_board(room: Room, *, typed: bool) -> None:
    """After a press, the token's first answer is then the message with the button: the board before."""
    live = await room.begin("apb") if typed else await placed(room, "backgammon", SOLE)
    before, pinged = len(room.boards), len(room.pings)
    room.server.world.faults.fail_next("/callback", status=RESET, lost=True)
    acting = room.type(live, FIRST) if typed else room.ana.press("b:only:", room.board)
    sent = asyncio.create_task(cast("Any", acting))
    await until(lambda: len(room.boards) > before, "the next board is shown")
    shown = await room.shown()
    assert [shows(message) for message in room.boards[before:]] == [(shown.id, shown.seq)]
    assert len(room.pings) == pinged + (not shown.is_over)
    sent.cancel()
    await asyncio.gather(sent, return_exceptions=True)


async def test_a_board_does_not_wait_for_a_deferral(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord has refused the deferral for a while; here it comes once the board is shown."""
    live = await room.begin("apb")
    defer, made = discord.InteractionResponse.defer, board.message
    tried, again = asyncio.Event(), asyncio.Event()

    async def held_back(*given: Any, **named: Any) -> Any:
        tried.set()
        await again.wait()
        return await defer(*given, **named)

    async def made_later(*given: Any) -> board.Message:
        await tried.wait()
        return await made(*given)

    monkeypatch.setattr(answer, "PATIENCE", 0.0)
    monkeypatch.setattr(discord.InteractionResponse, "defer", held_back)
    monkeypatch.setattr(board, "message", made_later)
    sent = asyncio.create_task(room.type(live, FIRST))
    try:
        await until(lambda: len(room.boards) == 2, "the board is shown")
    finally:
        again.set()
    assert_shown_once(room, await room.shown())
    await sent


async def test_a_board_does_not_wait_long_for_news_of_its_answer(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    live = await room.begin("apb")
    monkeypatch.setattr(first_answer, "SETTLED", 0.1)
    room.server.world.faults.delay("GET /webhooks", 2 * PATIENT)
    room.server.world.faults.fail_next("/callback", status=RESET, lost=True)
    sent = asyncio.create_task(room.type(live, FIRST))
    await until(lambda: len(room.boards) == 2, "the board is shown")
    assert_shown_once(room, await room.shown())
    sent.cancel()
    await asyncio.gather(sent, return_exceptions=True)


async def test_an_answer_that_arrives_late_is_the_board(
    room: Room, standing_time: StandingTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot loses the connection at once, and Discord carries the request out as late as it can."""
    live = await room.begin("apb")
    send, sleep, late = discord.InteractionResponse.send_message, standing_time.sleep, list[partial[Any]]()

    async def lost(*given: Any, **named: Any) -> Any:
        late.append(partial(send, *given, **named))
        raise ConnectionResetError

    async def sleep_until_it_arrives(seconds: float) -> None:
        await sleep(seconds)
        await late[0]()

    with monkeypatch.context() as patch:
        patch.setattr(discord.InteractionResponse, "send_message", lost)
        patch.setattr(first_answer.asyncio, "sleep", sleep_until_it_arrives)
        sent = asyncio.create_task(room.type(live, FIRST))
        await until(lambda: len(room.boards) == 2, "the board is shown")
        assert_shown_once(room, await room.shown())
    assert len(late) == 1
    await sent


async def test_what_follows_a_board_whose_reply_is_lost_is_still_said(room: Room) -> None:
    """The next game is offered."""
    live = await room.begin("apb")
    await room.elsewhere(room.server.world.add_channel("more")).begin("apb")
    room.server.world.faults.fail_next("/callback", status=RESET, lost=True)
    await room.type(live, FIRST)
    assert_shown_once(room, await room.shown())
    assert room.bot is not None
    await told_all(room.bot)
    assert EN("next.waiting", n=1) in str(private(room.ana))


async def test_each_board_answers_its_own_turn(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second player plays before the first board is made."""
    live = await room.begin("apb")
    made, played = board.message, asyncio.Event()

    async def made_later(*given: Any) -> board.Message:
        await played.wait()
        return await made(*given)

    monkeypatch.setattr(board, "message", made_later)
    assert room.bot is not None
    offers = room.bot.service(BoardPublisher)._posts.answers._offers
    first = asyncio.create_task(room.type(live, FIRST))
    await until(lambda: live.id in offers, "the first turn is played")
    after_first = offers[live.id][1]
    other = asyncio.create_task(room.other(live).slash("abak move play", notation=SECOND))
    await until(lambda: offers[live.id][1] > after_first, "the second turn is played")
    played.set()
    second = await other
    await first
    shown = await room.shown()
    assert second.message is not None
    assert shows(second.message) == (shown.id, shown.seq)
    assert len({shows(message) for message in room.boards}) == len(room.boards)


@pytest.mark.parametrize(
    ("channel", "seq", "pressed"),
    [
        pytest.param(1, 0, None, id="in another channel"),
        pytest.param(0, 1, None, id="not yet with the turn"),
        pytest.param(0, 0, 1, id="on a ping, which is deleted"),
        pytest.param(0, 0, 0, id="on the board before"),
        pytest.param(0, 0, None, id="of a command"),
    ],
)
async def test_an_answer_is_used_for_a_board_that_fits(room: Room, channel: int, seq: int, pressed: int | None) -> None:
    live = await room.begin("apb")
    assert live.message_id is not None
    message = None if pressed is None else SimpleNamespace(id=live.message_id + pressed)
    interaction = SimpleNamespace(
        app_permissions=discord.Permissions.all(), channel=None, channel_id=room.channel_id + channel, message=message
    )
    used: list[object] = []

    async def public_if_first(*_: object) -> object:
        used.append(interaction)
        return interaction

    answers = BoardAnswers()
    given = SimpleNamespace(
        on_private=False, on_message=message is not None, interaction=interaction, public_if_first=public_if_first
    )
    offered = answers.offer(cast("Answer", given), cast("LiveGame", SimpleNamespace(id=live.id, seq=live.seq + seq)))
    made = cast("Any", SimpleNamespace(file=SimpleNamespace(reset=bool), content="", view=None, mentions=None))
    sent = await answers.send(live, made, is_kept=True)
    fits = not channel and not seq and not pressed
    assert bool(sent) is bool(used) is fits
    assert offered.done() is (not seq)  # else it is kept for the next board
    assert not offered.done() or offered.result() is fits
