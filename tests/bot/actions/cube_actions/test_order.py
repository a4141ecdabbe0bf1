"""Rolling edits the board in place, and then the picker opens below it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import Room, bot_running, is_gone, private
from harness.cube import ROLLS, AnyRolls, first_turn, press, verbs
from harness.discord import PATIENT, is_ephemeral, until

from bot.actions import cube_actions
from bot.board.delivery import posting
from bot.board.delivery.publisher import BoardPublisher
from bot.games.service import GameService

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server


TURNS = 8


@pytest.fixture
async def room(stand_in: Server, sqlite_url: str) -> AsyncIterator[Room]:
    async with bot_running(stand_in, sqlite_url, luck=AnyRolls(ROLLS * 8)) as bot:
        yield Room.of(stand_in, bot)


async def test_the_picker_always_opens_below_the_board(room: Room) -> None:
    await first_turn(room, "backgammon")
    for number in range(TURNS):
        live = await room.present()
        who, boards = room.to_move(live), len(room.boards)
        await press(who, "roll", room.board)
        picker = private(who)
        assert "pick" in verbs(picker), number
        assert verbs(room.board)[0] == "move"  # the board has been edited before the picker came
        assert len(room.boards) == boards  # and no other was posted
        assert who.messages[-1]["id"] == picker["id"]
        rolled = await room.shown()
        if rolled.is_over:
            break
        steps, _ = rolled.game.turns(rolled.state)[0]
        await room.tap_steps(rolled, picker, steps)
        await room.confirm(who, picker)
        assert is_gone(who, picker)
        await room.shown()
        if (await room.present()).is_over:
            break


async def test_a_board_that_cannot_be_edited_does_not_hold_up_the_picker(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    await first_turn(room, "backgammon")
    assert room.bot is not None
    edited, edit = asyncio.Event(), room.bot.http.edit_message

    async def held(*given: Any, **named: Any) -> Any:
        await edited.wait()
        return await edit(*given, **named)

    monkeypatch.setattr(room.bot.http, "edit_message", held)
    monkeypatch.setattr(posting, "EDITED", PATIENT)
    monkeypatch.setattr(cube_actions, "BOARD_FIRST", 0.2)
    await press(room.ben, "roll", room.board)
    assert "pick" in verbs(private(room.ben))
    live = await room.present()
    assert live.shown_seq < live.seq, "the picker came before the board"
    edited.set()
    await room.shown()


async def test_move_opens_no_second_picker_beside_the_first(room: Room) -> None:
    await first_turn(room, "backgammon")
    await press(room.ben, "roll", room.board)
    await room.shown()
    first = private(room.ben)
    await room.ben.press("b:move:", room.board)
    second = private(room.ben)
    assert second["id"] != first["id"]
    await until(lambda: is_gone(room.ben, first), "the first picker is gone")
    live = await room.present()
    steps, _ = live.game.turns(live.state)[0]
    await room.tap_steps(live, second, steps)
    await room.confirm(room.ben, second)
    assert is_gone(room.ben, second)


async def test_a_roll_is_not_called_stale_for_what_the_opponent_has_done_since(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The opponent resigns between the roll and the picker."""
    await first_turn(room, "backgammon")
    live, bot = await room.present(), room.bot
    assert bot is not None
    waited = BoardPublisher.wait_for_board

    async def resigned(self: BoardPublisher, game_id: str, seconds: float) -> None:
        await waited(self, game_id, seconds)
        await bot.service(GameService).resign(game_id, room.ana.user_id, 1)

    monkeypatch.setattr(BoardPublisher, "wait_for_board", resigned)
    assert room.to_move(live) == room.ben
    await press(room.ben, "roll", room.board)
    after = await room.shown()
    assert after.is_over
    assert "roll" in [entry.body for entry in after.table.record.entries]
    assert [m for m in room.ben.messages if is_ephemeral(m)] == []
