"""Rest hours and days off: their text, their limits, the hours of a changing zone."""

from itertools import islice, pairwise

import pytest
from fakes.timeoff import MONDAY, times_off
from hypothesis import given

from engine.core.errors import RuleError
from engine.core.hours import DAY, HOUR, Hours

SUMMER = 1_774_746_000_000
"""2026-03-29 01:00 UTC: Central Europe goes from one hour before UTC to two."""


def test_hours_are_one_line() -> None:
    hours = Hours((1320, 420), (5, 6), ((0, 60), (SUMMER, 120)))
    assert str(hours) == f"1320-420 5,6 60 {SUMMER}:120"
    assert str(Hours()) == "-"
    assert str(Hours(weekend=(6,))) == "- 6 0"
    assert not Hours()


@given(times_off)
def test_hours_read_as_they_are_written(hours: Hours) -> None:
    assert Hours.parse(str(hours)) == (hours or Hours())


@pytest.mark.parametrize(
    "text",
    ["", "- -", "1320-420", "1320-420 5 x", "1320-420 5;6 0", "a-b - 0", "1320-420 - 0 5", "1320-420 - 1081",
     "1320-420 - 0 9:60 9:0", "1320-420 - 0 9:60 8:0", "1320-420  - 0"],
)  # fmt: skip
def test_a_text_that_is_no_hours_is_refused(text: str) -> None:
    with pytest.raises(RuleError, match=r"hours\.text"):
        Hours.parse(text)


def test_there_is_at_least_one_offset() -> None:
    with pytest.raises(RuleError, match=r"hours\.text"):
        Hours((0, 60), (), ())


@pytest.mark.parametrize("text", ["0-721 - 0", "600-600 - 0", "0-1440 - 0", "1320-601 - 0"])
def test_rest_lasts_twelve_hours_at_most(text: str) -> None:
    with pytest.raises(RuleError, match=r"hours\.rest \(most=12\)"):
        Hours.parse(text)


@pytest.mark.parametrize("text", ["- 0,1,2,3 0", "- 7 0", "- 6,5 0", "- 5,5 0"])
def test_at_most_three_days_of_the_week_are_off(text: str) -> None:
    with pytest.raises(RuleError, match=r"hours\.weekend \(most=3\)"):
        Hours.parse(text)


def test_a_night_is_shorter_when_summer_begins() -> None:
    hours = Hours((1320, 420), (), ((0, 60), (SUMMER, 120)))
    saturday = MONDAY + 5 * DAY
    night = [interval for interval in islice(hours.intervals(saturday), 8) if interval[0] >= saturday + 12 * HOUR]
    # from 22:00 until the change at 02:00, then until 07:00 by a clock that is an hour ahead
    assert night[:3] == [
        (saturday + 21 * HOUR, saturday + 23 * HOUR),
        (saturday + 23 * HOUR, SUMMER),
        (SUMMER, saturday + DAY + 5 * HOUR),
    ]


@given(times_off)
def test_time_off_is_disjoint_and_rising(hours: Hours) -> None:
    found = list(islice(hours.intervals(MONDAY), 80))
    assert bool(found) == bool(hours)
    assert all(begin < end for begin, end in found)
    assert all(earlier[1] <= later[0] for earlier, later in pairwise(found))
