"""Requests that Discord does not grant, or whose answer is lost: every board is shown in the end, and none twice."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from harness.boards import assert_shown_once, out_of_reach
from harness.bot import Room, bot_running, private, told
from harness.discord import alt, text, until
from harness.origins import shows
from harness.scene import FIRST, SECOND

from bot.board.delivery import posting, publisher
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.core.translations import language
from bot.games.service import GameService
from bot.notifications.dispatcher import NotificationDispatcher
from bot.sandbox.state import permissions

if TYPE_CHECKING:
    from harness.undelivered import Undelivered

    from bot.sandbox.server import Server

EN = language("en")


@pytest.mark.parametrize(
    "failing",
    [
        {"status": 429},
        {"status": 429, "everywhere": True},
        {"status": 500},
        {"status": 502, "lost": True},  # it arrived, and the bot does not know
        {"status": 400},
    ],
    ids=str,
)
async def test_a_board_that_could_not_be_sent_is_sent_again(
    room: Room, failing: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RETRIES", (0.01, 0.01))
    live = await room.begin("apb")
    room.server.world.faults.fail_next(f"POST /channels/{room.channel_id}/messages", **failing)
    await room.play(live, FIRST)
    assert_shown_once(room, await room.shown())


async def test_the_line_of_an_offer_is_put_away_once_though_the_answer_fails_at_first(
    stand_in: Server, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is remembered, and the second attempt finds it in the channel, too: one row for both."""
    monkeypatch.setattr(publisher, "RETRIES", (0.01, 0.01))
    async with bot_running(stand_in, postgres_url) as bot:
        room = Room.of(stand_in, bot)
        await room.begin("abalone")
        await room.ana.slash("abak draw")
        await room.ana.press("b:draw:", private(room.ana))
        await room.shown()
        world = room.server.world
        world.faults.fail_next(f"PATCH /channels/{room.channel_id}/messages/{room.board['id']}", status=400)
        await room.ben.press("b:decline:", room.board)
        await room.shown()


@pytest.mark.parametrize("history", [True, False])
async def test_a_board_that_arrived_unnoticed_is_not_sent_twice(
    room: Room, history: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord tells two alike by their nonce for some minutes; after that the channel itself is asked."""
    monkeypatch.setattr(publisher, "RETRIES", (0.2, 0.01))
    live, world = await room.begin("apb"), room.server.world
    world.faults.fail_next(f"POST /channels/{room.channel_id}/messages", status=400, lost=True)
    if history:
        world.subscribe(lambda _: world.messages.nonces.clear())
    else:
        world.deny(room.channel_id, permissions.READ_MESSAGE_HISTORY)
    await room.play(live, FIRST)
    assert_shown_once(room, await room.shown())


async def test_a_board_that_arrived_is_found_however_many_messages_came_since(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RETRIES", (0.2, 0.01))
    live, world = await room.begin("apb"), room.server.world
    world.faults.fail_next(f"POST /channels/{room.channel_id}/messages", status=400, lost=True)
    await room.play(live, FIRST)
    await until(lambda: len(room.boards) == 2, "the board arrives")
    world.messages.nonces.clear()
    for number in range(250):
        room.ben.say(f"{number}")
    assert_shown_once(room, await room.shown())
    assert len(room.boards) == 2


async def test_the_sweep_shows_what_the_attempts_did_not(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RETRIES", (0.01, 0.01))
    monkeypatch.setattr(publisher, "SWEEP", 0.1)
    sweeps, due = list[object](), BoardDelivery.due

    async def noted(delivery: BoardDelivery, *after: Any) -> list[Any]:
        found = await due(delivery, *after)
        sweeps.append(found)
        return found

    monkeypatch.setattr(BoardDelivery, "due", noted)
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        out_of_reach(room)
        stand_in.world.deny(room.channel_id, permissions.SEND_MESSAGES)
        await room.type(live, FIRST)
        await bot.service(BoardPublisher).idle()
        assert await bot.service(BoardDelivery).store.attempts(live.id) == 1, "every attempt at once has failed"
        before = len(sweeps)
        await until(lambda: len(sweeps) >= before + 2, "it has looked for boards that are due")
        await bot.service(BoardPublisher).idle()
        await bot.service(NotificationDispatcher).turn()
        assert len(room.boards) == 1
        stand_in.world.allow(room.channel_id, permissions.SEND_MESSAGES)
        await until(lambda: len(room.boards) == 2, "the second board is shown")
        assert_shown_once(room, await room.shown())


async def test_two_moves_that_were_not_shown_are_told_together(room: Room) -> None:
    live = await room.begin("apb")
    out_of_reach(room)
    room.server.world.deny(room.channel_id, permissions.SEND_MESSAGES)
    await room.type(live, FIRST)
    assert room.bot is not None
    await room.ben.slash("abak move play", notation=SECOND)
    await room.bot.service(BoardPublisher).idle()
    await room.bot.service(NotificationDispatcher).turn()
    room.server.world.allow(room.channel_id, permissions.SEND_MESSAGES)
    await until(lambda: len(room.boards) == 2, "the board is shown")
    assert_shown_once(room, await room.shown())
    assert FIRST in text(room.board)
    assert SECOND in text(room.board)
    assert len(room.boards) == 2


async def test_an_old_board_that_is_gone_does_not_hinder_the_next(room: Room) -> None:
    live = await room.begin("apb")
    room.server.world.delete_message(int(room.board["id"]))
    await room.type(live, FIRST)
    after = await room.shown()
    assert shows(room.board) == (after.id, 1)


async def test_a_channel_that_is_gone_takes_no_other_game_with_it(room: Room) -> None:
    live = await room.begin("apb")
    other = room.elsewhere(room.server.world.add_channel("more"))
    beside = await other.begin("abalone")
    room.server.world.delete_channel(room.channel_id)
    assert room.bot is not None
    await room.bot.service(GameService).play(live.id, room.ana.user_id, 0, FIRST)
    await other.type(beside, "a1b1")
    assert_shown_once(other, await other.shown())


async def test_a_callback_that_fails_is_repeated(room: Room) -> None:
    live = await room.begin("apb")
    room.server.world.faults.fail_next("/callback", status=500)
    await room.ana.press("b:move:", room.board)
    assert EN("picker.what") in told(room.ana)
    room.server.world.faults.fail_next("/callback", status=500, lost=True)
    await room.ana.press("b:flip:", room.board)
    assert len(alt(private(room.ana))) == 1
    assert await room.present() == live


async def test_a_move_whose_answer_comes_too_late_is_played_all_the_same(room: Room) -> None:
    live = await room.begin("apb")
    room.server.world.faults.fail_next("/callback", status=404, code=10062)
    pressing = asyncio.create_task(room.type(live, FIRST))
    await until(lambda: len(room.boards) == 2, "the board is shown")
    pressing.cancel()
    assert_shown_once(room, await room.shown())


async def test_a_board_whose_request_hangs_is_sent_again_under_its_nonce(
    scene: Undelivered, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RETRIES", (0.01,) * 9)
    room, world = scene.room, scene.world
    live = await room.begin("apb")
    with monkeypatch.context() as hanging:
        hanging.setattr(posting, "SENT", 0.1)
        world.faults.delay(f"POST /channels/{room.channel_id}/messages", 3600)
        given_up: list[str] = []
        hanging.setattr(publisher, "log", SimpleNamespace(warning=lambda event, **_: given_up.append(event)))
        await scene.bot.service(GameService).play(live.id, live.to_act or 0, None, FIRST)
        await until(lambda: "board_not_shown" in given_up, "the first attempt is given up")
    world.faults.clear()
    assert_shown_once(room, await room.shown())


async def test_boards_come_at_once_after_an_outage_of_discord(
    scene: Undelivered, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time stands still: the next attempt by itself would be in a minute."""
    monkeypatch.setattr(publisher, "RETRIES", (0.01,))
    room, boards, faults = scene.room, scene.bot.service(BoardPublisher), scene.world.faults
    live = await room.begin("apb")
    faults.fail_next("", status=503, times=10_000)
    await scene.bot.service(GameService).play(live.id, live.to_act or 0, None, FIRST)
    await boards.idle()
    await boards.end_outage()
    assert (await scene.row()).next_attempt_at > scene.time.at
    faults.clear()
    await boards.end_outage()
    await boards.idle()
    assert_shown_once(room, await room.shown())


async def test_a_board_that_fails_while_discord_answers_waits_ever_longer(
    scene: Undelivered, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RETRIES", (0.01,))
    room, boards = scene.room, scene.bot.service(BoardPublisher)
    live = await room.begin("apb")
    scene.world.faults.fail_next(f"channels/{room.channel_id}/messages", status=503, times=10_000)
    await scene.bot.service(GameService).play(live.id, live.to_act or 0, None, FIRST)
    await boards.idle()
    await boards.end_outage()
    row = await scene.row()
    assert (row.attempts, row.next_attempt_at > scene.time.at) == (1, True)
