"""Compares backgammon's cube decisions with GNU Backgammon's: ``python benchmarks/cube.py [--match N] [--levels 7 8]``.

GNU Backgammon plays against itself: its turns at 0-ply, the cube at 2-ply. It plays for money, with the Jacoby rule; or
with ``--match`` games of matches to N points, at any score at which both sides still need more than one. Before every
third roll with a cube to turn its decisions are compared: whether to double and, where a double would be at most a
small mistake, whether to take. They count only if the wrong one costs more than ``COSTLY``. Printed are how often each
level decides likewise and what it loses, with 95 % error bars; most decisions are clear, so also of those that are not.
The bars are from positions, as the two decisions of one depend on each other. ``--quick`` ends within three minutes.
"""

import argparse
import math
import os
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as a worker of the bot has it
sys.path.insert(0, str(Path(__file__).parents[1]))  # this file's own name would hide the package

from benchmarks.figures import QUICK, estimate
from benchmarks.gnubg import Gnu, version
from benchmarks.levels import rolled
from engine.ai.players import player
from engine.core.game import CHANCE
from engine.games.backgammon import GAME, State
from engine.kits.cube import CubeAction

JUDGE: Final = 2
"""The plies of the judge."""
TAKEN: Final = 1 / 3
COSTLY: Final = 0.05
"""A wrong decision that costs no more is not counted. The unit is half the difference between winning and losing the
present cube: for money, its points."""
CLEAR: Final = 0.2
"""One that costs more than this is clear."""


class Asked(NamedTuple):
    """A decision that counts."""

    position: int
    """The number of the position before the roll, to which one decision belongs or two."""
    state: State
    right: CubeAction
    cost: float
    """Of the wrong one."""


def new_game(luck: random.Random, length: int) -> State:
    """Begins a game for money, or of a match to so many points if it is not 0."""
    scores = {f"score{seat}": luck.randrange(length - 1) for seat in (0, 1)} if length else {}
    return GAME.start(GAME.settle_options({"cube": "on", "points": length, **scores}))


def decisions(gnu: Gnu, luck: random.Random, length: int = 0) -> Iterator[Asked]:
    """Plays games without end, and finds the decisions that count."""
    state = new_game(luck, length)
    position = 0
    while True:
        actor = GAME.to_act(state)
        legal = GAME.legal(state) if actor is not None else ()
        if actor is None:
            state = new_game(luck, length)
        elif actor == CHANCE:
            state = rolled(GAME, state, luck)
        elif CubeAction.ROLL in legal:
            roll, take, drop = gnu.cube(state, JUDGE)
            gain, cost = min(take, drop) - roll, abs(take - drop)
            best = CubeAction.DOUBLE if gain > 0 else CubeAction.ROLL
            answer = CubeAction.TAKE if take < drop else CubeAction.PASS
            doubled = GAME.apply(state, CubeAction.DOUBLE)
            if luck.random() < TAKEN:
                position += 1
                if abs(gain) > COSTLY:
                    yield Asked(position, state, best, abs(gain))
                if gain >= -COSTLY and cost > COSTLY:
                    yield Asked(position, doubled, answer, cost)
            state = GAME.apply(doubled, answer) if best is CubeAction.DOUBLE else GAME.apply(state, best)
        else:
            state = gnu(state)


def estimate_of(values: Sequence[float], positions: Sequence[int]) -> tuple[float, float]:
    """Returns the mean of the values and its 95 % error bar, if those of one position depend on each other."""
    mean = statistics.mean(values)
    off: dict[int, float] = defaultdict(float)
    for value, position in zip(values, positions, strict=True):
        off[position] += value - mean
    return mean, estimate([*off.values()])[1] * len(off) / len(values)


def tell(level: int, found: list[tuple[Asked, CubeAction]]) -> None:
    """Prints how often the level decides as GNU Backgammon, of all decisions and of those of each kind."""
    kinds = {
        "all": found,
        f"cost at most {CLEAR}": [each for each in found if each[0].cost <= CLEAR],
        **{
            f"right is to {action}": [each for each in found if each[0].right is action]
            for action in (CubeAction.ROLL, CubeAction.DOUBLE, CubeAction.TAKE, CubeAction.PASS)
        },
    }
    for kind, those in kinds.items():
        if those:
            positions = [asked.position for asked, _ in those]
            share, bar = estimate_of([asked.right is chosen for asked, chosen in those], positions)
            lost, lost_bar = estimate_of(
                [asked.cost * (asked.right is not chosen) for asked, chosen in those], positions
            )
            as_gnu = f"{100 * share:.1f} ± {100 * bar:.1f} %"
            print(f"| {level} | {kind} | {len(those)} | {as_gnu} | {lost:.4f} ± {lost_bar:.4f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--decisions", type=int, default=500)
    parser.add_argument("--levels", type=int, nargs="*", default=[5, 7, 8])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--match", type=int, default=0, help="the points of a match, at least 2; for money if not given"
    )
    parser.add_argument("--quick", action="store_true", help="as many decisions as three minutes allow")
    asked = parser.parse_args()
    gnu = Gnu()
    machines = {level: player(GAME, level) for level in asked.levels}
    found: dict[int, list[tuple[Asked, CubeAction]]] = {level: [] for level in asked.levels}
    stop = time.monotonic() + (QUICK if asked.quick else math.inf)
    for number, each in enumerate(decisions(gnu, random.Random(asked.seed), asked.match)):
        if number == asked.decisions or time.monotonic() > stop:
            break
        for level, machine in machines.items():
            found[level].append((each, machine.candidates(each.state)[0].steps[0]))
    gnu.end()
    print(f"{version()}\n\n| level | decisions | number | as GNU 2-ply | lost by a decision |\n|---|---|---|---|---|")
    for level in asked.levels:
        tell(level, found[level])


if __name__ == "__main__":
    main()
