"""Tests the length of a race."""

import pytest

from engine.ai.race import PIPS, rolls_to_first


@pytest.mark.parametrize(
    ("checkers", "pips"),
    [({1: 15}, 1), ({4: 1, 6: 14}, 4), ({3: 14, 8: 1}, 2 + 3), ({8: 15}, 15 * 2 + 6)],
)
def test_the_first_checker_is_off_when_all_are_home_and_the_nearest_has_gone_on(
    checkers: dict[int, int], pips: int
) -> None:
    counts = [checkers.get(point, 0) for point in range(26)]
    assert rolls_to_first(counts) == pytest.approx(pips / PIPS)
