"""Measures the computation of deadlines: ``python benchmarks/clock.py``; a line per time control, microseconds each.

Without time off; with rest hours and weekends in a zone that changes its clocks; and with vacations and credits, too.
"""

import sys
import timeit
from dataclasses import replace
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])  # this file's own name would hide the package

from engine.core.clock import Clock, TimeControl
from engine.core.hours import DAY, HOUR, MINUTE, Hours

START = 1_774_224_000_000
NIGHTS = Hours((1320, 420), (5, 6), ((0, 60), (1_774_746_000_000, 120), (1_792_890_000_000, 60)))
CALLS = 200


def microseconds(clock: Clock) -> float:
    return min(timeit.repeat(lambda: clock.deadline, number=CALLS, repeat=5)) / CALLS * 1e6


def main() -> None:
    print(f"{'':12} {'plain':>8} {'rest':>8} {'away':>8}")
    for text in ("10m+5s", "3d/move", "3d+12h", "30d/move", "90d 30d/move"):
        plain = Clock.of(TimeControl.parse(text), START)
        rest = replace(plain, hours=(NIGHTS, NIGHTS))
        away = rest
        for number in range(3):
            away = away.add_vacation(0, (number * DAY, number * DAY + HOUR)).credit(
                (number * DAY, number * DAY + MINUTE)
            )
        figures = [microseconds(clock.next_turn(0, 0)) for clock in (plain, rest, away)]
        print(f"{text:12} " + " ".join(f"{figure:8.1f}" for figure in figures))


if __name__ == "__main__":
    main()
