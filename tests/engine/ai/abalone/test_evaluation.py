"""The worth of steps towards the centre, of marbles that touch, and of ejected ones."""

import pytest

from engine.ai.abalone.evaluation import cohesion, ejections, evaluate, steps
from engine.games.abalone.board import BITS


@pytest.mark.parametrize(
    ("cells", "number"),
    [(("e5",), 4), (("e6",), 3), (("e7",), 2), (("e8",), 1), (("e9",), 0), (("e5", "e6", "g7", "i9"), 4 + 3 + 2)],
)
def test_steps_from_the_edge_are_counted(cells: tuple[str, ...], number: int) -> None:
    assert steps(sum(BITS[cell] for cell in cells)) == number


@pytest.mark.parametrize(
    ("cells", "pairs"),
    [(("e5",), 0), (("e5", "e6"), 1), (("e5", "e7"), 0), (("e5", "e6", "f6"), 3), (("e5", "f5", "f6", "e6"), 5)],
)
def test_pairs_that_touch_are_counted_once(cells: tuple[str, ...], pairs: int) -> None:
    assert cohesion(sum(BITS[cell] for cell in cells)) == pairs


def test_each_further_marble_is_worth_more() -> None:
    gains = [ejections(count + 1) - ejections(count) for count in range(6)]
    assert gains == sorted({*gains})


def test_the_worth_of_a_position_is_opposite_for_the_other_side() -> None:
    mine, theirs = BITS["e5"] | BITS["e6"], BITS["a1"] | BITS["i9"]
    assert evaluate(mine, theirs, 2, 1) == -evaluate(theirs, mine, 1, 2) > 0
