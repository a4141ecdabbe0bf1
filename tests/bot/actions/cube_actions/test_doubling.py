"""Doubles are asked about, taken, passed, and answered with another; they can be taken back."""

from __future__ import annotations

import pytest
from harness.bot import Room, private, told, wired
from harness.cube import FIRST, course, cube_game, doubled, first_turn, insist, labels, press, verbs
from harness.discord import alt, text

from bot.board import message as board
from bot.core.translations import language
from bot.moves import picker
from bot.moves.draft import Draft, follow
from engine.core.errors import Translated
from engine.core.record import Kind
from engine.kits.cube import CubeAction
from engine.kits.dice import Roll
from engine.registry import GAMES

EN = language("en")
GREEN, RED = 3, 4


@cube_game
async def test_double_is_asked_about_with_the_harmless_choice_first(room: Room, game: str) -> None:
    live = await first_turn(room, game)
    await press(room.ben, "double", room.board)
    asked = private(room.ben)
    assert text(asked) == EN("cube_action.double.confirm", value=2, n=1)
    assert verbs(asked) == ["cube_cancel", "cube_confirm"]
    await room.ben.press("b:cube_cancel:", asked)
    assert told(room.ben) == EN("cube_action.cancelled")
    assert (await room.shown()).seq == live.seq


@cube_game
async def test_a_double_is_taken_by_the_first_button(room: Room, game: str) -> None:
    live = await doubled(room, game)
    assert course(live)[-1] == "play 1 double"
    assert labels(room.board)[:3] == ["Take: play on for 2", "Pass: lose 1", "Flip"]
    asked = EN("cube_action.turn.take", player=room.ana.mention, other=Translated("@side.black"), value=2)
    assert [line for line in text(room.board).splitlines() if "doubles" in line] == [asked]
    assert "Black doubles to 2" in alt(room.board)[0]
    assert verbs(room.board) == ["take", "pass", "flip", "more"]
    assert [x["style"] for x in wired(room.board)[:2]] == [GREEN, RED]
    for who in (room.ana, room.ben):
        await who.press("b:more:", room.board)
        assert {"flip", "resign"} <= set(verbs(private(who)))
    assert room.pings[-1][0] == room.ana.user_id
    said = len(room.ana.messages)
    doubled_board = room.board
    await press(room.ana, "take", room.board)
    taken = await room.shown()
    assert course(taken)[-2:] == ["play 0 take", "chance -1 52"]
    assert taken.table.to_act == 1
    assert len(room.ana.messages) == said + 1  # the new board alone
    assert room.ana.mention not in text(room.ana.fresh(doubled_board)).partition("\n")[2]  # it asks nobody any more
    assert taken.table.state.fields.cube_value == 2
    assert "White owns the cube, at 2" in alt(room.board)[0]
    assert verbs(room.board)[0] == "move"


@cube_game
async def test_a_double_is_passed_and_the_card_says_the_points(room: Room, game: str) -> None:
    await doubled(room, game)
    await press(room.ana, "pass", room.board)
    ended = await room.shown()
    assert ended.table.outcome is not None
    assert (ended.table.outcome.points, ended.table.outcome.reason) == ((-1, 1), "end.passed")
    won = EN("board.won_points", player=room.ben.mention, how=f"{room.ana.mention} passed the double", n=1)
    assert won in text(room.board)
    assert EN("story.cube.does.passes", seat=Translated("@side.white")) not in text(room.board)  # it is told once
    card = board.result(ended, EN, ("Ana", "Ben"))
    assert card.facts == (EN("card.turns", n=1),)  # what was said was no turn
    assert (card.result, card.how) == (EN("card.points", n=1), "Ana passed the double")
    assert verbs(room.board) == ["rematch", "replay", "flip"]
    await room.ana.press("b:replay:", room.board)
    assert "passed the double" in told(room.ana)
    shown = private(room.ana)
    assert EN("replay.end", n=1) in text(shown)
    await room.ana.press(EN("button.back"), shown)
    assert EN("replay.turn", number=1, n=1) in text(room.ana.fresh(shown))
    await room.ana.press(EN("button.forward"), shown)
    assert EN("replay.end", n=1) in text(room.ana.fresh(shown))
    await room.ana.press("b:record:", private(room.ana))
    written = [line for line in told(room.ana).splitlines() if line[:1].isdecimal()]
    assert len(written) == 1
    assert f"   {EN('story.cube.does.passes', seat=Translated('@seat.white'))}" in told(room.ana).splitlines()


@cube_game
async def test_the_taker_redoubles_and_the_loser_pays_for_the_cube(room: Room, game: str) -> None:
    await doubled(room, game)
    live = await insist(room, room.ana, "take")
    steps, _ = live.table.game.turns(live.table.state)[0]
    await room.type(live, live.table.game.format(live.table.state, steps))
    live = await room.shown()
    assert verbs(room.board)[:2] == ["roll", "double"]
    await insist(room, room.ana, "double")
    assert labels(room.board)[:2] == ["Take: play on for 4", "Pass: lose 2"]
    ended = await insist(room, room.ben, "pass")
    assert ended.table.outcome is not None
    assert ended.table.outcome.points == (2, -2)


@cube_game
@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
async def test_the_message_with_the_move_names_its_dice(room: Room, game: str, locale: str) -> None:
    room.speak(locale)
    await first_turn(room, game)
    live = await room.present()
    dice = room.say("story.play_dice", seat=Translated("@side.white"), dice="3-1", move=FIRST[game])
    assert dice in text(room.board)
    await press(room.ben, "roll", room.board)
    live = await room.shown()
    assert room.say("dice.rolled", seat=Translated("@side.black"), first=5, second=2) in text(room.board)
    steps, _ = live.table.game.turns(live.table.state)[0]
    move = live.table.game.format(live.table.state, steps)
    await room.type(live, move)
    await room.shown()
    assert room.say("story.play_dice", seat=Translated("@side.black"), dice="5-2", move=move) in text(room.board)
    await room.ana.slash("abak takeback")
    assert told(room.ana) == room.say("table.dice_fell")
    await room.ana.slash("abak replay")
    rolled = room.say("dice.rolled", seat=Translated("@side.black"), first=5, second=2)
    played = room.say("story.play", seat=Translated("@side.black"), move=move)
    assert f"{rolled}\n{played}" in told(room.ana)


@cube_game
def test_what_is_not_to_be_said_by_habit_is_asked_about_in_any_way(game: str) -> None:
    rules = GAMES[game]
    options = rules.settle_options({"cube": "on"})
    deciding = rules.start(options)
    for step in (*rules.parse(deciding, "31"), *rules.parse(rules.apply(deciding, Roll(3, 1)), FIRST[game])):
        deciding = rules.apply(deciding, step)
    doubled = rules.apply(deciding, CubeAction.DOUBLE)
    at_once = [
        picker.plays_at_once(follow(rules, state, Draft((number,))), "never")
        for state in (deciding, doubled)
        for number in range(2)
    ]
    assert at_once == [True, False, True, False]  # a pass is asked about in the picker, as it loses


@cube_game
async def test_a_double_can_be_taken_back_by_consent(room: Room, game: str) -> None:
    live = await doubled(room, game)
    await room.ben.slash("abak takeback")
    await room.ben.press("b:ask_back:", private(room.ben))
    await room.shown()
    await room.ana.press("b:accept:", room.board)
    back = await room.shown()
    assert verbs(room.board)[:2] == ["roll", "double"]
    assert back.table.record.entries[-1].kind is Kind.ACCEPT
    assert back.seq > live.seq
