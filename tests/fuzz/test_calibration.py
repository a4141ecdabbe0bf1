"""A limit means the same on a machine of half the speed. What is tried is far from it, as this one may be busy."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from harness.thinning import one_of

from fuzz import calibration
from fuzz.calibration import exercise, least, seconds

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> float:
    """The reference machine is this one: the seconds that the exercise takes here."""
    taken = min(seconds(exercise) for _ in range(9))
    monkeypatch.setattr(calibration, "REFERENCE", taken)
    return taken


@pytest.mark.thorough
@one_of("slower", [1, 2])
@pytest.mark.parametrize(("times", "fits"), [(3, True), (40, False)])
def test_a_limit_is_in_proportion(
    monkeypatch: pytest.MonkeyPatch, own: float, slower: int, times: int, fits: bool
) -> None:
    """A third of the work that fits into the limit, and four times as much."""
    clock: Callable[[], float] = time.thread_time
    monkeypatch.setattr(time, "thread_time", lambda: slower * clock())

    def work() -> None:
        for _ in range(times):
            exercise()

    limit = 10 * own
    assert (least(work, limit) <= limit) == fits


def test_a_faster_machine_gets_no_less(monkeypatch: pytest.MonkeyPatch, own: float) -> None:
    clock = time.thread_time
    monkeypatch.setattr(time, "thread_time", lambda: clock() / 4)
    assert least(exercise, 0.0) < own / 2
