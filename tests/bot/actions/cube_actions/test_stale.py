"""Cube actions count as long as the position stands, also after notes of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from harness.bot import private, told
from harness.cube import FIRST, course, cube_game, press
from harness.hours import announce_vacation

from bot.core.translations import language

if TYPE_CHECKING:
    from harness.bot import Room

    from bot.games.live import LiveGame

EN = language("en")


async def first_turn(room: Room, game: str) -> LiveGame:
    """Begins a game by a clock: Ana has played the opening roll, Ben is to roll or to double."""
    live = await room.begin(game, cube="on", time="3d/move")
    await room.type(live, FIRST[game])
    return await room.shown()


@cube_game
async def test_roll_seen_before_a_note_of_time_rolls(room: Room, game: str) -> None:
    live = await first_turn(room, game)
    await room.ben.slash("abak board")
    seen = private(room.ben)
    await announce_vacation(room, room.ana)
    await room.ben.press(f"b:cube:{live.id}:{live.seq}:roll", seen)
    assert course(await room.shown())[-2:] == ["play 1 roll", "chance -1 52"]


@cube_game
async def test_a_double_asked_about_before_a_note_of_time_is_made(room: Room, game: str) -> None:
    live = await first_turn(room, game)
    await press(room.ben, "double", room.board)
    asked = private(room.ben)
    await announce_vacation(room, room.ana)
    await room.ben.press(f"b:cube_confirm:{live.id}:{live.seq}:double", asked)
    assert course(await room.shown())[-1] == "play 1 double"


@cube_game
async def test_a_roll_that_comes_between_makes_a_double_stale(room: Room, game: str) -> None:
    live = await first_turn(room, game)
    await press(room.ben, "double", room.board)
    asked = private(room.ben)
    await press(room.ben, "roll", room.board)
    rolled = await room.shown()
    await room.ben.press(f"b:cube_confirm:{live.id}:{live.seq}:double", asked)
    assert told(room.ben).startswith(EN("table.stale"))
    assert (await room.present()).seq == rolled.seq
