"""Known values of chi-squared tables, and samples counted by hand."""

import pytest

from bot.dice.statistics import (
    MEAN_PIPS,
    PIPS_VARIANCE,
    Sample,
    chi_squared_tail,
    difference_odds,
    either_side,
    spread,
)
from engine.kits.dice import ROLLS

TABLE = {
    5: {0.95: 1.145, 0.5: 4.351, 0.1: 9.236, 0.05: 11.070, 0.01: 15.086, 0.001: 20.515},
    20: {0.95: 10.851, 0.5: 19.337, 0.1: 28.412, 0.05: 31.410, 0.01: 37.566, 0.001: 45.315},
    35: {0.95: 22.465, 0.5: 34.336, 0.1: 46.059, 0.05: 49.802, 0.01: 57.342, 0.001: 66.619},
    1: {0.05: 3.841, 0.01: 6.635},
    2: {0.05: 5.991, 0.01: 9.210},
}
"""NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4: critical values by degrees of freedom."""


@pytest.mark.parametrize("freedom", TABLE)
def test_the_tail_of_chi_squared_is_that_of_the_table(freedom: int) -> None:
    for odds, value in TABLE[freedom].items():
        assert chi_squared_tail(value, freedom) == pytest.approx(odds, rel=0.002)
    assert chi_squared_tail(0, freedom) == pytest.approx(1)


def test_the_tail_of_the_normal_distribution() -> None:
    assert either_side(1.959964) == pytest.approx(0.05, rel=1e-5)
    assert either_side(-2.575829) == pytest.approx(0.01, rel=1e-5)
    assert either_side(0) == 1


def test_the_average_of_all_rolls() -> None:
    assert pytest.approx(49 / 6) == MEAN_PIPS
    rolls = [4 * a if a == b else a + b for a in range(1, 7) for b in range(1, 7)]
    assert sum(rolls) / 36 == pytest.approx(MEAN_PIPS)
    assert sum((value - MEAN_PIPS) ** 2 for value in rolls) / 36 == pytest.approx(PIPS_VARIANCE)


def test_a_sample_is_counted() -> None:
    sample = Sample({"31": 2, "66": 1, "21": 1})
    assert (sample.rolls, sample.faces, sample.doubles) == (4, (3, 1, 2, 0, 0, 2), 1)
    assert sample.average == pytest.approx((4 + 4 + 24 + 3) / 4)
    assert (sample.faces_odds, sample.pairs_odds, sample.doubles_odds, sample.average_odds) == (None,) * 4
    assert difference_odds(sample, sample) is None


def test_a_perfect_sample_is_no_surprise() -> None:
    sample = Sample({str(roll): 10 * (1 + (roll.first != roll.second)) for roll in ROLLS})
    assert sample.rolls == 360
    for odds in (sample.faces_odds, sample.pairs_odds, sample.doubles_odds, sample.average_odds):
        assert odds == pytest.approx(1)
    assert difference_odds(sample, sample) == 1


def test_loaded_dice_are_a_surprise() -> None:
    sample = Sample({str(roll): 10 * (1 + (roll.first != roll.second)) + 30 * (roll.first == 6) for roll in ROLLS})
    fair = Sample({str(roll): 10 * (1 + (roll.first != roll.second)) for roll in ROLLS})
    for odds in (sample.faces_odds, sample.pairs_odds, sample.average_odds, difference_odds(sample, fair)):
        assert odds is not None
        assert odds < 0.001
    assert spread([12, 8], [1, 1]) == pytest.approx(0.8)
