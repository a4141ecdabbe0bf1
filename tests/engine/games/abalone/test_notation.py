"""Reading and writing moves (abalone.md, Notation)."""

import pytest

from engine.core.errors import BadNotation, IllegalMove
from engine.games.abalone import GAME, LAYOUTS, Step

ROW = "5/6/7/8/9/8/2bbb2/6/5 b 0 0"
"""Black on c3, c4 and c5."""
EDGE = "w4/6/7/8/4bbbww/8/7/6/5 b 0 0"
"""Black on e5, e6 and e7 against White on e8 and e9."""


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("c3d4", Step("c3", "", "d4")),
        ("c3c5d3", Step("c3", "c5", "d3")),
        ("c5c3d5", Step("c3", "c5", "d3")),
        ("c4c3d5", Step("c3", "c4", "d4")),
        ("c5c3b5", Step("c3", "c5", "b3")),
        ("c4c5b3", Step("c4", "c5", "b3")),
        ("C3D4", Step("c3", "", "d4")),
        (" c3 - d4 ", Step("c3", "", "d4")),
        ("c3/c5/d3", Step("c3", "c5", "d3")),
        ("c3-c5-d3", Step("c3", "c5", "d3")),
        ("C3-C5 D3", Step("c3", "c5", "d3")),
        ("c3\u2013c5 \u2192 d3", Step("c3", "c5", "d3")),
        ("c3xd4", Step("c3", "", "d4")),
        ("c3c3d4", Step("c3", "", "d4")),
        ("c3c4", Step("c3", "", "c4")),
        ("c3c5c4", Step("c3", "", "c4")),
        ("c5c3c6", Step("c3", "", "c4")),
        ("c3c5c2", Step("c5", "", "c4")),
        ("c4c5c5", Step("c4", "", "c5")),
    ],
)
def test_reading_is_lenient(text: str, step: Step) -> None:
    assert GAME.parse(GAME.decode(ROW), text) == (step,)


@pytest.mark.parametrize("text", ["e5e6*x", "e5e6", "e5e6x", "e5e6*", "E5-E6 x", "e5e7e6"])
def test_marks_of_a_push_may_be_missing(text: str) -> None:
    state = GAME.decode(EDGE)
    assert GAME.parse(state, text) == (Step("e5", "", "e6"),)
    assert GAME.format(state, GAME.parse(state, text)) == "e5e6*x"


def test_writing_is_canonical() -> None:
    state = GAME.decode(ROW)
    assert GAME.format(state, GAME.parse(state, "c5-c3-d5")) == "c3c5d3"
    assert GAME.format(state, [Step("c5", "", "c4")]) == "c5c4"
    assert GAME.format(state, []) == ""
    push = GAME.decode("w4/6/7/8/3bbbww1/8/7/6/5 b 0 0")
    assert GAME.format(push, [Step("e4", "", "e5")]) == "e4e5*"


@pytest.mark.parametrize(
    "text",
    ["", " ", "c3", "c3c4c5d3", "hello", "c3d4!?", "c3 to d4", "3c4d", "c3d4 pass", "ac3d4", "c\u00b3d4", "resign"],
)
def test_what_is_no_move_cannot_be_read(text: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        GAME.parse(GAME.decode(ROW), text)
    assert refusal.value.key == "abalone.unreadable"


@pytest.mark.parametrize(("text", "cell"), [("a6b6", "a6"), ("c3j9", "j9"), ("c3c10", "c10"), ("c3d44", "d44")])
def test_cells_that_do_not_exist_are_named(text: str, cell: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        GAME.parse(GAME.decode(ROW), text)
    assert (refusal.value.key, refusal.value.params) == ("abalone.no_such_cell", {"cell": cell})


@pytest.mark.parametrize(
    ("position", "text", "key", "cell"),
    [
        ("5/6/7/8/b8/8/7/6/5 b 0 0", "e1e0", "abalone.own_out", "e1"),
        ("5/6/7/8/7bb/8/7/6/5 b 0 0", "e9e10", "abalone.own_out", "e9"),
        ("5/6/7/8/7bb/8/7/6/5 b 0 0", "e8e9", "abalone.own_out", "e9"),
        ("5/6/7/8/7bb/8/7/6/5 b 0 0", "e8e9f9", "abalone.off_board", "e9"),
        ("5/6/7/8/7bb/8/7/6/5 b 0 0", "e9e8f10", "abalone.off_board", "e9"),
        ("5/6/7/8/bb7/8/7/6/5 b 0 0", "e2e1d1", "abalone.off_board", "e1"),
        ("5/6/7/8/7ww/8/7/6/5 b 0 0", "e9e10", "abalone.not_yours", "e9"),
        ("5/6/7/8/9/8/b6/6/5 b 0 0", "e9e10", "abalone.no_marble", "e9"),
        ("5/6/7/8/9/8/2bbb2/6/5 b 0 0", "c3c4c4", "abalone.own_in_way", "c5"),
        ("5/6/7/8/9/8/2bb3/6/5 b 0 0", "c3c5c4", "abalone.no_marble", "c5"),
        ("5/6/7/8/9/8/2bbbw1/6/5 b 0 0", "c4c6c5", "abalone.not_yours", "c6"),
    ],
)
def test_a_typed_move_is_told_the_rule_that_it_breaks(position: str, text: str, key: str, cell: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        GAME.parse(GAME.decode(position), text)
    assert (refusal.value.key, refusal.value.params) == (key, {"cell": cell})


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("c3e5", "abalone.not_neighbours"),
        ("c3c5e3", "abalone.not_neighbours"),
        ("c5c3d3", "abalone.not_neighbours"),
        ("c3e4d3", "abalone.not_in_line"),
        ("c3c6d3", "abalone.too_many"),
        ("c6c3d6", "abalone.too_many"),
        ("e5e6", "abalone.no_marble"),
    ],
)
def test_impossible_shapes_are_told_apart(text: str, key: str) -> None:
    with pytest.raises(IllegalMove) as refusal:
        GAME.parse(GAME.decode(ROW), text)
    assert refusal.value.key == key


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_move_can_be_written_and_read_from_either_end(layout: str) -> None:
    state = GAME.start(GAME.settle_options({"layout": layout}))
    for step in GAME.legal(state):
        text = GAME.format(state, (step,))
        assert GAME.parse(state, text) == (step,)
        assert GAME.parse(state, "-".join(part for part in step if part).upper()) == (step,)
