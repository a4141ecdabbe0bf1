"""About how many rolls a side still needs in a race, and what is sure of it."""

from collections.abc import Sequence
from math import sqrt
from typing import Final

PIPS: Final = 49 / 6
"""The mean pips of a roll."""
CHECKERS: Final = 7 / 3
"""The mean number of checkers that a roll bears off at most."""
VARIANCE: Final = 0.28
"""Of the pips of a roll, in squares of its mean."""
SURE: Final = 3.5
"""So many standard deviations are taken for certainty."""
HOME: Final = 6


def rolls(counts: Sequence[int]) -> float:
    """The rolls that a side needs to bear off all; ``counts`` by its own points, of which 0 does not count."""
    pips = sum(point * count for point, count in enumerate(counts))
    return max(pips / PIPS, sum(counts[1:]) / CHECKERS)


def rolls_to_first(counts: Sequence[int]) -> float:
    """The rolls until a side has borne off its first."""
    outside = sum((point - HOME) * count for point, count in enumerate(counts) if point > HOME)
    nearest = next((point for point, count in enumerate(counts) if point and count), 0)
    return (outside + min(nearest, HOME)) / PIPS


def surely_less(fewer: float, more: float) -> bool:
    """Whether a side that needs the fewer rolls will be there first for sure."""
    return more - fewer > SURE * sqrt(VARIANCE * (fewer + more))
