"""Tests which presses of a picker are stale: those on another position. A note of time keeps the position."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import private, told, wired
from harness.hours import announce_vacation
from harness.play import play_elsewhere
from harness.players import Greedy
from harness.walks import OF_STEPS

from bot.core.translations import language

if TYPE_CHECKING:
    from typing import Any

    from harness.bot import Room

    from bot.games.live import LiveGame

EN = language("en")


def some_turn(live: LiveGame) -> tuple[Any, ...]:
    return Greedy(0, patience=9).turn(live.table.game, live.table.state)


def carried(message: dict[str, Any], verb: str, seq: int) -> str:
    """Returns the custom_id of a button from the time with so many entries."""
    names = [x["custom_id"] for x in wired(message)]
    return next(name for name in names if name[2:].startswith(f"{verb}:") and name.split(":")[3] == str(seq))


async def test_a_move_button_seen_before_a_note_of_time_opens_the_picker(room: Room) -> None:
    live = await room.begin("apb", time="3d/move")
    who = room.to_move(live)
    await who.slash("abak board")
    board = private(who)
    await announce_vacation(room, room.other(live))
    await who.press(carried(board, "move", live.seq), board)
    assert EN("picker.what") in told(who)


@pytest.mark.parametrize("game", OF_STEPS)
async def test_a_picker_opened_before_a_note_of_time_goes_on_and_is_confirmed(room: Room, game: str) -> None:
    live = await room.begin(game, time="3d/move")
    who, steps = room.to_move(live), some_turn(live)
    await who.press("b:move:", room.board)
    picker = private(who)
    await room.tap_steps(live, picker, steps[:1])
    assert carried(who.fresh(picker), "pick", live.seq)
    noted = await announce_vacation(room, room.other(live))
    await room.tap_steps(live, picker, steps, done=1)
    confirm = carried(who.fresh(picker), "confirm", noted.seq)
    await who.press(confirm, picker)
    played = await room.shown()
    assert played.table.record.entries[noted.seq].body == live.table.game.format(live.table.state, steps)


@pytest.mark.parametrize("game", OF_STEPS)
async def test_confirm_seen_before_a_note_of_time_plays(room: Room, game: str) -> None:
    live = await room.begin(game, time="3d/move")
    who, steps = room.to_move(live), some_turn(live)
    await who.press("b:move:", room.board)
    picker = private(who)
    await room.tap_steps(live, picker, steps)
    confirm = carried(who.fresh(picker), "confirm", live.seq)
    noted = await announce_vacation(room, room.other(live))
    await who.press(confirm, picker)
    played = await room.shown()
    assert played.table.record.entries[noted.seq].body == live.table.game.format(live.table.state, steps)


async def test_a_move_that_comes_between_makes_confirm_stale(room: Room) -> None:
    live = await room.begin("apb", time="3d/move")
    who, steps = room.to_move(live), some_turn(live)
    await who.press("b:move:", room.board)
    picker = private(who)
    await room.tap_steps(live, picker, steps)
    confirm = carried(who.fresh(picker), "confirm", live.seq)
    for _ in range(2):
        now = await room.shown()  # a turn that is typed would close the picker
        await play_elsewhere(room, now, some_turn(now))
    now = await room.shown()
    await announce_vacation(room, room.other(now))
    await who.press(confirm, picker)
    assert told(who).startswith(EN("table.stale"))
    assert (await room.present()).seq == now.seq + 1
