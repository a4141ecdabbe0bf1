"""The worth of a marble by its ring, and of marbles that touch."""

import pytest

from engine.ai.abalone.evaluation import cohesion, near_centre
from engine.games.abalone.board import BITS

RINGS = (1, 10, 100, 1000)


@pytest.mark.parametrize(
    ("cells", "worth"),
    [
        (("e5",), 1111),
        (("e6",), 1110),
        (("e7",), 1100),
        (("e8",), 1000),
        (("e9",), 0),
        (("e5", "e6", "g7", "i9"), 1111 + 1110 + 1100),
    ],
)
def test_a_marble_is_worth_each_ring_that_it_is_within(cells: tuple[str, ...], worth: int) -> None:
    assert near_centre(sum(BITS[cell] for cell in cells), RINGS) == worth


@pytest.mark.parametrize(
    ("cells", "pairs"),
    [(("e5",), 0), (("e5", "e6"), 1), (("e5", "e7"), 0), (("e5", "e6", "f6"), 3), (("e5", "f5", "f6", "e6"), 5)],
)
def test_pairs_that_touch_are_counted_once(cells: tuple[str, ...], pairs: int) -> None:
    assert cohesion(sum(BITS[cell] for cell in cells)) == pairs
