"""Statistics of a sample of rolls, and how surprising they are for fair dice.

The formulas are those of any textbook: Pearson's chi-squared for frequencies, the normal distribution for an average.
The tail of chi-squared for whole degrees of freedom: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.4.4
and 26.4.5.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import erfc, exp, pi, sqrt
from typing import Final

from engine.kits.dice import ROLLS, Roll, dice_of, read_roll, weight

LEAST_EXPECTED: Final = 5
"""The least expected count in a class for a test with chi-squared. Samples with fewer are not tested."""
_WEIGHTS: Final = {str(roll): weight(roll, opening=False) for roll in ROLLS}
_TOTAL: Final = sum(_WEIGHTS.values())


def pips(roll: Roll) -> int:
    """Returns the points that a roll gives to play; a double counts four times."""
    return sum(dice_of(roll))


MEAN_PIPS: Final = sum(pips(roll) * _WEIGHTS[str(roll)] for roll in ROLLS) / _TOTAL
"""49/6, about 8.17."""
PIPS_VARIANCE: Final = sum((pips(roll) - MEAN_PIPS) ** 2 * _WEIGHTS[str(roll)] for roll in ROLLS) / _TOTAL


def chi_squared_tail(value: float, freedom: int) -> float:
    """Returns the odds that chi-squared with ``freedom`` degrees is ``value`` or more."""
    half = value / 2
    if freedom % 2:  # 26.4.4
        term, total = 2 * sqrt(value / (2 * pi)) * exp(-half), 0.0
        for number in range(1, freedom - 1, 2):
            total += term
            term *= value / (number + 2)
        return erfc(sqrt(half)) + total
    term, total = exp(-half), 0.0  # 26.4.5
    for number in range(freedom // 2):
        total += term
        term *= half / (number + 1)
    return total


def either_side(deviation: float) -> float:
    """Returns the odds that a normal value is at least ``deviation`` standard deviations from its mean,
    on either side.
    """
    return erfc(abs(deviation) / sqrt(2))


def spread(counts: Sequence[int], weights: Sequence[int]) -> float:
    """Returns Pearson's chi-squared of counts that should be in proportion to ``weights``."""
    total, whole = sum(counts), sum(weights)
    expected = [total * one / whole for one in weights]
    return sum((count - due) ** 2 / due for count, due in zip(counts, expected, strict=True))


@dataclass(frozen=True)
class Sample:
    """Rolls of two dice, counted by their text (``31``)."""

    counts: Mapping[str, int]

    @cached_property
    def rolls(self) -> int:
        return sum(self.counts.values())

    @cached_property
    def faces(self) -> tuple[int, ...]:
        """The count of each number from 1 to 6 on the dice, two numbers for each roll."""
        found = [0] * 6
        for text, count in self.counts.items():
            for face in read_roll(text):
                found[face - 1] += count
        return tuple(found)

    @cached_property
    def doubles(self) -> int:
        return sum(count for text, count in self.counts.items() if text[0] == text[1])

    @cached_property
    def average(self) -> float:
        """The average pips of a roll; the sample must not be empty."""
        return sum(pips(read_roll(text)) * count for text, count in self.counts.items()) / self.rolls

    # the odds of this or a more unusual result with fair dice; None if the sample is too small

    @property
    def faces_odds(self) -> float | None:
        if self.rolls * 2 < 6 * LEAST_EXPECTED:
            return None
        return chi_squared_tail(spread(self.faces, [1] * 6), 5)

    @property
    def pairs_odds(self) -> float | None:
        """The odds of a spread like this or wider over all 21 rolls."""
        if self.rolls < _TOTAL * LEAST_EXPECTED:
            return None
        return chi_squared_tail(spread([self.counts.get(text, 0) for text in _WEIGHTS], list(_WEIGHTS.values())), 20)

    @property
    def doubles_odds(self) -> float | None:
        if self.rolls < 6 * LEAST_EXPECTED:
            return None
        return either_side((self.doubles - self.rolls / 6) / sqrt(self.rolls * 5 / 36))

    @property
    def average_odds(self) -> float | None:
        if self.rolls < 6 * LEAST_EXPECTED:
            return None
        return either_side((self.average - MEAN_PIPS) / sqrt(PIPS_VARIANCE / self.rolls))


def difference_odds(first: Sample, second: Sample) -> float | None:
    """Returns how often the averages of two samples of fair dice differ by this much or more."""
    if min(first.rolls, second.rolls) < 6 * LEAST_EXPECTED:
        return None
    return either_side((first.average - second.average) / sqrt(PIPS_VARIANCE * (1 / first.rolls + 1 / second.rolls)))
