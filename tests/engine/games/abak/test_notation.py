"""Turns as text (abak.md, Notation): one writing for each play, many that are understood."""

from itertools import permutations
from random import Random

import pytest
from harness.abak import FAR, Place, played
from harness.examples import examples
from hypothesis import given
from hypothesis import strategies as st

from engine.core.errors import AmbiguousMove, BadNotation, IllegalMove
from engine.core.game import CHANCE, Note
from engine.core.search import walk
from engine.games.abak import GAME, PASS, State, Step
from engine.games.abak.keys import named
from engine.kits.dice import Roll

START = GAME.decode("ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:31:0:0:0:0:10")


def canonical(state: State, text: str) -> str:
    return GAME.format(state, GAME.parse(state, text))


# typed, canonical
READ = {
    "as written": ("13/10 24/23", "13/10 24/23"),
    "another order that leads to the same": ("24/23 13/10", "13/10 24/23"),
    "one stone, joined": ("13/10/9", "13/10/9"),
    "one stone, apart": ("13/10 10/9", "13/10/9"),
    "the stop left out": ("13/9", "13/10/9"),
    "other strokes": ("13-10, 24\N{RIGHTWARDS ARROW}23;", "13/10 24/23"),
    "an x": ("13x10 24x23", "13/10 24/23"),
    "spaces": ("  13 / 10   24 /23 ", "13/10 24/23"),
    "marks that are not needed": ("13/10* 24/23^", "13/10 24/23"),
    "an order that matters": ("8/5 6/5", "8/5 6/5"),
    "the same, the other way": ("6/5 8/5", "6/5 8/5"),
    "backward": ("6/9", "6/9"),
    "a beginning": ("13/10", "13/10"),
}


@pytest.mark.parametrize(("typed", "text"), READ.values(), ids=list(READ))
def test_reads_and_writes(typed: str, text: str) -> None:
    assert canonical(START, typed) == text
    assert canonical(START, text) == text
    assert played(START, typed) == played(START, text)


def test_the_order_on_a_point_tells_turns_apart() -> None:
    assert played(START, "8/5 6/5").columns[5] == "SK"
    assert played(START, "6/5 8/5").columns[5] == "KS"


# columns, bar, roll, typed, canonical
SPECIAL = {
    "a hit": (FAR | {8: "S", 5: "s"}, "-", 32, "8/5", "8/5*"),
    "a hit on the way": (FAR | {8: "S", 5: "s"}, "-", 32, "8/5/3", "8/5*/3"),
    "a trap": (FAR | {13: "D", 10: "s"}, "-", 32, "13/10/8", "13/10^/8"),
    "a hit first": (FAR | {13: "D", 12: "E", 10: "s"}, "-", 32, "12/10 13/10", "12/10* 13/10"),
    "a trap first": (FAR | {13: "D", 12: "E", 10: "s"}, "-", 32, "13/10 12/10", "13/10^ 12/10"),
    "a class from the bar": (FAR | {8: "S"}, "GK", 41, "bar:g/21", "bar:G/21"),
    "the bar, briefly": (FAR | {8: "S"}, "G", 41, "b/21", "bar:G/21"),
    "the bar as 25": (FAR | {8: "S"}, "G", 41, "25/21", "bar:G/21"),
    "the bar without a colon": (FAR | {8: "S"}, "GK", 41, "BAR G/21", "bar:G/21"),
    "the odd wounded from the bar": (FAR | {8: "S"}, "GO", 41, "bar:o-21", "bar:O/21"),
    "from the bar and on": (FAR | {8: "S"}, "G", 41, "bar/20", "bar:G/21/20"),
    "a pair": (FAR | {14: "S", 12: "E", 10: "g"}, "-", 42, "14/10+12/10", "14/10+12/10*"),
    "a pair in the other order": (FAR | {14: "S", 12: "E", 10: "g"}, "-", 42, "12/10 + 14/10 *", "12/10+14/10*"),
    "a pair without its mark": (FAR | {14: "S", 12: "E", 10: "g"}, "-", 42, "14/10 12/10", "14/10+12/10*"),
    "a pair of equals": (FAR | {14: "S", 12: "S", 10: "g"}, "-", 42, "14/10+12/10*", "12/10+14/10*"),
    "a pair twice from one point": (FAR | {14: "SS", 10: "g"}, "-", 44, "14/10(2)", "14/10+14/10*"),
    "a pair from the bar": (FAR | {24: "K", 22: "g"}, "S", 32, "bar/22 24/22", "bar:S/22+24/22*"),
    "a pair after a stone's first die": (
        FAR | {14: "S", 12: "S", 10: "g"},
        "-",
        22,
        "14/12/10+12/10",
        "14/12 12/10+12/10*",
    ),
    "a pair and on": (FAR | {12: "SK", 10: "g"}, "-", 22, "12/10+12/10/8", "12/10+12/10* 10/8"),
    "repeated": (FAR | {8: "SSSS"}, "-", 22, "8/6(2)", "8/6 8/6"),
    "repeated over two dice": (FAR | {8: "SSSS"}, "-", 22, "8/4(2)", "8/6 8/6/4 6/4"),
    "off": ({24: "s", 6: "S", 4: "SS"}, "-", 64, "6/off 4/0", "4/off 6/off"),
    "off by two dice": ({24: "s", 6: "SS"}, "-", 42, "6/off", "6/2/off"),
    "the general's way back": (FAR | {8: "S", 6: "K", 9: "s"}, "-", 32, "6-9", "6/9*"),
}


@pytest.mark.parametrize(("board", "bar", "roll", "typed", "text"), SPECIAL.values(), ids=list(SPECIAL))
def test_reads_and_writes_what_is_special(
    place: Place, board: dict[int, str], bar: str, roll: int, typed: str, text: str
) -> None:
    state = place(board, roll, bar=bar)
    assert canonical(state, typed) == text
    assert played(state, text) == played(state, typed)


UNREADABLE = [
    "",
    "  ",
    "13",
    "13/",
    "/10",
    "13/10/",
    "13/10+",
    "13/10 hello",
    "13/bar",
    "13/10(9)",
    "1310",
    "13/100",
    "ba/21",
    "13/10x",
]


@pytest.mark.parametrize("text", UNREADABLE)
def test_what_cannot_be_read_is_said(text: str) -> None:
    with pytest.raises(BadNotation, match=r"abak\.unreadable"):
        GAME.parse(START, text)


@pytest.mark.parametrize("text", ["31/28", "13/31", "99/98", "0/3", "off/3", "4/off/3"])
def test_points_that_do_not_exist_are_said(text: str) -> None:
    with pytest.raises(BadNotation, match=r"abak\.(no_point|unreadable)"):
        GAME.parse(START, text)


def test_a_text_without_end_is_refused() -> None:
    with pytest.raises(BadNotation, match=r"abak\.unreadable"):
        GAME.parse(START, "13/10 " * 5000)


def test_two_ways_with_different_ends_are_ambiguous(place: Place) -> None:
    state = place(FAR | {8: "S", 5: "s"}, 32)
    with pytest.raises(AmbiguousMove) as unclear:
        GAME.parse(state, "8/3")
    assert unclear.value.key == "abak.ambiguous"
    assert unclear.value.readings == ("8/5*/3", "8/6/3")


def test_two_classes_on_the_bar_are_ambiguous(place: Place) -> None:
    state = place(FAR | {8: "S"}, 41, bar="GK")
    with pytest.raises(AmbiguousMove) as unclear:
        GAME.parse(state, "bar/21")
    assert unclear.value.readings == ("bar:G/21", "bar:K/21")
    assert canonical(state, "bar/21 bar:K/24") == "bar:G/21 bar:K/24"


def test_rolls_are_read_and_written(place: Place) -> None:
    state = place(FAR | {8: "S"})
    assert GAME.parse(state, "13") == (Roll(3, 1),)
    assert GAME.format(state, (Roll(3, 1),)) == "31"
    assert GAME.parse(GAME.start({}), "13") == (Roll(1, 3),)
    assert GAME.format(GAME.start({}), (Roll(1, 3),)) == "13"
    with pytest.raises(BadNotation, match=r"dice\.unreadable"):
        GAME.parse(state, "07")


def test_writing_nothing_is_nothing() -> None:
    assert GAME.format(START, ()) == ""


def written(state: State, steps: tuple[Step, ...]) -> tuple[str, State]:
    """Returns the text of the steps in order, with joined hops but without pair captures, and the final state.

    Raises:
        IllegalMove: A step cannot be played.
    """
    text = ""
    last = -1
    for step in steps:
        hop = GAME.format(state, (step,))
        state = GAME.apply(state, step)
        text += hop[hop.index("/") :] if step.source == last and not step.second else f" {hop}"
        last = -1 if step.second else step.point
    return text.strip(), state


@examples(12)
@given(seed=st.integers(0, 2**32))
def test_the_writing_sorts_first_of_all_orders(seed: int) -> None:
    luck = Random(seed)
    for state, _ in walk(GAME, GAME.start({}), lambda steps, weights: luck.choices(steps, weights)[0], 150):
        if GAME.to_act(state) in {None, CHANCE} or luck.random() > 0.2:
            continue
        steps, end = luck.choice(GAME.turns(state))
        text = GAME.format(state, steps)
        assert text == written(state, steps)[0]
        for order in permutations(steps):
            try:
                other, reached = written(state, order)
            except IllegalMove:
                continue
            if reached == end:
                assert GAME.format(state, order) == text <= other


# --- what is shown ---------------------------------------------------------------------------------------------------

# columns, bar, roll, step; notes, marks
SHOWN = {
    "a move": (FAR | {8: "S"}, "-", 32, "8/5", [], ["from 8 5", "to 5"]),
    "a hit": (
        FAR | {8: "S", 5: "s"},
        "-",
        32,
        "8/5",
        [("hits", {"stone": named("S"), "point": 5})],
        ["from 8 5", "to 5", "hit 5 bar1"],
    ),
    "a trap": (
        FAR | {13: "D", 10: "g"},
        "-",
        32,
        "13/10",
        [("traps", {"stone": named("G"), "point": 10})],
        ["from 13 10", "to 10", "trap 10"],
    ),
    "a rescue": (
        FAR | {13: "S", 10: "Ed"},
        "-",
        32,
        "13/10",
        [("hits", {"stone": named("D"), "point": 10}), ("rescues", {"stone": named("E"), "point": 10})],
        ["from 13 10", "to 10", "hit 10 bar1"],
    ),
    "a druid made safe": (
        FAR | {13: "S", 10: "sD"},
        "-",
        32,
        "13/10",
        [("secures", {"point": 10})],
        ["from 13 10", "to 10"],
    ),
    "a druid that leaves": (
        FAR | {10: "kD"},
        "-",
        32,
        "10/7",
        [("frees", {"stone": named("K"), "point": 10})],
        ["from 10 7", "to 7"],
    ),
    "a retreat": (FAR | {8: "S", 6: "K"}, "-", 32, "6/9", [("retreats", {"point": 9})], ["from 6 9", "to 9"]),
    "a stone entering": (
        FAR,
        "G",
        32,
        "bar/22",
        [("enters", {"stone": named("G"), "point": 22})],
        ["from bar0 22", "to 22"],
    ),
    "a pair": (
        FAR | {14: "S", 8: "K", 10: "g"},
        "-",
        42,
        "14/10+8/10",
        [("captures", {"point": 10}), ("retreats", {"point": 10})],
        ["from 14 10", "from 8 10", "to 10", "hit 10 bar1"],
    ),
    "a stone borne off": (
        {24: "s", 6: "SS"},
        "-",
        64,
        "6/off",
        [("bears_off", {"stone": named("S")})],
        ["from 6 off0", "to off0"],
    ),
    "the last one": (
        {24: "s", 4: "S"},
        "-",
        64,
        "4/off",
        [("bears_off", {"stone": named("S")}), ("wins", {})],
        ["from 4 off0", "to off0"],
    ),
    "a pass": ({22: "ss", 23: "ss"}, "S", 32, "pass", [("passes", {})], []),
}


@pytest.mark.parametrize(("board", "bar", "roll", "text", "notes", "marks"), SHOWN.values(), ids=list(SHOWN))
def test_what_a_step_does_is_said_and_shown(
    place: Place,
    board: dict[int, str],
    bar: str,
    roll: int,
    text: str,
    notes: list[tuple[str, dict[str, object]]],
    marks: list[str],
) -> None:
    state = place(board, roll, bar=bar)
    (step,) = GAME.parse(state, text)
    assert [(note.key.removeprefix("abak.does."), dict(note.params)) for note in GAME.notes(state, step)] == notes
    assert [" ".join(filter(None, mark[:3])) for mark in GAME.marks(state, step)] == marks


def test_black_counts_from_its_own_side(place: Place) -> None:
    state = place({24: "SS", 17: "s", 19: "S"}, 32, turn=1)
    (step,) = GAME.parse(state, "8/6")
    assert GAME.path(state, step) == ("8", "6")
    assert [" ".join(filter(None, mark[:3])) for mark in GAME.marks(state, step)] == [
        "from 17 19",
        "to 19",
        "hit 19 bar0",
    ]
    assert GAME.notes(state, step) == (Note("abak.does.hits", {"stone": named("S"), "point": 6}),)


def test_marks_say_which_of_several_stones_enters() -> None:
    """On the bar the stones lie in the order of the classes; whoever is left moves together."""
    start = GAME.decode("ABAKID=dss/kss/2/oss/egs/1/gss/3/SS/4/SS/1/EGS/KSS/DSS/3:GO:0:0:1:43:0:0:0:0:10")
    for text, levels in (("bar:G/21 bar:O/22", [0, 0]), ("bar:O/22 bar:G/21", [1, 0])):
        state, found = start, []
        for step in GAME.parse(start, text):
            found.append(GAME.marks(state, step)[0].level)
            state = GAME.apply(state, step)
        assert found == levels


def test_paths_are_choices(place: Place) -> None:
    state = place(FAR | {14: "S", 8: "K", 10: "g"}, 42)
    paths = {GAME.path(state, step) for step in GAME.legal(state)}
    assert {("14", "10", "8"), ("8", "10", "14"), ("14", "12"), ("8", "12")} <= paths
    assert ("14", "10") not in paths
    assert GAME.path(state, PASS) == ("pass",)
    assert GAME.path(state, Roll(3, 1)) == ("3", "1")
    assert GAME.path(state, Step("S", 6, 0, 6)) == ("6", "off")


def test_rolls_are_told(place: Place) -> None:
    state = place(FAR | {8: "S"}, turn=1)
    assert GAME.notes(state, Roll(3, 1)) == (Note("dice.rolled", {"seat": "@side.black", "first": 3, "second": 1}),)
    assert [note.key for note in GAME.notes(GAME.start({}), Roll(2, 2))] == ["dice.opening_equal"]
    assert GAME.marks(state, Roll(3, 1)) == ()
