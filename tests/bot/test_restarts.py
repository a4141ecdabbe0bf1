"""After a restart everything goes on where it was: buttons, pickers, challenges, boards that were not shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.boards import assert_shown_once, out_of_reach
from harness.bot import Room, bot_running, milliseconds, private, told, wired
from harness.discord import text, until
from harness.players import Greedy
from harness.scene import FIRST, SECOND

from bot.board.delivery.publisher import BoardPublisher
from bot.core.translations import language
from bot.core.workers import FIRST_PAUSE
from bot.notifications.dispatcher import NotificationDispatcher
from engine.registry import GAMES

if TYPE_CHECKING:
    from bot.sandbox.server import Server

EN = language("en")


@pytest.mark.parametrize("game", GAMES)
async def test_buttons_and_a_picker_go_on_after_a_restart(stand_in: Server, sqlite_url: str, game: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin(game)
        steps = Greedy().turn(live.table.game, live.table.state)
        who = room.to_move(live)
        await who.press("b:move:", room.board)
        picker = private(who)
        done = min(1, len(steps) - 1)
        await room.tap_steps(live, picker, steps[:done])
    async with bot_running(stand_in, sqlite_url) as room.bot:
        await room.tap_steps(live, picker, steps, done=done)
        await room.confirm(who, picker)
        after = await room.shown()
        assert_shown_once(room, after)
        await room.to_move(after).press("b:move:", room.board)
        assert EN("picker.what") in told(room.to_move(after))


async def test_a_challenge_can_be_accepted_after_a_restart(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        message = await room.challenge("apb")
    async with bot_running(stand_in, sqlite_url) as room.bot:
        await room.ben.press("b:accept_challenge:", message)
        assert_shown_once(room, await room.shown())


async def test_what_was_played_but_not_shown_is_shown_after_a_restart(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        out_of_reach(room)
        stand_in.world.faults.fail_next("POST /channels", status=403, code=50013)
        await room.play(live, FIRST)
        await bot.service(BoardPublisher).idle()
        await bot.service(NotificationDispatcher).turn()
        assert len(room.boards) == 1
    later = milliseconds() + FIRST_PAUSE
    async with bot_running(stand_in, sqlite_url, now=lambda: later) as room.bot:
        await until(lambda: len(room.boards) == 2, "the second board is shown")
        assert_shown_once(room, await room.shown())
        assert EN("story.play", seat=EN("seat.white"), move=FIRST) in text(room.board)


async def test_boards_that_a_dead_process_sent_and_never_noted_are_tidied(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        stand_in.world.faults.fail_next("POST /channels", status=403, lost=True)
        await room.play(live, FIRST)
        await bot.service(BoardPublisher).idle()
        await bot.service(BoardPublisher).close()
        await room.ben.slash("abak move play", notation=SECOND)
    assert [wired(board) != [] for board in room.boards] == [True, True]
    async with bot_running(stand_in, sqlite_url) as room.bot:
        await until(lambda: len(room.boards) == 3, "the third board is shown")
        assert_shown_once(room, await room.shown())


async def test_a_board_from_before_a_restart_does_not_say_whose_turn_it_is_for_ever(
    stand_in: Server, sqlite_url: str
) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("abalone")
        await room.type(live, "a1b1")
        live = await room.shown()
        awaited = EN("board.turn", player=room.to_move(live).mention)
        assert awaited in text(room.board)
    old = room.board
    async with bot_running(stand_in, sqlite_url) as room.bot:
        await room.type(live, "g5f4")
        await room.shown()
    told_then = text(stand_in.world.messages.find(int(old["id"])))
    assert awaited not in told_then
    assert EN("story.play", seat=EN("seat.black"), move="a1b1") in told_then
