"""Measures the speed of this machine: a limit in seconds of CPU is longer on a slower machine, in proportion.

A fixed piece of work in pure Python is timed beside the measured work. A machine that needs twice REFERENCE for it may
take twice as long for everything; a faster one gets no less than the limit.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

REFERENCE: Final = 0.0044
"""Seconds of CPU that ``exercise`` takes on the machine for which the limits are meant, if it does nothing else."""
RUNS: Final = 25
"""How often something is measured before it is said to be too slow: other programs only make it slower."""
PAUSE: Final = 0.03
"""Seconds between two runs, as other programs are busy for some tenths of a second."""
POINTS: Final = 24
WORD: Final = re.compile(r"(\w+)/(\d+)")


def exercise() -> int:
    """Does work like that of rules and readers: it makes, compares and keeps positions, and matches texts."""
    start = tuple(range(POINTS))
    texts = {start: ""}
    made = [start]
    for _ in range(4):
        before, made = made, []
        for position in before:
            for point in range(0, POINTS - 2, 2):
                moved = list(position)
                moved[point] -= 1
                moved[point + 2] += 1
                after = tuple(moved)
                if after not in texts:
                    texts[after] = f"{texts[position]} {point}/{point + 2}"
                    made.append(after)
    return sum(WORD.fullmatch(word) is not None for text in texts.values() for word in text.casefold().split())


def seconds(work: Callable[[], object]) -> float:
    """Returns the seconds of this thread's CPU that the work takes."""
    began = time.thread_time()
    work()
    return time.thread_time() - began


def slowness() -> float:
    """Returns how much slower than the reference machine this one is now, as a factor; at least 1."""
    return max(1.0, (seconds(exercise) + seconds(exercise)) / 2 / REFERENCE)


def spend(taken: float) -> None:
    """Works for so many seconds of the reference machine; on a faster one for as many of its own."""
    end = time.thread_time() + taken * slowness()
    while time.thread_time() < end:
        exercise()


class Least:
    """The least time of several runs, each in proportion to the speed of the machine beside it.

    ``enough``: the seconds on the reference machine that are not too slow.
    """

    def __init__(self, enough: float) -> None:
        self._enough = enough
        self.seconds = float("inf")
        """The least until now, in seconds of the reference machine."""

    def add(self, taken: float) -> bool:
        """Notes a run of so many seconds; whether that is enough. Only if it is not, the machine is timed, too."""
        self.seconds = min(self.seconds, taken if taken <= self._enough else taken / slowness())
        return self.seconds <= self._enough


def growth(work: Callable[[int], object], short: int, long: int, enough: float) -> float:
    """Returns how many times as long the work takes for the long size as for the short one, both on this machine.

    The least time of some runs counts for each size: of at most RUNS for the long one, or until it is ``enough``.
    """
    least_short, least_long = min(seconds(lambda: work(short)) for _ in range(5)), float("inf")
    for _ in range(RUNS):
        least_short = min(least_short, seconds(lambda: work(short)))
        least_long = min(least_long, seconds(lambda: work(long)))
        if least_long <= enough * least_short:
            break
        time.sleep(PAUSE)
    return least_long / least_short


def least(work: Callable[[], object], enough: float) -> float:
    """Returns the time of the work in seconds of the reference machine: the least of RUNS, or the first that is
    ``enough``.
    """
    found = Least(enough)
    for _ in range(RUNS):
        if found.add(seconds(work)):
            break
        time.sleep(PAUSE)
    return found.seconds
