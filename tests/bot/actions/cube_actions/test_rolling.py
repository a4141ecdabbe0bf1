"""Tests the ways to roll instead of doubling: a button, a command, a word and the preference to roll."""

from __future__ import annotations

from harness.bot import Room, private, told
from harness.cube import course, cube_game, first_turn, labels, press, verbs
from harness.discord import alt, text
from harness.positions import placed

from bot.core.translations import language
from bot.players.service import PreferenceService
from engine.core.errors import Translated

EN = language("en")


@cube_game
async def test_the_board_asks_to_roll_or_to_double(room: Room, game: str) -> None:
    await first_turn(room, game)
    legend = ["legend"] if game == "abak" else []
    assert verbs(room.board) == ["roll", "double", "flip", "more", *legend]
    assert labels(room.board)[:2] == ["Roll", "Double"]
    assert EN("cube_action.turn.roll", player=room.ben.mention) in text(room.board)
    assert "cube is in the middle, at 1" in alt(room.board)[0]


@cube_game
async def test_roll_throws_the_dice_and_opens_the_picker(room: Room, game: str) -> None:
    await first_turn(room, game)
    await press(room.ben, "roll", room.board)
    live = await room.shown()
    assert course(live)[-2:] == ["play 1 roll", "chance -1 52"]
    assert EN("picker.what") in told(room.ben)
    assert any(verb == "pick" for verb in verbs(private(room.ben)))
    assert verbs(room.board)[0] == "move"
    lines = text(room.board).splitlines()
    assert EN("dice.rolled", seat=Translated("@seat.black"), first=5, second=2) in lines
    assert not [line for line in lines if "`roll`" in line]


@cube_game
async def test_a_turn_takes_no_more_taps_than_without_the_cube(room: Room, game: str) -> None:
    """Roll takes the place of Move; a tap for each die, Confirm."""
    await first_turn(room, game)
    await press(room.ben, "roll", room.board)
    live = await room.shown()
    picker_message = private(room.ben)
    steps, _ = live.table.game.turns(live.table.state)[0]
    room.taps = 1
    await room.tap_steps(live, picker_message, steps)
    await room.confirm(room.ben, picker_message)
    played = await room.shown()
    assert played.table.to_act == 0
    assert room.taps <= 2 + len(steps)


@cube_game
async def test_roll_and_double_are_commands_too(room: Room, game: str) -> None:
    await first_turn(room, game)
    await room.ben.slash("abak double")
    assert told(room.ben) == EN("cube_action.double.confirm", value=2, n=1)
    await room.ben.slash("abak roll")
    assert course(await room.shown())[-1] == "chance -1 52"
    await room.ben.slash("abak roll")
    assert EN("cube.rolled", roll="5-2") in told(room.ben)
    await room.ana.slash("abak roll")
    assert told(room.ana) == EN("table.not_your_turn")


@cube_game
async def test_typed_words_do_as_buttons_do(room: Room, game: str) -> None:
    live = await first_turn(room, game)
    await room.type(live, "double")
    assert told(room.ben) == EN("cube_action.double.confirm", value=2, n=1)
    assert (await room.shown()).seq == live.seq
    await room.type(live, "Roll")
    assert course(await room.shown())[-1] == "chance -1 52"


@cube_game
async def test_the_preference_rolls_and_says_so(room: Room, game: str) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_user(room.ben.user_id, "roll", "auto")
    live = await first_turn(room, game)
    assert course(live)[-2:] == ["automatic 1 roll", "chance -1 52"]
    assert EN("story.automatic.cube.does.rolls", seat=Translated("@seat.black")) in text(room.board).splitlines()
    assert live.table.last_move is not None
    assert live.table.last_move.seat == 0
    assert verbs(room.board)[0] == "move"
    await room.bot.service(PreferenceService).set_user(room.ana.user_id, "roll", "auto")
    steps, _ = live.table.game.turns(live.table.state)[0]
    await room.type(live, live.table.game.format(live.table.state, steps))
    assert course(await room.shown())[-2:] == ["automatic 0 roll", "chance -1 64"]


BLOCKED = {
    "abak": "ABAKID=16/S/2/ss/3/ss:-:0:0:1:33:0:0:0:0:10",
    "backgammon": "XGID=-------------------bbbbbbA:0:0:1:61:0:0:0:0:10",
}
"""White has rolled and cannot move: a pass, which only ends the turn."""


@cube_game
async def test_a_turn_without_a_move_is_no_pass_of_the_cube(room: Room, game: str) -> None:
    live = await placed(room, game, BLOCKED[game], cube="on")
    assert list(live.table.game.legal(live.table.state)) == list(live.table.game.parse(live.table.state, "pass"))
    assert verbs(room.board)[0] == "only"
    assert EN("board.turn", player=room.ana.mention) in text(room.board)
    await room.type(live, "pass")
    after = await room.shown()
    assert after.seq == 1
    assert after.table.outcome is None
    assert verbs(room.board)[:2] == ["roll", "double"]


@cube_game
async def test_plays_are_suggested_with_what_they_do(room: Room, game: str) -> None:
    await first_turn(room, game)
    offered = await room.ben.choices("abak move play", "notation", notation="")
    assert [choice["value"] for choice in offered] == ["roll", "double"]
    assert offered[1]["name"] == f"double, {EN('cube.does.doubles', value=2, n=1)}"


@cube_game
async def test_a_turn_has_one_board_for_the_roll_and_the_choice_of_the_move(room: Room, game: str) -> None:
    """Rolling changes the board that stands; it is told again what led there, and nobody is pinged a second time."""
    await first_turn(room, game)
    asked, boards = room.board, len(room.boards)
    before = [line for line in text(asked).splitlines() if "`" in line and "🔒" not in line]
    (promise,) = [line for line in text(asked).splitlines() if "🔒" in line]
    pings = len(room.pings)
    await press(room.ben, "roll", asked)
    live = await room.shown()
    assert room.board["id"] == asked["id"]
    assert len(room.boards) == boards
    assert len(room.pings) == pings
    assert verbs(room.board)[0] == "move"
    lines = text(room.board).splitlines()
    assert EN("dice.rolled", seat=Translated("@seat.black"), first=5, second=2) in lines
    assert before
    assert [line for line in before if line not in lines] == []
    assert [line.startswith(f"{promise} → `") for line in lines if "🔒" in line] == [True]
    steps, _ = live.table.game.turns(live.table.state)[0]
    await room.type(live, live.table.game.format(live.table.state, steps))
    await room.shown()
    assert room.board["id"] != asked["id"]
    assert len(room.pings) == pings + 1
