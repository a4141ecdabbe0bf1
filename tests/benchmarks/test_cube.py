"""Tests the comparison of cube decisions, with a judge that says what the test wants."""

import random
from itertools import islice
from typing import Any

import pytest

from benchmarks.cube import Asked, decisions, estimate_of, new_game, tell
from benchmarks.figures import estimate
from engine.games.backgammon import GAME, State
from engine.kits.cube import CubeAction


class Judge:
    """Says the same of every cube, and plays the first turn."""

    def __init__(self, *worth: float) -> None:
        self.worth = [*worth]

    def cube(self, _: State, plies: int) -> list[float]:
        assert plies == 2
        return self.worth

    def __call__(self, state: State) -> State:
        return GAME.turns(state)[0][1]


def first(count: int, *worth: float) -> list[Asked]:
    judge: Any = Judge(*worth)
    return [*islice(decisions(judge, random.Random(1)), count)]


@pytest.mark.parametrize(
    ("worth", "double", "answer"),
    [
        ((0.5, 0.7, 1.0), (CubeAction.DOUBLE, 0.2), (CubeAction.TAKE, 0.3)),
        ((0.7, 1.3, 1.0), (CubeAction.DOUBLE, 0.3), (CubeAction.PASS, 0.3)),
        ((0.52, 0.5, 1.0), None, (CubeAction.TAKE, 0.5)),  # the double is a small mistake, so only the answer counts
        ((0.9, 0.98, 1.0), (CubeAction.DOUBLE, 0.08), None),
    ],
)
def test_a_double_and_its_answer_count_by_what_the_wrong_one_costs(
    worth: tuple[float, ...], double: tuple[CubeAction, float] | None, answer: tuple[CubeAction, float] | None
) -> None:
    for asked in first(6, *worth):
        offered = CubeAction.DOUBLE not in GAME.legal(asked.state)
        expected = answer if offered else double
        assert expected is not None
        assert (asked.right, asked.cost) == (expected[0], pytest.approx(expected[1]))


def test_the_answer_to_a_bad_double_is_not_asked() -> None:
    for asked in first(4, 0.0, -0.5, 1.0):
        assert CubeAction.DOUBLE in GAME.legal(asked.state)
        assert (asked.right, asked.cost) == (CubeAction.ROLL, 0.5)


def test_in_a_match_both_sides_need_more_than_a_point() -> None:
    luck = random.Random(1)
    scores = {(fields.white_score, fields.black_score) for fields in (new_game(luck, 4).fields for _ in range(200))}
    assert scores == {(own, other) for own in "012" for other in "012"}
    assert {new_game(luck, 4).fields.length, new_game(luck, 0).fields.length} == {"4", "0"}


def test_the_table_tells_all_decisions_and_close_ones_apart(capsys: pytest.CaptureFixture[str]) -> None:
    state = GAME.start(GAME.settle_options({"cube": "on"}))
    clear, close = (CubeAction.ROLL, 0.5), (CubeAction.TAKE, 0.1)
    chosen = [(clear, CubeAction.ROLL), (clear, CubeAction.ROLL), (close, CubeAction.TAKE), (close, CubeAction.PASS)]
    tell(7, [(Asked(number, state, *asked), choice) for number, (asked, choice) in enumerate(chosen)])
    assert capsys.readouterr().out.splitlines() == [
        "| 7 | all | 4 | 75.0 ± 49.0 % | 0.0250 ± 0.0490 |",
        "| 7 | cost at most 0.2 | 2 | 50.0 ± 98.0 % | 0.0500 ± 0.0980 |",
        "| 7 | right is to roll | 2 | 100.0 ± 0.0 % | 0.0000 ± 0.0000 |",
        "| 7 | right is to take | 2 | 50.0 ± 98.0 % | 0.0500 ± 0.0980 |",
    ]


def test_the_error_bar_is_that_of_positions() -> None:
    """Two decisions that always go together say no more than one; a position of its own for each is the usual mean."""
    values = [1, 0, 0, 1, 1, 0]
    alone = estimate(values)
    assert estimate_of(values, range(6)) == pytest.approx(alone)
    assert estimate_of([each for each in values for _ in "12"], [at for at in range(6) for _ in "12"]) == alone
    assert estimate_of([1, 0, 0, 1], [1, 1, 2, 2]) == (0.5, 0.0)  # one decision of each position, so half for sure
