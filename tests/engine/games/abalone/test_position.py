"""The board, the layouts and the position text (abalone.md, Board and set-up, Position text)."""

import pytest

from engine.core.errors import BadNotation, RuleError
from engine.games.abalone import GAME, LAYOUTS, State, cells
from engine.games.abalone.board import BITS, CELLS

START = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0"


def test_the_board_has_61_cells_in_rows_of_the_book() -> None:
    assert len(CELLS) == 61
    ends = {row: [cell for cell in CELLS if cell[0] == row] for row in "abcdefghi"}
    assert {row: (found[0], found[-1]) for row, found in ends.items()} == {
        "a": ("a1", "a5"),
        "b": ("b1", "b6"),
        "c": ("c1", "c7"),
        "d": ("d1", "d8"),
        "e": ("e1", "e9"),
        "f": ("f2", "f9"),
        "g": ("g3", "g9"),
        "h": ("h4", "h9"),
        "i": ("i5", "i9"),
    }


def test_the_standard_start() -> None:
    state = GAME.start(GAME.settle_options({}))
    assert GAME.encode(state) == START
    occupied = cells(state)
    assert occupied["a1"] == "b"
    assert occupied["c5"] == "b"
    assert occupied["g5"] == "w"
    assert occupied["i9"] == "w"
    assert "e5" not in occupied
    assert (GAME.to_act(state), state.ejected, state.target) == (0, (0, 0), 6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_has_fourteen_marbles_a_side_and_survives_a_round_trip(layout: str) -> None:
    state = GAME.start(GAME.settle_options({"layout": layout}))
    assert GAME.encode(state) == f"{LAYOUTS[layout]} b 0 0"
    assert GAME.decode(GAME.encode(state)) == state
    assert sorted(cells(state).values()) == ["b"] * 14 + ["w"] * 14


def test_the_book_has_fourteen_layouts() -> None:
    assert len(LAYOUTS) == 14
    assert len(set(LAYOUTS.values())) == 14


def test_rows_are_written_from_the_top_and_the_left() -> None:
    state = GAME.decode("w4/6/7/8/9/8/7/6/4b w 2 3")
    assert cells(state) == {"i5": "w", "a5": "b"}
    assert state == State(BITS["a5"], BITS["i5"], 1, (2, 3), 6)


def test_reading_is_lenient_about_case_space_and_split_numbers() -> None:
    lenient = "  WWWWW/wwwwww/2www11/8/54/8/2bbb2/bbbbbb/bbbbb   B  0 0 "
    assert GAME.encode(GAME.decode(lenient)) == START


def test_options_supply_the_target() -> None:
    assert GAME.decode(START, {"target": 2}).target == 2
    assert GAME.start(GAME.settle_options({"target": "3"})).target == 3


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "abalone.fields"),
        ("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0", "abalone.fields"),
        (f"{START} 0", "abalone.fields"),
        ("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb b 0 0", "abalone.rows"),
        ("wwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0", "abalone.row"),
        ("wwwww/wwwwww/2www2/8/9/9/2bbb2/bbbbbb/bbbbb b 0 0", "abalone.row"),
        ("wwwww/wwwwww/2www2/8/9/8/2bxb2/bbbbbb/bbbbb b 0 0", "abalone.row"),
        ("wwwww/wwwwww/2www2/8/9/8/2b.b2/bbbbbb/bbbbb b 0 0", "abalone.row"),
        ("wwwww/wwwwww/2www20/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0", "abalone.row"),
        ("wwwww/wwwwww/²www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0", "abalone.row"),
        ("wwwww/wwwwww/wwww3/8/9/8/2bbb2/bbbbbb/bbbbb b 0 0", "abalone.marbles"),
        ("wwwww/wwwwww/2www2/8/4b4/8/2bbb2/bbbbbb/bbbbb b 0 0", "abalone.marbles"),
        ("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb x 0 0", "abalone.side"),
        ("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b -1 0", "abalone.ejected"),
        ("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 7", "abalone.ejected"),
        ("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 0 x", "abalone.ejected"),
        ("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 6 6", "abalone.both_won"),
    ],
)
def test_bad_positions_are_refused_by_name(text: str, key: str) -> None:
    with pytest.raises(BadNotation) as refusal:
        GAME.decode(text)
    assert refusal.value.key == key


def test_no_more_can_be_ejected_than_the_target() -> None:
    with pytest.raises(BadNotation) as refusal:
        GAME.decode("wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb b 4 0", {"target": 3})
    assert (refusal.value.key, refusal.value.params) == ("abalone.ejected", {"text": "4", "most": 3})


@pytest.mark.parametrize(
    "options", [{"layout": "square"}, {"target": 0}, {"target": 7}, {"ply_limit": -1}, {"ply_limit": "many"}]
)
def test_bad_options_are_refused(options: dict[str, str | int]) -> None:
    with pytest.raises(RuleError):
        GAME.settle_options(options)
