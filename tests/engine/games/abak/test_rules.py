"""The rules one by one (abak.md, backgammon.md): what may be played, and which rule refuses what may not."""

from collections.abc import Callable

import pytest

from engine.core.errors import IllegalMove
from engine.core.game import CHANCE
from engine.games.abak import GAME, PASS, State, Step
from engine.kits.dice import OPENINGS, ROLLS, Roll

Place = Callable[..., State]
START = "ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:{}:0:0:0:0:10"


def texts(state: State) -> list[str]:
    return [GAME.format(state, steps) for steps, _ in GAME.turns(state)]


def played(state: State, text: str) -> State:
    for step in GAME.parse(state, text):
        state = GAME.apply(state, step)
    return state


def columns(state: State, *points: int) -> tuple[str, ...]:
    return tuple(state.columns[point] for point in points)


FAR = {1: "ss"}
"""Black stones that keep out of the way, so that the game is not over."""

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


# name: columns, bar, roll, what is tried; the rule that refuses it and its parameters
REFUSED = {
    # --- which stone
    "nothing there": (FAR | {8: "S"}, "-", 32, "9/6", "no_stone", {"point": 9}),
    "only the other side's": (FAR | {8: "S", 9: "ss"}, "-", 32, "9/6", "no_stone", {"point": 9}),
    "a prisoner": (FAR | {8: "S", 10: "Sd"}, "-", 32, "10/7", "covered", {"point": 10}),
    "bar first": (FAR | {8: "S"}, "S", 32, "8/5", "bar_first", {}),
    "the order counts, bar first": (FAR | {8: "S"}, "S", 32, "8/5 bar:S/23", "bar_first", {}),
    "nothing on the bar": (FAR | {8: "S"}, "-", 32, "bar:S/22", "bar_empty", {}),
    "not that class on the bar": (FAR | {8: "S"}, "G", 32, "bar:S/22", "not_on_bar", {"stone": "@abak.stone.S"}),
    "two on the bar, one entered": (FAR | {8: "S"}, "SG", 32, "bar:S/22 8/6", "bar_first", {}),
    # --- which die
    "not such a die": (FAR | {8: "S"}, "-", 32, "8/4", "no_die", {"step": "8/4", "dice": "3 2"}),
    "not standing still": (FAR | {8: "S"}, "-", 32, "8/8", "no_die", {"step": "8/8", "dice": "3 2"}),
    "a die only once": (FAR | {8: "SS"}, "-", 32, "8/5 8/5", "no_die", {"step": "8/5", "dice": "2"}),
    "a fifth move": (FAR | {24: "SSSSS"}, "-", 11, "24/23(4) 24/23", "too_many_moves", {"roll": "11"}),
    # --- landing
    "two stones block": (FAR | {8: "S", 5: "ss"}, "-", 32, "8/5", "blocked", {"point": 5}),
    "two stones over others block": (FAR | {8: "S", 5: "Sss"}, "-", 32, "8/5", "blocked", {"point": 5}),
    "two stones block on entering": (FAR | {22: "ss"}, "S", 32, "bar:S/22", "blocked", {"point": 22}),
    "two stones block the general going back": (
        FAR | {8: "S", 6: "K", 9: "ss"},
        "-",
        32,
        "6/9",
        "blocked",
        {"point": 9},
    ),
    "two stones block the druid": (FAR | {13: "D", 10: "ss"}, "-", 32, "13/10", "blocked", {"point": 10}),
    "a sixth stone": (FAR | {8: "S", 5: "SSSSS"}, "-", 32, "8/5", "five_stones", {"point": 5}),
    "a sixth stone on entering": (FAR | {22: "SSSSS"}, "G", 32, "bar:G/22", "five_stones", {"point": 22}),
    "a sixth stone, prisoners counted": (FAR | {8: "S", 7: "sDSSS"}, "-", 21, "8/7", "five_stones", {"point": 7}),
    "a sixth stone, the general's": (FAR | {8: "K", 10: "SSSSS"}, "-", 21, "8/10", "five_stones", {"point": 10}),
    "no trap on a full column": (FAR | {13: "D", 10: "SSSSs"}, "-", 32, "13/10", "five_stones", {"point": 10}),
    "a stop on the way is blocked": (FAR | {8: "S", 5: "ss", 6: "ss"}, "-", 32, "8/3", "blocked", {"point": 5}),
    "the end of the way is blocked": (FAR | {8: "SS", 3: "ss"}, "-", 32, "8/3", "blocked", {"point": 3}),
    # --- guard
    "a lone guard blocks": (FAR | {14: "S", 10: "g"}, "-", 42, "14/10", "guard_blocks", {"point": 10}),
    "a lone guard blocks the general": (
        FAR | {8: "K", 14: "S", 10: "g"},
        "-",
        21,
        "8/10",
        "guard_blocks",
        {"point": 10},
    ),
    "a lone guard over a stone of the mover blocks": (
        FAR | {14: "S", 10: "Sg"},
        "-",
        42,
        "14/10",
        "guard_blocks",
        {"point": 10},
    ),
    "a lone guard blocks the druid in a home": (FAR | {6: "D", 4: "g"}, "-", 42, "6/4", "guard_blocks", {"point": 4}),
    "a guard blocks on entering": (FAR | {22: "g"}, "S", 32, "bar:S/22", "guard_blocks", {"point": 22}),
    "a guard uncovered blocks again": (FAR | {12: "S", 10: "gD"}, "-", 32, "10/7 12/10", "guard_blocks", {"point": 10}),
    "a guard on another stone is no lone guard": (
        FAR | {14: "S", 12: "S", 10: "sg"},
        "-",
        42,
        "14/10+12/10",
        "pair_no_guard",
        {"point": 10},
    ),
    # --- pair capture
    "no guard there": (FAR | {14: "S", 12: "S", 10: "s"}, "-", 42, "14/10+12/10", "pair_no_guard", {"point": 10}),
    "a full column has no room for two": (
        FAR | {14: "S", 12: "S", 10: "SSSSg"},
        "-",
        42,
        "14/10+12/10",
        "pair_no_guard",
        {"point": 10},
    ),
    "a guard is no half": (FAR | {14: "G", 12: "S", 10: "g"}, "-", 42, "14/10+12/10", "pair_guard", {"point": 10}),
    "nor the second half": (FAR | {14: "S", 12: "G", 10: "g"}, "-", 42, "14/10+12/10", "pair_guard", {"point": 10}),
    "a druid is no half in the midfield": (
        FAR | {14: "D", 12: "S", 10: "g"},
        "-",
        42,
        "14/10+12/10",
        "pair_druid",
        {"point": 10},
    ),
    "nor the second half there": (
        FAR | {14: "S", 12: "D", 10: "g"},
        "-",
        42,
        "14/10+12/10",
        "pair_druid",
        {"point": 10},
    ),
    "parity binds a half": (FAR | {14: "S", 12: "O", 10: "g"}, "-", 42, "14/10+12/10", "odd_die", {"die": 2}),
    "the bar binds a half": (FAR | {14: "S", 12: "S", 10: "g"}, "S", 42, "14/10+12/10", "bar_first", {}),
    "the bar binds the second half": (FAR | {24: "K", 22: "g"}, "SS", 32, "bar:S/22+24/22", "bar_first", {}),
    "a half needs its stone": (FAR | {14: "S", 10: "g"}, "-", 42, "14/10+12/10", "no_stone", {"point": 12}),
    "a half needs its die": (
        FAR | {14: "S", 13: "S", 10: "g"},
        "-",
        42,
        "14/10+13/10",
        "no_die",
        {"step": "13/10", "dice": "4 2"},
    ),
    "a die serves one half only": (
        FAR | {14: "SS", 10: "g", 24: "S"},
        "-",
        42,
        "14/10+14/10",
        "pair_dice",
        {"point": 10},
    ),
    "two points": (FAR | {14: "S", 12: "S", 10: "g"}, "-", 42, "14/10+12/8", "pair_points", {"first": 10, "second": 8}),
    "the last die alone makes no pair": (
        FAR | {14: "S", 13: "S", 12: "S", 10: "g"},
        "-",
        42,
        "13/9 12/10",
        "guard_blocks",
        {"point": 10},
    ),
    "nothing comes between": (
        FAR | {12: "SS", 10: "g", 6: "S"},
        "-",
        22,
        "12/10 6/4 12/10",
        "guard_blocks",
        {"point": 10},
    ),
    "the general not back after its last comrade came home": (
        FAR | {8: "S", 2: "K", 4: "g"},
        "-",
        42,
        "8/4+2/4",
        "general_comrades_home",
        {},
    ),
    # --- general
    "only the general goes back": (
        FAR | {8: "S", 6: "K"},
        "-",
        32,
        "8/11",
        "only_general_back",
        {"stone": "@abak.stone.S"},
    ),
    "not beyond its own 24-point": (FAR | {8: "S", 23: "K"}, "-", 32, "23/26", "general_past", {}),
    "not onto the bar": (FAR | {8: "S", 23: "K"}, "-", 32, "23/25", "general_past", {}),
    "not back after forward": (FAR | {8: "S", 13: "K"}, "-", 32, "13/10 10/12", "general_went_forward", {}),
    "not even later in the turn": (FAR | {8: "SSS", 13: "K"}, "-", 11, "13/12 8/7 12/13", "general_went_forward", {}),
    "not forward after back": (FAR | {8: "S", 13: "K"}, "-", 32, "13/16/14", "general_went_back", {}),
    "not back twice": (FAR | {8: "S", 13: "K"}, "-", 11, "13/14 14/15", "general_went_back", {}),
    "not off after back": ({24: "s", 8: "SS", 1: "K"}, "-", 22, "1/3 8/6 8/6 3/off", "general_went_back", {}),
    "not back with its comrades home": (FAR | {5: "S", 8: "K"}, "-", 32, "8/10", "general_comrades_home", {}),
    "not back without comrades": (FAR | {8: "K"}, "-", 32, "8/10", "general_comrades_home", {}),
    "judged at the moment": (FAR | {8: "S", 5: "K"}, "-", 32, "8/6 5/8", "general_comrades_home", {}),
    # --- wounded
    "the even wounded by an odd die": (FAR | {13: "E", 8: "S"}, "-", 32, "13/10", "even_die", {"die": 3}),
    "the odd wounded by an even die": (FAR | {13: "O", 8: "S"}, "-", 32, "13/11", "odd_die", {"die": 2}),
    "tested per die, not on the sum": (FAR | {13: "E"}, "-", 31, "13/9", "even_die", {"die": 3}),
    "parity inside the home": ({24: "s", 6: "E", 2: "S"}, "-", 52, "6/1", "even_die", {"die": 5}),
    # --- bearing off
    "not while a stone is out": ({24: "s", 7: "S", 4: "S"}, "-", 43, "4/off", "not_home", {"point": 7}),
    "not while a stone is a prisoner": ({24: "s", 10: "Sd", 4: "S"}, "-", 43, "4/off", "prisoner_out", {"point": 10}),
    "not past a higher stone": ({24: "s", 6: "S", 3: "S"}, "-", 54, "3/off", "higher_stone", {"point": 3, "higher": 6}),
    "not even past one that cannot move": (
        {24: "s", 6: "E", 3: "S"},
        "-",
        51,
        "3/off",
        "higher_stone",
        {"point": 3, "higher": 6},
    ),
    # --- as many dice as possible
    "both dice if they can be": (
        FAR | {14: "S", 12: "ss", 8: "S"},
        "-",
        62,
        "8/2",
        "more_dice",
        {"dice": 2, "play": "14/8/6"},
    ),
    "the higher one if only one can be": (
        FAR | {20: "S", 18: "ss", 14: "ss", 8: "S"},
        "-",
        62,
        "8/6",
        "higher_die",
        {"die": 6, "play": "8/2"},
    ),
    "a pair capture counts as two": (
        FAR | {14: "S", 12: "S", 10: "g", 8: "ss"},
        "-",
        42,
        "14/12",
        "more_dice",
        {"dice": 2, "play": "12/10+14/10*"},
    ),
    "the general's way back counts": (
        {24: "S", 21: "ss", 19: "ss", 6: "K", 4: "ss", 3: "ss"},
        "-",
        32,
        "6/8",
        "more_dice",
        {"dice": 2, "play": "24/22 6/9"},
    ),
    "a pair capture in the order that wastes dice": (
        FAR | {12: "S", 10: "g", 8: "K"},
        "-",
        22,
        "12/10+8/10",
        "more_dice",
        {"dice": 4, "play": "8/10+12/10* 10/8/6"},
    ),
    "a pass with something to play": (FAR | {8: "S"}, "-", 32, "pass", "may_not_pass", {"play": "8/5/3"}),
}


@pytest.mark.parametrize(("board", "bar", "roll", "text", "key", "params"), REFUSED.values(), ids=list(REFUSED))
def test_may_not_be_played(
    place: Place, board: dict[int, str], bar: str, roll: int, text: str, key: str, params: dict[str, object] | None
) -> None:
    state = place(board, roll, bar=bar)
    with pytest.raises(IllegalMove) as refused:
        GAME.parse(state, text)
    assert refused.value.key == f"abak.{key}"
    if params is not None:
        assert refused.value.params == params


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


def test_perft_tells_the_order_on_the_bar_apart_and_turns_do_not(place: Place) -> None:
    state = place({8: "S", 6: "S", 5: "s", 4: "k", 1: "ss"}, 32)
    assert [after.bar[1] for _, after in GAME.turns(state)].count("sk") == 1
    assert sorted(after.bar[1] for after in GAME.perft_turns(state) if len(after.bar[1]) == 2) == ["ks", "sk"]


def test_the_second_turns_by_position() -> None:
    """What the figure for perft comes to when the order on the bar does not count, over the replies to one roll."""
    by_position = by_order = 0
    for _, after in GAME.turns(GAME.decode(START.format(42))):
        for roll in ROLLS:
            rolled = GAME.apply(after, roll)
            listed, counted = GAME.turns(rolled), GAME.perft_turns(rolled)
            assert {GAME.encode(reply) for _, reply in listed} == {
                GAME.encode(reply._replace(bar=("".join(sorted(reply.bar[0], key="SGKDEO".index)), reply.bar[1])))
                for reply in counted
            }
            by_position += len(listed)
            by_order += len(counted)
    assert by_position < by_order


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


# --- steps made by hand ----------------------------------------------------------------------------------------------

BY_HAND = {
    "a die that is not there": (Step("S", 8, 2, 6), "no_die"),
    "a die that does not fit": (Step("S", 8, 6, 3), "no_die"),
    "a die too small to bear off": (Step("S", 4, 0, 3), "no_die"),
    "another class": (Step("G", 8, 5, 3), "other_stone"),
    "no class at all": (Step("X", 8, 5, 3), "other_stone"),
    "beyond the board": (Step("S", 30, 27, 3), "no_stone"),
    "below the board": (Step("S", 8, -1, 3), "no_die"),
    "onto the bar": (Step("S", 25, 25, 3), "bar_empty"),
    "a pair beyond the board": (Step("S", 40, 37, 3, "S", 39, 2), "pair_no_guard"),
    "a roll": (Roll(3, 2), "rolled_already"),
    "a pass": (PASS, "may_not_pass"),
}


@pytest.mark.parametrize(("step", "key"), BY_HAND.values(), ids=list(BY_HAND))
def test_a_step_made_by_hand_is_refused_by_name(place: Place, step: Step | Roll, key: str) -> None:
    state = place(FAR | {8: "S", 4: "S"}, 32)
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(state, step)
    assert refused.value.key == f"abak.{key}"


def test_no_such_class_on_the_bar(place: Place) -> None:
    with pytest.raises(IllegalMove, match=r"abak\.not_on_bar"):
        GAME.apply(place(FAR | {8: "S"}, 32, bar="S"), Step("X", 25, 22, 3))


def test_every_step_that_is_not_legal_is_refused(place: Place) -> None:
    """Each single step there could be, in a few positions: refused if and only if it is not listed."""
    states = [
        place(FAR | {14: "S", 12: "E", 10: "g", 6: "K", 16: "sD"}, 42),
        place(FAR | {24: "O", 22: "g", 10: "Sd"}, 33, bar="KE"),
        place({24: "s", 6: "E", 3: "K", 2: "SG"}, 53),
    ]
    for state in states:
        legal = set(GAME.legal(state))
        for stone in "SGKDEO":
            for source in range(26):
                for point in range(26):
                    for die in range(1, 7):
                        step = Step(stone, source, point, die)
                        if step in legal:
                            GAME.apply(state, step)
                            continue
                        with pytest.raises(IllegalMove, match=r"abak\."):
                            GAME.apply(state, step)


# --- opening, rolls, the end -----------------------------------------------------------------------------------------


def test_the_opening_is_one_die_a_side() -> None:
    state = GAME.start({})
    assert GAME.to_act(state) == CHANCE
    assert list(GAME.legal(state)) == list(OPENINGS)
    assert {GAME.weight(state, roll) for roll in OPENINGS} == {1}
    assert GAME.apply(state, Roll(4, 4)) == state
    white, black = GAME.apply(state, Roll(5, 2)), GAME.apply(state, Roll(2, 5))
    assert (white.turn, white.dice, white.opening) == (0, (5, 2), False)
    assert (black.turn, black.dice, black.opening) == (1, (5, 2), False)


def test_rolls_have_their_weights(place: Place) -> None:
    state = place(FAR | {8: "S"})
    assert sum(GAME.weight(state, roll) for roll in GAME.legal(state)) == 36
    assert GAME.apply(state, Roll(3, 3)).dice == (3, 3, 3, 3)
    for roll in (Roll(1, 2), Roll(7, 1)):
        with pytest.raises(IllegalMove, match=r"abak\.no_such_roll"):
            GAME.apply(state, roll)
    with pytest.raises(IllegalMove, match=r"abak\.roll_first"):
        GAME.apply(state, PASS)
    with pytest.raises(IllegalMove, match=r"abak\.roll_first"):
        GAME.parse(state, "8/5")


ARMY = "sssssssssggkdeo"
ENDS = {
    "single": ({19: "sss"}, "-", 1, "10", 1),
    "gammon": ({18: "sssss", 17: "ssss", 16: "ggkde", 15: "o"}, "-", 2, "10", 2),
    "backgammon, in the home": ({1: "sssss", 17: "ssss", 16: "ggkde", 15: "o"}, "-", 3, "10", 3),
    "backgammon, on the bar": ({18: "sssss", 17: "ssss", 16: "ggkde"}, "o", 3, "10", 3),
    "single, though on the bar": ({18: "sssss"}, "o", 1, "10", 1),
}


@pytest.mark.parametrize(("board", "bar", "level", "rest", "points"), ENDS.values(), ids=list(ENDS))
def test_the_end_counts(place: Place, board: dict[int, str], bar: str, level: int, rest: str, points: int) -> None:
    last = place(board | {2: "S"}, 21, bar=bar, rest=rest)
    after = played(last, "2/off")
    assert GAME.to_act(after) is None
    assert not GAME.legal(after)
    assert not GAME.turns(after)
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert outcome.points == (points, -points)
    assert outcome.reason == {1: "end.single", 2: "end.gammon", 3: "end.backgammon"}[level]
    assert GAME.outcome(after._replace(fields=after.fields.__class__(cube="2"))).points == (4 * points, -4 * points)
    with pytest.raises(IllegalMove, match=r"abak\.over"):
        GAME.apply(after, PASS)
    with pytest.raises(IllegalMove, match=r"abak\.over"):
        GAME.parse(after, "2/off")


def test_black_wins_likewise(place: Place) -> None:
    after = played(place({23: "s", 24: "SS", 3: "SS"}, 21, turn=1), "2/off")
    outcome = GAME.outcome(after)
    assert outcome is not None
    assert outcome.points == (-1, 1)


def test_what_can_be_resigned_for(place: Place) -> None:
    assert GAME.concessions(GAME.start({}), 0) == (1, 2, 3)
    assert GAME.concessions(place(FAR | {8: "S"}), 0) == (1,)


def test_the_worth_is_even_at_first_and_opposite_for_the_sides(place: Place) -> None:
    assert GAME.evaluate(GAME.start({}), 0) == 0
    state = place({24: "ss", 10: "Sd", 3: "SSS"}, 31)
    assert GAME.evaluate(state, 0) == -GAME.evaluate(state, 1)
    free = place({24: "ss", 10: "dS", 3: "SSS"}, 31)
    assert GAME.evaluate(free, 0) > GAME.evaluate(state, 0)
    over = played(place({1: "ss", 2: "S"}, 21), "2/off")
    assert GAME.evaluate(over, 0) == 1
