"""Moves, refusals and ends (abalone.md, Moves, End). Boards are built from the cells that matter."""

import pytest

from engine.core.errors import IllegalMove
from engine.core.game import Mark, Note, Outcome
from engine.games.abalone import GAME, State, Step, cells
from engine.games.abalone.board import BITS


def board(black: str, white: str = "", *, turn: int = 0, ejected: tuple[int, int] = (0, 0), target: int = 6) -> State:
    """Returns a state with marbles on the cells named."""
    return State(
        sum(BITS[cell] for cell in black.split()), sum(BITS[cell] for cell in white.split()), turn, ejected, target
    )


def stands(state: State, side: str) -> str:
    return " ".join(cell for cell, mark in cells(state).items() if mark == side)


def refusal(state: State, step: Step) -> tuple[str, dict[str, str | int]]:
    """Returns the refusal of a step, which must not be among the legal ones."""
    assert step not in GAME.legal(state)
    with pytest.raises(IllegalMove) as error:
        GAME.apply(state, step)
    return error.value.key, error.value.params


@pytest.mark.parametrize(
    ("to", "black"), [("e6", "e6"), ("e4", "e4"), ("f5", "f5"), ("d5", "d5"), ("f6", "f6"), ("d4", "d4")]
)
def test_a_single_marble_moves_in_six_directions(to: str, black: str) -> None:
    after = GAME.apply(board("e5", "a1"), Step("e5", "", to))
    assert (stands(after, "b"), stands(after, "w"), after.turn) == (black, "a1", 1)


def test_two_and_three_move_in_line_and_the_rear_ones_of_a_longer_row_stay() -> None:
    assert stands(GAME.apply(board("e1 e2", "a1"), Step("e1", "", "e2")), "b") == "e2 e3"
    assert stands(GAME.apply(board("c3 d4 e5", "a1"), Step("e5", "", "d4")), "b") == "b2 c3 d4"
    five = board("e1 e2 e3 e4 e5", "a1")
    assert stands(GAME.apply(five, Step("e3", "", "e4")), "b") == "e1 e2 e4 e5 e6"
    assert refusal(five, Step("e2", "", "e3")) == ("abalone.too_many", {"found": 4, "most": 3})
    assert refusal(five, Step("e1", "", "e2")) == ("abalone.too_many", {"found": 5, "most": 3})


def test_two_and_three_move_broadside() -> None:
    three = board("c3 c4 c5", "a1")
    assert stands(GAME.apply(three, Step("c3", "c5", "d3")), "b") == "d3 d4 d5"
    assert stands(GAME.apply(three, Step("c3", "c4", "b2")), "b") == "b2 b3 c5"
    assert stands(GAME.apply(board("c3 d4 e5", "a1"), Step("c3", "e5", "c4")), "b") == "c4 d5 e6"


@pytest.mark.parametrize(
    ("black", "white", "step", "after_black", "after_white"),
    [
        ("e3 e4", "e5", Step("e3", "", "e4"), "e4 e5", "e6"),
        ("e3 e4 e5", "e6", Step("e3", "", "e4"), "e4 e5 e6", "e7"),
        ("e3 e4 e5", "e6 e7", Step("e3", "", "e4"), "e4 e5 e6", "e7 e8"),
        ("e7 e6", "e5", Step("e7", "", "e6"), "e5 e6", "e4"),
        ("g7 f6 e5", "d4 c3", Step("g7", "", "f6"), "d4 e5 f6", "b2 c3"),
        ("c4 d4 e4", "f4", Step("c4", "", "d4"), "d4 e4 f4", "g4"),
    ],
)
def test_sumito_into_an_empty_cell(black: str, white: str, step: Step, after_black: str, after_white: str) -> None:
    after = GAME.apply(board(black, white), step)
    assert (stands(after, "b"), stands(after, "w"), after.ejected) == (after_black, after_white, (0, 0))


@pytest.mark.parametrize(
    ("black", "white", "step", "after_black", "after_white"),
    [
        ("e7 e8", "e9 a1", Step("e7", "", "e8"), "e8 e9", "a1"),
        ("e6 e7 e8", "e9 a1", Step("e6", "", "e7"), "e7 e8 e9", "a1"),
        ("e5 e6 e7", "e8 e9 a1", Step("e5", "", "e6"), "e6 e7 e8", "e9 a1"),
        ("c3 b2", "a1 i9", Step("c3", "", "b2"), "a1 b2", "i9"),
        ("e5 d4 c3", "b2 a1 i9", Step("e5", "", "d4"), "b2 c3 d4", "a1 i9"),
        ("g9 h9", "i9 a1", Step("g9", "", "h9"), "h9 i9", "a1"),
    ],
)
def test_sumito_off_the_board(black: str, white: str, step: Step, after_black: str, after_white: str) -> None:
    after = GAME.apply(board(black, white), step)
    assert (stands(after, "b"), stands(after, "w").split(), after.ejected) == (
        after_black,
        sorted(after_white.split()),
        (1, 0),
    )


def test_white_ejects_for_itself() -> None:
    after = GAME.apply(board("e1 i9", "e2 e3", turn=1, ejected=(2, 3)), Step("e3", "", "e2"))
    assert (after.ejected, after.turn, stands(after, "w"), stands(after, "b")) == ((2, 4), 0, "e1 e2", "i9")


@pytest.mark.parametrize(
    ("black", "white", "step", "key", "params"),
    [
        ("e1", "e2", Step("e1", "", "e2"), "abalone.pac", {"own": 1, "other": 1}),
        ("e1 e2", "e3 e4", Step("e1", "", "e2"), "abalone.pac", {"own": 2, "other": 2}),
        ("e1 e2 e3", "e4 e5 e6", Step("e1", "", "e2"), "abalone.pac", {"own": 3, "other": 3}),
        ("e8 e7", "e9", Step("e8", "", "e9"), "abalone.pac", {"own": 1, "other": 1}),
        ("e1", "e2 e3", Step("e1", "", "e2"), "abalone.outnumbered", {"own": 1, "other": 2}),
        ("e1 e2 e3", "e4 e5 e6 e7", Step("e1", "", "e2"), "abalone.outnumbered", {"own": 3, "other": 4}),
        ("e1 e2 e3 e4", "e5 e6 e7", Step("e1", "", "e2"), "abalone.too_many", {"found": 4, "most": 3}),
        ("e1 e2 e4", "e3", Step("e1", "", "e2"), "abalone.own_behind", {"cell": "e4"}),
        ("e1 e2 e3 e6", "e4 e5", Step("e1", "", "e2"), "abalone.own_behind", {"cell": "e6"}),
        ("e1 e2 e3 e5", "e4 e6", Step("e1", "", "e2"), "abalone.own_behind", {"cell": "e5"}),
        ("e8 e9", "a1", Step("e8", "", "e9"), "abalone.own_out", {"cell": "e9"}),
        ("c3 c4", "a1", Step("e5", "", "e6"), "abalone.no_marble", {"cell": "e5"}),
        ("c3 c4", "a1", Step("a1", "", "a2"), "abalone.not_yours", {"cell": "a1"}),
        ("c3 c4", "a1", Step("c3", "", "c5"), "abalone.not_neighbours", {"cell": "c3", "to": "c5"}),
        ("c3 c4", "a1", Step("c3", "", "d2"), "abalone.not_neighbours", {"cell": "c3", "to": "d2"}),
        ("c3 c4", "a1", Step("c3", "", "c3"), "abalone.not_neighbours", {"cell": "c3", "to": "c3"}),
        ("c3 c4", "a1", Step("c3", "", "c9"), "abalone.no_such_cell", {"cell": "c9"}),
        ("c3 c4", "a1", Step("c3", "z9", "d3"), "abalone.no_such_cell", {"cell": "z9"}),
        ("c3 c4", "a1", Step("", "", ""), "abalone.no_such_cell", {"cell": ""}),
        ("c3 c4 d6", "a1", Step("c3", "d6", "d3"), "abalone.not_in_line", {"cell": "c3", "to": "d6"}),
        ("c3 c4", "a1", Step("c3", "c3", "d3"), "abalone.not_in_line", {"cell": "c3", "to": "c3"}),
        ("c3 c4 c5 c6", "a1", Step("c3", "c6", "d3"), "abalone.too_many", {"found": 4, "most": 3}),
        ("c3 c4", "a1", Step("c4", "c3", "d4"), "abalone.lower_first", {"cell": "c3"}),
        ("c3 c4", "a1", Step("c3", "c4", "e3"), "abalone.not_neighbours", {"cell": "c3", "to": "e3"}),
        ("c3 c4", "a1", Step("c3", "c4", "c4"), "abalone.named_by_rear", {"cell": "c3"}),
        ("c3 c5", "a1", Step("c3", "c5", "d3"), "abalone.no_marble", {"cell": "c4"}),
        ("c3 c5", "c4", Step("c3", "c5", "d3"), "abalone.not_yours", {"cell": "c4"}),
        ("c3 c4", "d4", Step("c3", "c4", "d3"), "abalone.broadside_pushes", {"cell": "d4"}),
        ("c3 c4 d4", "a1", Step("c3", "c4", "d3"), "abalone.own_in_way", {"cell": "d4"}),
        ("c3 c4", "a1", Step("c3", "c4", "c2"), "abalone.named_by_rear", {"cell": "c3"}),
        ("e8 e9", "i9", Step("e8", "e9", "f9"), "abalone.off_board", {"cell": "e9"}),
    ],
)
def test_refusals_name_the_rule(black: str, white: str, step: Step, key: str, params: dict[str, str | int]) -> None:
    assert refusal(board(black, white), step) == (key, params)


def test_six_ejected_marbles_win() -> None:
    after = GAME.apply(board("e7 e8", "e9 a1", ejected=(5, 5)), Step("e7", "", "e8"))
    assert after.ejected == (6, 5)
    assert GAME.outcome(after) == Outcome((1, -1), "abalone.end.ejected")
    assert GAME.to_act(after) is None
    assert GAME.legal(after) == []
    assert GAME.turns(after) == []
    assert refusal(after, Step("a1", "", "a2")) == ("abalone.over", {})


def test_a_smaller_target_wins_sooner() -> None:
    before = board("e1 i9", "e2 e3", turn=1, target=1)
    after = GAME.apply(before, Step("e3", "", "e2"))
    assert GAME.outcome(after) == Outcome((-1, 1), "abalone.end.ejected")
    assert GAME.outcome(GAME.apply(before._replace(target=2), Step("e3", "", "e2"))) is None


def test_a_side_without_a_legal_move_loses() -> None:
    stuck = board("a1", "a2 b1 b2 a3 c1 c3")
    assert GAME.outcome(stuck) == Outcome((-1, 1), "abalone.end.stuck")
    assert GAME.to_act(stuck) is None
    assert GAME.legal(stuck) == []
    assert GAME.turns(stuck) == []
    assert refusal(stuck, Step("a1", "", "a2")) == ("abalone.over", {})
    last = board("a1", "a2 b1 c3 a3 c1 d4", turn=1)
    after = GAME.apply(last, Step("d4", "", "c3"))
    assert GAME.outcome(after) == Outcome((-1, 1), "abalone.end.stuck")
    assert Note("abalone.does.wins") in GAME.notes(last, Step("d4", "", "c3"))


def test_whoever_can_only_push_is_not_stuck() -> None:
    pushes_only = board("a1 a2", "a3 b1 b2 b3 b4 c1")
    assert GAME.legal(pushes_only) == [Step("a1", "", "a2")]
    assert GAME.outcome(pushes_only) is None
    ejects_only = board("a2 a3", "a1 a4 a5 b1 b2 b3 b4")
    assert GAME.legal(ejects_only) == [Step("a3", "", "a2")]
    assert GAME.outcome(ejects_only) is None


def test_the_third_repetition_is_a_draw() -> None:
    options = GAME.settle_options({})
    state = GAME.start(options)
    history = [state]
    cycle = ("c3d3", "g5f5", "d3c3", "f5g5")
    for move in (*cycle, *cycle):
        assert GAME.outcome_by_history(history, options) is None
        state = GAME.apply(state, GAME.parse(state, move)[0])
        history.append(state)
    assert GAME.outcome_by_history(history, options) == Outcome((0, 0), "end.repetition")


@pytest.mark.parametrize(
    ("ejected", "outcome"),
    [
        ("2 1", Outcome((1, -1), "abalone.end.ply_limit")),
        ("1 2", Outcome((-1, 1), "abalone.end.ply_limit")),
        ("2 2", Outcome((0, 0), "abalone.end.ply_limit_even")),
    ],
)
def test_the_limit_of_plies_ends_the_game(ejected: str, outcome: Outcome) -> None:
    rows = "wwwww/wwwwww/2www2/8/9/8/2bbb2/bbbbbb/bbbbb"
    history = [GAME.decode(f"{rows} {rest}") for rest in ("b 0 0", "w 1 1", f"b {ejected}")]
    assert GAME.outcome_by_history(history, GAME.settle_options({"ply_limit": 2})) == outcome
    assert GAME.outcome_by_history(history[:-1], GAME.settle_options({"ply_limit": 2})) is None
    assert GAME.outcome_by_history(history, GAME.settle_options({"ply_limit": 3})) is None
    assert GAME.outcome_by_history(history, GAME.settle_options({})) is None


def test_moves_are_listed_by_their_cells_in_line_before_broadside() -> None:
    assert GAME.legal(board("a1 a2 i9", "h8 h9 i8 g7 g9 i7")) == [
        Step("a1", "", "a2"),
        Step("a1", "", "b1"),
        Step("a1", "", "b2"),
        Step("a1", "a2", "b1"),
        Step("a1", "a2", "b2"),
        Step("a2", "", "a3"),
        Step("a2", "", "b2"),
        Step("a2", "", "b3"),
    ]


def test_menus_notes_and_marks_tell_what_a_step_does() -> None:
    state = board("e5 e6 e7 c3 c4", "e8 e9", ejected=(3, 0))
    push = Step("e5", "", "e6")
    assert GAME.path(state, push) == ("e5", "e6")
    assert GAME.notes(state, push) == (
        Note("abalone.does.pushes", {"own": 3, "other": 2}),
        Note("abalone.does.ejects", {"ejected": 4, "target": 6}),
    )
    assert GAME.marks(state, push) == (
        Mark("from", "e5", "e6"),
        Mark("from", "e6", "e7"),
        Mark("from", "e7", "e8"),
        Mark("to", "e6"),
        Mark("to", "e7"),
        Mark("to", "e8"),
        Mark("push", "e8", "e9"),
        Mark("out", "e9"),
    )
    arrow = Step("c3", "c4", "d3")
    assert GAME.path(state, arrow) == ("c3", "c3-c4", "d3")
    assert GAME.notes(state, arrow) == ()
    assert GAME.marks(state, arrow) == (
        Mark("from", "c3", "d3"),
        Mark("from", "c4", "d4"),
        Mark("to", "d3"),
        Mark("to", "d4"),
    )
