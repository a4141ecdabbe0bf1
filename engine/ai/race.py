"""Estimates how many rolls a side needs in a race, and whether it is sure to be first."""

from collections.abc import Sequence
from math import sqrt
from typing import Final

PIPS: Final = 49 / 6
"""The mean pips of a roll."""
CHECKERS: Final = 7 / 3
"""The mean of the most checkers that a roll can bear off."""
VARIANCE: Final = 0.28
"""The variance of the pips of a roll, in squares of their mean."""
SURE: Final = 3.5
"""The number of standard deviations that count as certainty."""
HOME: Final = 6


def rolls(counts: Sequence[int]) -> float:
    """Estimates the rolls that a side needs to bear off all its checkers.

    ``counts`` has its checkers by its own points; the number at 0 has no meaning.
    """
    pips = sum(point * count for point, count in enumerate(counts))
    return max(pips / PIPS, sum(counts[1:]) / CHECKERS)


def rolls_to_first(counts: Sequence[int]) -> float:
    """Estimates the rolls until a side bears off its first checker."""
    outside = sum((point - HOME) * count for point, count in enumerate(counts) if point > HOME)
    nearest = next((point for point, count in enumerate(counts) if point and count), 0)
    return (outside + min(nearest, HOME)) / PIPS


def surely_less(fewer: float, more: float) -> bool:
    """Returns whether a side that needs ``fewer`` rolls is sure to finish before one that needs ``more``."""
    return more - fewer > SURE * sqrt(VARIANCE * (fewer + more))
