"""A limit means the same on a machine of half the speed. What is tried is far from it, as this one may be busy."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from fuzz.calibration import REFERENCE, exercise, least

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize("slower", [1, 2])
@pytest.mark.parametrize(("times", "fits"), [(5, True), (20, False)])
def test_a_limit_is_in_proportion(monkeypatch: pytest.MonkeyPatch, slower: int, times: int, fits: bool) -> None:
    """Five times as much work as that by which the machine is timed, with a limit of ten; and twenty times."""
    clock: Callable[[], float] = time.thread_time
    monkeypatch.setattr(time, "thread_time", lambda: slower * clock())

    def work() -> None:
        for _ in range(times):
            exercise()

    limit = 10 * REFERENCE
    assert (least(work, limit) <= limit) == fits


def test_a_faster_machine_gets_no_less(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = time.thread_time
    monkeypatch.setattr(time, "thread_time", lambda: clock() / 3)
    taken = least(exercise, 0.0)
    assert taken < REFERENCE
