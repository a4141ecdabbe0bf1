"""The rules one by one (abak.md, backgammon.md): what may be played, and what has to be."""

from __future__ import annotations

import pytest
from harness.abak import FAR, Place, columns, played, texts

from engine.core.errors import IllegalMove
from engine.core.game import CHANCE
from engine.games.abak import GAME, PASS, Step
from engine.kits.dice import Roll

START = "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:{}:0:0:0:0:10"

# name, columns, bar, roll, turn, what is played; then columns and bars that come of it
PLAYED = {
    # --- columns
    "a stone goes on top": (FAR | {8: "SG", 5: "S"}, "-", 32, "8/5", {8: "S", 5: "SG"}, ("", "")),
    "the order of landing shows": (FAR | {8: "S", 6: "SK"}, "-", 31, "8/5 6/5", {5: "SK"}, ("", "")),
    "and the other way round": (FAR | {8: "S", 6: "SK"}, "-", 31, "6/5 8/5", {5: "KS"}, ("", "")),
    "the next stone is uncovered": (FAR | {8: "SG"}, "-", 32, "8/5 8/6", {8: "", 5: "G", 6: "S"}, ("", "")),
    "a fifth stone may come": (FAR | {8: "S", 5: "SSSS"}, "-", 32, "8/5", {5: "SSSSS"}, ("", "")),
    "a blot on a full column leaves it": (FAR | {8: "S", 5: "SSSSs"}, "-", 32, "8/5", {5: "SSSSS"}, ("", "s")),
    "one stone on top is a blot, whatever lies under it": (
        FAR | {13: "S", 10: "sSs"},
        "-",
        32,
        "13/10",
        {10: "sSS"},
        ("", "s"),
    ),
    # --- guard
    "a guard hits a guard": (FAR | {14: "G", 10: "g"}, "-", 42, "14/10*", {10: "G"}, ("", "g")),
    "a pair captures a guard": (FAR | {14: "S", 12: "K", 10: "g"}, "-", 42, "14/10+12/10", {10: "SK"}, ("", "g")),
    "the first of the pair lies below": (
        FAR | {14: "S", 12: "K", 10: "g"},
        "-",
        42,
        "12/10+14/10",
        {10: "KS"},
        ("", "g"),
    ),
    "a pair on a guard over own stones": (
        FAR | {14: "S", 12: "K", 10: "SSSg"},
        "-",
        42,
        "14/10+12/10",
        {10: "SSSSK"},
        ("", "g"),
    ),
    "a pair from one column": (FAR | {14: "SK", 10: "g"}, "-", 44, "14/10+14/10", {14: "", 10: "KS"}, ("", "g")),
    "a pair with the second and third of four dice": (
        FAR | {16: "S", 12: "S", 10: "g", 6: "S"},
        "-",
        22,
        "16/14 6/4 14/12",
        {12: "SS", 10: "g"},
        ("", ""),
    ),
    "a pair with the last two of four dice": (
        FAR | {16: "S", 12: "S", 10: "g"},
        "-",
        22,
        "16/14 14/12 12/10+12/10",
        {10: "SS", 12: ""},
        ("", "g"),
    ),
    "a pair with the middle two of four dice": (
        FAR | {14: "S", 12: "S", 10: "g"},
        "-",
        22,
        "14/12 12/10+12/10 10/8",
        {10: "S", 8: "S"},
        ("", "g"),
    ),
    "two pairs in a turn": (
        FAR | {14: "SS", 12: "g", 8: "KS", 6: "g"},
        "-",
        22,
        "14/12+14/12 8/6+8/6",
        {12: "SS", 6: "SK"},
        ("", "gg"),
    ),
    "a stone from the bar takes part": (FAR | {24: "K", 22: "g"}, "S", 32, "bar:S/22+24/22", {22: "SK"}, ("", "g")),
    "two stones from the bar take part": (FAR | {22: "g", 6: "S"}, "SG", 33, "bar:G/22*", {22: "G"}, ("S", "g")),
    "the wounded from the bar take part with any die": (
        FAR | {22: "g"},
        "EO",
        33,
        "bar:E/22+bar:O/22",
        {22: "EO"},
        ("", "g"),
    ),
    "a druid takes part in the enemy's home": (
        FAR | {24: "K", 22: "g"},
        "D",
        32,
        "bar:D/22+24/22",
        {22: "DK"},
        ("", "g"),
    ),
    "a druid takes part in the own home": (FAR | {8: "D", 6: "S", 4: "g"}, "-", 42, "8/4+6/4", {4: "DS"}, ("", "g")),
    "the general arrives backward": (FAR | {14: "S", 8: "K", 10: "g"}, "-", 42, "14/10+8/10", {10: "SK"}, ("", "g")),
    "and as the first": (FAR | {14: "S", 8: "K", 10: "g"}, "-", 42, "8/10+14/10", {10: "KS"}, ("", "g")),
    "backward from the bar's side too": (FAR | {20: "K", 22: "g"}, "S", 32, "bar:S/22+20/22", {22: "SK"}, ("", "g")),
    "backward before its last comrade comes home": (
        FAR | {8: "S", 2: "K", 4: "g"},
        "-",
        42,
        "2/4+8/4",
        {4: "KS"},
        ("", "g"),
    ),
    # --- general
    "the general goes back": (FAR | {8: "S", 6: "K"}, "-", 32, "6/9", {9: "K"}, ("", "")),
    "it hits going back": (FAR | {8: "S", 6: "K", 9: "s"}, "-", 32, "6/9", {9: "K"}, ("", "s")),
    "as far as its own 24-point": (FAR | {8: "S", 21: "K"}, "-", 32, "21/24", {24: "K"}, ("", "")),
    "back after entering": (FAR | {8: "S"}, "K", 51, "bar:K/20/21", {21: "K"}, ("", "")),
    "back before its last comrade comes home ": (
        FAR | {8: "S", 6: "K"},
        "-",
        32,
        "6/9 8/6",
        {9: "K", 6: "S"},
        ("", ""),
    ),
    "back for the sake of a prisoner": (FAR | {10: "Sd", 5: "S", 4: "K"}, "-", 32, "4/7", {7: "K"}, ("", "")),
    "forward twice": (FAR | {13: "K"}, "-", 32, "13/10/8", {8: "K"}, ("", "")),
    # --- druid
    "a trap at the edge of the midfield": (FAR | {21: "D", 18: "s"}, "-", 32, "21/18", {18: "sD"}, ("", "")),
    "a trap at its other edge": (FAR | {10: "D", 7: "s"}, "-", 32, "10/7", {7: "sD"}, ("", "")),
    "a hit beyond the edge": (FAR | {22: "D", 19: "s"}, "-", 32, "22/19", {19: "D"}, ("", "s")),
    "a hit in the own home": (FAR | {9: "D", 6: "s"}, "-", 32, "9/6", {6: "D"}, ("", "s")),
    "a trap on a lone guard": (FAR | {13: "D", 10: "g"}, "-", 32, "13/10", {10: "gD"}, ("", "")),
    "a druid hit, its prisoner free under the newcomer": (
        FAR | {13: "S", 10: "Sd"},
        "-",
        32,
        "13/10",
        {10: "SS"},
        ("", "d"),
    ),
    "a druid trapped in turn": (FAR | {13: "D", 10: "Sd"}, "-", 32, "13/10", {10: "SdD"}, ("", "")),
    "trap and cover": (FAR | {13: "D", 12: "E", 10: "s"}, "-", 32, "13/10 12/10", {10: "sDE"}, ("", "")),
    "hit and cover": (FAR | {13: "D", 12: "E", 10: "s"}, "-", 32, "12/10 13/10", {10: "ED"}, ("", "s")),
    "land and leave": (FAR | {13: "D", 10: "s"}, "-", 32, "13/10/8", {10: "s", 8: "D"}, ("", "")),
    "a stone freed may be hit at once": (
        FAR | {12: "S", 10: "sD"},
        "-",
        32,
        "10/7 12/10",
        {10: "S", 7: "D"},
        ("", "s"),
    ),
    # --- wounded
    "the even wounded by two odd-summed dice": (FAR | {13: "E"}, "-", 42, "13/9/7", {7: "E"}, ("", "")),
    "the odd wounded by an odd die": (FAR | {13: "O", 8: "S"}, "-", 32, "13/10 8/6", {10: "O"}, ("", "")),
    "the even wounded enters with an odd die": (FAR, "E", 53, "bar:E/20", {20: "E"}, ("", "")),
    "the odd wounded enters with an even die": (FAR, "O", 64, "bar:O/19", {19: "O"}, ("", "")),
    "the even wounded bears off with an odd die": (
        {1: "s", 5: "E", 4: "S"},
        "-",
        53,
        "5/off 4/1",
        {5: "", 1: "S"},
        ("", "s"),
    ),
    "the odd wounded bears off with an even die": ({24: "s", 4: "O", 3: "S"}, "-", 64, "4/off", {4: ""}, ("", "")),
    # --- bearing off
    "exactly": ({24: "s", 6: "S", 4: "S"}, "-", 43, "4/off", {4: ""}, ("", "")),
    "from the highest point with a larger die": ({24: "s", 4: "SS"}, "-", 65, "4/off 4/off", {4: ""}, ("", "")),
    "inside instead": ({24: "s", 6: "S", 4: "S"}, "-", 43, "6/2", {6: "", 2: "S"}, ("", "")),
}


@pytest.mark.parametrize(("board", "bar", "roll", "text", "after", "bars"), PLAYED.values(), ids=list(PLAYED))
def test_may_be_played(
    place: Place, board: dict[int, str], bar: str, roll: int, text: str, after: dict[int, str], bars: tuple[str, str]
) -> None:
    state = played(place(board, roll, bar=bar), text)
    assert {point: state.columns[point] for point in after} == after
    assert state.bar == bars


# --- the worked cases of the book ------------------------------------------------------------------------------------


def test_two_soldiers_capture_a_guard(place: Place) -> None:
    state = place(FAR | {14: "S", 12: "S", 10: "g"}, 42)
    after = played(state, "14/10+12/10*")
    assert columns(after, 14, 12, 10) == ("", "", "SS")
    assert after.bar == ("", "g")
    assert GAME.to_act(after) == CHANCE
    assert [text for text in texts(state) if "+" in text] == ["12/10+14/10*"]


def test_the_druid_traps_the_guard_alone(place: Place) -> None:
    state = place(FAR | {14: "D", 12: "S", 10: "g"}, 42)
    assert not [text for text in texts(state) if "+" in text]
    assert "14/10^ 12/10" in texts(state)
    assert columns(played(state, "14/10^ 12/10"), 10) == ("gDS",)


def test_trap_and_cover_or_hit_and_cover(place: Place) -> None:
    state = place(FAR | {13: "D", 12: "E", 10: "s"}, 32)
    assert {"13/10^ 12/10", "12/10* 13/10"} <= set(texts(state))


FIRST = {
    21: 37,
    31: 35,
    41: 23,
    51: 22,
    61: 13,
    32: 42,
    42: 29,
    52: 28,
    62: 17,
    43: 30,
    53: 29,
    63: 16,
    54: 19,
    64: 12,
    65: 11,
    11: 152,
    22: 142,
    33: 133,
    44: 50,
    55: 39,
    66: 3,
}


@pytest.mark.parametrize(("roll", "count"), FIRST.items())
def test_positions_after_the_first_turn(roll: int, count: int) -> None:
    turns = GAME.turns(GAME.decode(START.format(roll)))
    assert len(turns) == len({after for _, after in turns}) == count


# --- what has to be played -------------------------------------------------------------------------------------------


def test_the_only_turn_may_send_the_general_back(place: Place) -> None:
    state = place({24: "S", 21: "ss", 19: "ss", 6: "K", 4: "ss", 3: "ss"}, 32)
    assert texts(state) == ["24/22 6/9"]
    assert {GAME.path(state, step) for step in GAME.legal(state)} == {("24", "22"), ("6", "9")}


def test_a_druid_gets_no_exemption(place: Place) -> None:
    state = place(FAR | {10: "sD"}, 32)
    assert texts(state) == ["10/7/5"]
    assert columns(GAME.turns(state)[0][1], 10, 5) == ("s", "D")


def test_no_play_is_one_pass(place: Place) -> None:
    state = place({22: "ss", 23: "ss", 8: "S"}, 32, bar="S")
    assert list(GAME.legal(state)) == [PASS]
    assert GAME.turns(state) == [((PASS,), GAME.apply(state, PASS))]
    assert GAME.format(state, (PASS,)) == "pass"
    assert GAME.parse(state, " Pass ") == (PASS,)
    after = GAME.apply(state, PASS)
    assert (after.turn, after.roll, after.columns, after.bar) == (1, None, state.columns, state.bar)


def test_the_turn_ends_by_itself(place: Place) -> None:
    state = place(FAR | {8: "S", 6: "ss", 3: "ss"}, 32)
    after = played(state, "8/5")
    assert GAME.to_act(after) == CHANCE
    assert (after.turn, after.roll, after.dice) == (1, None, ())
    going = played(place(FAR | {8: "SS", 6: "ss", 3: "S"}, 32), "8/5")
    assert GAME.to_act(going) == 0
    assert (going.roll, going.dice) == (Roll(3, 2), (2,))


def test_each_class_on_the_bar_may_be_chosen(place: Place) -> None:
    state = place(FAR | {8: "S"}, 31, bar="SSGKDEO")
    assert {step.stone for step in GAME.legal(state)} == set("SGKDEO")
    assert {GAME.path(state, step)[0] for step in GAME.legal(state)} == {f"bar:{stone}" for stone in "SGKDEO"}


def test_two_dice_that_bear_off_the_same_stone_are_one_step(place: Place) -> None:
    state = place({24: "s", 3: "S", 2: "S"}, 54)
    assert [(step.source, step.die) for step in GAME.legal(state)] == [(3, 4)]
    with pytest.raises(IllegalMove, match=r"abak\.lower_die"):
        GAME.apply(state, Step("S", 3, 0, 5))


def test_all_dice_before_an_early_end(place: Place) -> None:
    """The last stone could go at once; both dice can be played, and so they must be."""
    state = place({24: "s", 5: "S"}, 51)
    assert texts(state) == ["5/4/off"]
