"""The cube over the socket: rolling, doubling, taking, passing; by buttons and by commands; in both games with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fakes.luck import ScriptedLuck
from harness.bot import Room, bot_running, private, told, wired
from harness.discord import Seat, alt, text
from harness.positions import placed

from bot.i18n import language
from bot.ui import board, picker
from bot.ui.draft import Draft, follow
from engine.core.record import Kind
from engine.kits.cube import Call
from engine.kits.dice import Roll
from engine.registry import GAMES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server
    from bot.services.tables import Seated

EN = language("en")
CUBED = [key for key, game in GAMES.items() if any(option.key == "cube" for option in game.options)]
FIRST = {"backgammon": "8/5 6/5", "abak": "24/23 8/5"}
"""White's turn after the opening roll 3-1."""
both = pytest.mark.parametrize("game", CUBED)
ROLLS = ["31", "52", "64", "41", "53", "62"]


class AnyRolls(ScriptedLuck):
    """A script of which not everything need be rolled."""

    def close(self) -> None:
        self._left.clear()


@pytest.fixture
async def room(stand_in: Server, sqlite_url: str) -> AsyncIterator[Room]:
    async with bot_running(stand_in, sqlite_url, luck=AnyRolls(ROLLS)) as bot:
        yield Room.of(stand_in, bot)


def verbs(message: dict[str, Any]) -> list[str]:
    """What the buttons do; for calls, what they say."""
    parts = [x["custom_id"].split(":") for x in wired(message)]
    return [part[4] if part[1] == "call" else part[1] for part in parts]


def labels(message: dict[str, Any]) -> list[str]:
    return [x["label"] for x in wired(message)]


def course(seated: Seated) -> list[str]:
    return [f"{entry.kind} {entry.seat} {entry.body.split(' ')[0]}" for entry in seated.table.record.entries]


async def press(who: Seat, word: str, message: dict[str, Any]) -> None:
    """Presses the button that says the word."""
    button = next(x for x in wired(message) if x["custom_id"].endswith(f":{word}"))
    await who.press(button["custom_id"], message)


async def first_turn(room: Room, game: str) -> Seated:
    """Ana (White) has played the opening roll; Ben is to roll or to double."""
    seated = await room.begin(game, cube="on")
    await room.type(seated, FIRST[game])
    return await room.shown()


async def doubled(room: Room, game: str) -> Seated:
    await first_turn(room, game)
    await press(room.ben, "double", room.board)
    await press(room.ben, "double", private(room.ben))
    return await room.shown()


def test_two_games_have_a_cube() -> None:
    assert sorted(CUBED) == ["abak", "backgammon"]


# --- the challenge ---------------------------------------------------------------------------------------------------


@both
async def test_the_challenge_says_that_the_cube_is_in_play(room: Room, game: str) -> None:
    assert EN("challenge.cube") in text(await room.challenge(game, cube="on"))
    assert EN("challenge.cube") not in text(await room.challenge(game, cube="off"))
    assert EN("challenge.cube") not in text(await room.challenge(game))


@pytest.mark.parametrize("game", [key for key in GAMES if key not in CUBED])
async def test_games_without_a_cube_refuse_it(room: Room, game: str) -> None:
    await room.ana.slash("abak challenge", opponent=room.ben, game=game, cube="on")
    assert told(room.ana) == EN("challenge.no_cube", game=GAMES[game].name)
    await room.begin(game, cube="off")
    assert verbs(room.board)[0] == "move"
    await room.ana.slash("abak double")
    assert told(room.ana) == EN("call.none", game=GAMES[game].name)


@both
async def test_without_the_option_dice_fall_by_themselves(room: Room, game: str) -> None:
    seated = await room.begin(game)
    await room.type(seated, FIRST[game])
    seated = await room.shown()
    assert course(seated)[-1] == "chance -1 52"
    assert verbs(room.board)[0] == "move"
    await room.ben.slash("abak double")
    assert EN("cube.after_roll") in told(room.ben)


@both
async def test_a_rematch_keeps_the_cube(room: Room, game: str) -> None:
    await doubled(room, game)
    await press(room.ana, "pass", room.board)
    await press(room.ana, "pass", private(room.ana))
    await room.shown()
    await room.ben.press("b:rematch:", room.board)
    assert EN("challenge.cube") in text(room.ben.messages[-1])


# --- rolling ---------------------------------------------------------------------------------------------------------


@both
async def test_the_board_asks_to_roll_or_to_double(room: Room, game: str) -> None:
    await first_turn(room, game)
    assert verbs(room.board) == ["roll", "double", "flip", "more", "resign"]
    assert labels(room.board)[:2] == ["Roll", "Double"]
    assert EN("call.turn.roll", player=room.ben.mention) in text(room.board)
    assert "cube is in the middle, at 1" in alt(room.board)[0]


@both
async def test_roll_throws_the_dice_and_opens_the_picker(room: Room, game: str) -> None:
    await first_turn(room, game)
    await press(room.ben, "roll", room.board)
    seated = await room.shown()
    assert course(seated)[-2:] == ["play 1 roll", "chance -1 52"]
    assert EN("picker.what") in told(room.ben)
    assert any(verb == "pick" for verb in verbs(private(room.ben)))
    assert verbs(room.board)[0] == "move"
    lines = text(room.board).splitlines()
    assert EN("dice.rolled", seat="@seat.black", first=5, second=2) in lines
    assert not [line for line in lines if "`roll`" in line]


@both
async def test_a_turn_takes_no_more_taps_than_without_the_cube(room: Room, game: str) -> None:
    """Roll takes the place of Move; a tap for each die, Confirm."""
    await first_turn(room, game)
    await press(room.ben, "roll", room.board)
    seated = await room.shown()
    picker_message = private(room.ben)
    steps, _ = seated.table.game.turns(seated.table.state)[0]
    room.taps = 1
    await room.tap_steps(seated, picker_message, steps)
    await room.confirm(room.ben, picker_message)
    played = await room.shown()
    assert played.table.to_act == 0
    assert room.taps <= 2 + len(steps)


@both
async def test_roll_and_double_are_commands_too(room: Room, game: str) -> None:
    await first_turn(room, game)
    await room.ben.slash("abak double")
    assert told(room.ben) == EN("call.double.sure", value=2)
    await room.ben.slash("abak roll")
    assert course(await room.shown())[-1] == "chance -1 52"
    await room.ben.slash("abak roll")
    assert EN("cube.rolled", roll="52") in told(room.ben)
    await room.ana.slash("abak roll")
    assert told(room.ana) == EN("table.not_your_turn")


@both
async def test_typed_words_do_as_buttons_do(room: Room, game: str) -> None:
    seated = await first_turn(room, game)
    await room.type(seated, "double")
    assert told(room.ben) == EN("call.double.sure", value=2)
    assert (await room.shown()).seq == seated.seq
    await room.type(seated, "Roll")
    assert course(await room.shown())[-1] == "chance -1 52"


@both
async def test_a_standing_order_rolls_and_says_so(room: Room, game: str) -> None:
    assert room.bot is not None
    await room.bot.services.preferences.set_user(room.ben.user_id, "roll", "auto")
    seated = await first_turn(room, game)
    assert course(seated)[-2:] == ["forced 1 roll", "chance -1 52"]
    assert EN("story.forced.cube.does.rolls", seat="@seat.black") in text(room.board).splitlines()
    assert seated.table.moved is not None
    assert seated.table.moved.seat == 0
    assert verbs(room.board)[0] == "move"
    await room.bot.services.preferences.set_user(room.ana.user_id, "roll", "auto")
    steps, _ = seated.table.game.turns(seated.table.state)[0]
    await room.type(seated, seated.table.game.format(seated.table.state, steps))
    assert course(await room.shown())[-2:] == ["forced 0 roll", "chance -1 64"]


# --- doubling --------------------------------------------------------------------------------------------------------


@both
async def test_double_is_asked_about_with_the_harmless_choice_first(room: Room, game: str) -> None:
    seated = await first_turn(room, game)
    await press(room.ben, "double", room.board)
    asked = private(room.ben)
    assert text(asked) == EN("call.double.sure", value=2)
    assert verbs(asked) == ["call_not", "call_sure"]
    await room.ben.press("b:call_not:", asked)
    assert told(room.ben) == EN("call.not")
    assert (await room.shown()).seq == seated.seq


@both
async def test_a_double_is_taken_after_a_confirmation(room: Room, game: str) -> None:
    seated = await doubled(room, game)
    assert course(seated)[-1] == "play 1 double"
    assert labels(room.board)[:2] == ["Take: play on for 2", "Pass: lose 1"]
    assert EN("story.cube.does.doubles", seat="@seat.black", value=2) in text(room.board)
    assert EN("call.turn.take", player=room.ana.mention) in text(room.board)
    assert "Black doubles to 2" in alt(room.board)[0]
    assert room.calls[-1][0] == room.ana.user_id
    await press(room.ana, "take", room.board)
    asked = private(room.ana)
    assert text(asked) == EN("call.take.sure", value=2)
    assert labels(asked) == [EN("button.call_not"), EN("call.take.do", value=2)]
    assert not set(labels(asked)) & set(labels(room.board))
    assert (await room.shown()).seq == seated.seq
    await press(room.ana, "take", asked)
    taken = await room.shown()
    assert course(taken)[-2:] == ["play 0 take", "chance -1 52"]
    assert taken.table.to_act == 1
    assert taken.table.state.fields.cube_value == 2
    assert "White owns the cube, at 2" in alt(room.board)[0]
    assert verbs(room.board)[0] == "move"


@both
async def test_a_double_is_passed_and_the_card_says_the_points(room: Room, game: str) -> None:
    await doubled(room, game)
    await press(room.ana, "pass", room.board)
    asked = private(room.ana)
    assert text(asked) == EN("call.pass.sure", n=1)
    assert verbs(asked) == ["call_not", "call_sure"]
    await press(room.ana, "pass", asked)
    ended = await room.shown()
    assert ended.table.outcome is not None
    assert (ended.table.outcome.points, ended.table.outcome.reason) == ((-1, 1), "end.passed")
    assert EN("end.passed") in text(room.board)
    assert EN("story.cube.does.passes", seat="@seat.white") in text(room.board)
    assert board.result(ended, EN).facts == (EN("card.turns", n=1),)  # what was said was no turn
    assert board.result(ended, EN).result == EN("card.points", n=1)
    assert verbs(room.board) == ["rematch", "replay", "flip"]
    await room.ana.press("b:replay:", room.board)
    assert EN("end.passed") in told(room.ana)


@both
async def test_the_taker_redoubles_and_the_loser_pays_for_the_cube(room: Room, game: str) -> None:
    await doubled(room, game)
    await press(room.ana, "take", room.board)
    await press(room.ana, "take", private(room.ana))
    seated = await room.shown()
    steps, _ = seated.table.game.turns(seated.table.state)[0]
    await room.type(seated, seated.table.game.format(seated.table.state, steps))
    seated = await room.shown()
    assert verbs(room.board)[:2] == ["roll", "double"]
    await press(room.ana, "double", room.board)
    await press(room.ana, "double", private(room.ana))
    await room.shown()
    assert labels(room.board)[:2] == ["Take: play on for 4", "Pass: lose 2"]
    await press(room.ben, "pass", room.board)
    await press(room.ben, "pass", private(room.ben))
    ended = await room.shown()
    assert ended.table.outcome is not None
    assert ended.table.outcome.points == (2, -2)


@both
def test_what_is_not_to_be_said_by_habit_is_asked_about_in_any_way(game: str) -> None:
    rules = GAMES[game]
    options = rules.settle_options({"cube": "on"})
    deciding = rules.start(options)
    for step in (*rules.parse(deciding, "31"), *rules.parse(rules.apply(deciding, Roll(3, 1)), FIRST[game])):
        deciding = rules.apply(deciding, step)
    doubled = rules.apply(deciding, Call.DOUBLE)
    at_once = [
        picker.at_once(follow(rules, state, Draft((number,))), "never")
        for state in (deciding, doubled)
        for number in range(2)
    ]
    assert at_once == [True, False, False, False]


BLOCKED = {
    "abak": "ABAKID=16/S/2/ss/3/ss:-:0:0:1:33:0:0:0:0:10",
    "backgammon": "XGID=-------------------bbbbbbA:0:0:1:61:0:0:0:0:10",
}
"""White has rolled and cannot move: a pass, which only ends the turn."""


@both
async def test_a_turn_without_a_move_is_no_pass_of_the_cube(room: Room, game: str) -> None:
    seated = await placed(room, game, BLOCKED[game], cube="on")
    assert list(seated.table.game.legal(seated.table.state)) == list(
        seated.table.game.parse(seated.table.state, "pass")
    )
    assert verbs(room.board)[0] == "move"
    assert EN("board.turn", player=room.ana.mention) in text(room.board)
    await room.type(seated, "pass")
    after = await room.shown()
    assert after.seq == 1
    assert after.table.outcome is None
    assert verbs(room.board)[:2] == ["roll", "double"]


# --- what is stale or not theirs -------------------------------------------------------------------------------------


@both
async def test_a_stale_confirmation_shows_the_present_board(room: Room, game: str) -> None:
    await first_turn(room, game)
    await press(room.ben, "double", room.board)
    asked = private(room.ben)
    await press(room.ben, "roll", room.board)
    seated = await room.shown()
    await press(room.ben, "double", asked)
    assert told(room.ben).startswith(EN("table.stale"))
    assert len(alt(private(room.ben))) == 1
    assert verbs(private(room.ben)) == ["move"]
    assert (await room.shown()).seq == seated.seq


@both
async def test_only_whoever_is_asked_answers(room: Room, game: str) -> None:
    seated = await doubled(room, game)
    await press(room.ben, "take", room.board)
    assert told(room.ben).startswith(EN("table.not_your_turn"))
    stranger = Seat.join(room.server.world, "Cleo", room.channel_id)
    await press(stranger, "take", room.board)
    assert told(stranger) == EN("table.not_a_player")
    await stranger.slash("abak roll")
    assert told(stranger) == EN("table.not_a_player")
    assert (await room.shown()).seq == seated.seq


@both
async def test_whoever_comes_back_is_offered_the_same_buttons(room: Room, game: str) -> None:
    await first_turn(room, game)
    await press(room.ben, "double", room.board)
    asked = private(room.ben)
    await room.ana.slash("abak draw")
    await room.ana.press("b:draw:", private(room.ana))
    seated = await room.shown()
    await press(room.ben, "double", asked)
    assert told(room.ben).startswith(EN("table.stale"))
    assert verbs(private(room.ben)) == ["roll", "double"]
    await press(room.ben, "double", private(room.ben))
    await press(room.ben, "double", private(room.ben))
    assert (await room.shown()).seq == seated.seq + 1
    assert (await room.shown()).table.offer is None


@both
async def test_refusals_are_told_in_the_players_language(room: Room, game: str) -> None:
    seated = await first_turn(room, game)
    for locale, code in (("en-US", "en"), ("es-ES", "es")):
        room.speak(locale)
        say = language(code)
        for typed, key in (("take", "cube.no_offer"), ("8/5", "cube.roll_first"), ("hm", "cube.unreadable")):
            await room.type(seated, typed)
            assert told(room.ben).startswith(say(key, text=typed))
        await room.ben.slash("abak double")
        assert told(room.ben) == say("call.double.sure", value=2)


@both
async def test_plays_are_suggested_with_what_they_do(room: Room, game: str) -> None:
    await first_turn(room, game)
    offered = await room.ben.choices("abak move play", "notation", notation="")
    assert [choice["value"] for choice in offered] == ["roll", "double"]
    assert offered[1]["name"] == f"double, {EN('cube.does.doubles', value=2)}"


@both
async def test_a_double_can_be_taken_back_by_consent(room: Room, game: str) -> None:
    seated = await doubled(room, game)
    await room.ben.slash("abak takeback")
    await room.ben.press("b:ask_back:", private(room.ben))
    await room.shown()
    await room.ana.press("b:accept:", room.board)
    back = await room.shown()
    assert verbs(room.board)[:2] == ["roll", "double"]
    assert back.table.record.entries[-1].kind is Kind.ACCEPT
    assert back.seq > seated.seq
