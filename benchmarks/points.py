"""Points a game of a machine against another player, for ``gnubg.py`` and ``colours.py``.

Single games without a cube. Every sequence of dice is played twice with the seats exchanged, so that luck and the first
move count for both; the 95 % error bar is that of such pairs of games.
"""

import argparse
import math
import random
import statistics
import time
from typing import Any

from benchmarks.figures import QUICK, estimate, spread
from benchmarks.levels import Machine, Turn, played
from engine.core.game import Game


def measure(machine: Machine, other: Turn, games: int, seed: str, seconds: float) -> None:
    """Prints a line of the table: the machine's points, in so many games or as many as end in time."""
    points: list[float] = []
    won = 0
    stop = time.monotonic() + seconds
    for number in range(games // 2):
        machine.seed = f"{seed} {number}"
        try:
            one = played(machine.game, (machine, other), random.Random(machine.seed), stop=stop)
            two = played(machine.game, (other, machine), random.Random(machine.seed), stop=stop)
        except TimeoutError:
            break
        both = [one.points[0] if one else 0, two.points[1] if two else 0]  # none for a game that was cut off
        points.append(statistics.mean(both))
        won += sum(one > 0 for one in both)
    if not points:
        print(f"| {machine.player.level} | 0 | | | |", flush=True)
        return
    mean, error = estimate(points)
    print(
        f"| {machine.player.level} | {2 * len(points)} | {mean:+.3f} ± {error:.3f} "
        f"| {50 * won / len(points):.1f} % | {spread(machine.times)} |",
        flush=True,
    )


def compare(document: str, game: Game[Any, Any], other: Turn) -> None:
    """Reads the arguments, and prints a table of levels against the other player."""
    parser = argparse.ArgumentParser(description=document.partition("\n")[0])
    parser.add_argument("--games", type=int, default=1000, help="of each level")
    parser.add_argument("--levels", type=int, nargs="*", default=[7, 8])
    parser.add_argument("--depth", type=int, help="how many turns level 8 looks further ahead, if not as it does")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--quick", action="store_true", help="as many games as three minutes allow")
    asked = parser.parse_args()
    seconds = QUICK / len(asked.levels) if asked.quick else math.inf
    print("| level | games | points a game | won | mean, median, p99 and longest move |\n|---|---|---|---|---|")
    for level in asked.levels:
        measure(Machine(game, level, depth=asked.depth), other, asked.games, asked.seed, seconds)
