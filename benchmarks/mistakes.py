"""Measures the losses of backgammon's levels by mistakes: ``python benchmarks/mistakes.py [--levels 5 7 8]``.

GNU Backgammon at 0-ply plays against itself; in every third position with a choice each level chooses its turn. GNU
Backgammon at 2-ply judges it against the best of the turns, without the cube, as for money. The loss is printed as
usual, 500 times the mean of a decision, with its 95 % error bar, beside that of GNU Backgammon at 0-ply. ``--quick``
ends within three minutes.
"""

import argparse
import math
import os
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as a worker of the bot has it
sys.path[0] = str(Path(__file__).parents[1])  # this file's own name would hide the package

from benchmarks.gnubg import Gnu
from benchmarks.points import BAR, QUICK, Machine
from engine.core.game import CHANCE
from engine.games.backgammon import GAME, State

JUDGE: Final = 2
"""The plies of the judge."""
BEST: Final = 6
"""The number of the best turns at 0-ply that are judged."""
TAKEN: Final = 1 / 3
GNU: Final = 0
"""GNU Backgammon itself, among the levels."""


def losses(gnu: Gnu, machines: list[Machine], state: State) -> dict[int, float]:
    """Computes the loss of each player by its turn."""
    afters = [after for _, after in GAME.turns(state)]
    worth = gnu.judge(afters)
    best = sorted(afters, key=lambda after: worth[afters.index(after)])
    chosen: dict[int, Any] = {machine.player.level: machine(state) for machine in machines} | {GNU: best[0]}
    judged = [*dict.fromkeys((*best[:BEST], *chosen.values()))]
    values = dict(zip(judged, gnu.judge(judged, JUDGE), strict=True))
    least = min(values.values())
    return {level: values[after] - least for level, after in chosen.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--decisions", type=int, default=1000)
    parser.add_argument("--levels", type=int, nargs="*", default=[5, 6, 7, 8])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="as many decisions as three minutes allow")
    asked = parser.parse_args()
    gnu = Gnu()
    machines = [Machine(GAME, level) for level in asked.levels]
    luck = random.Random(asked.seed)
    stop = time.monotonic() + (QUICK if asked.quick else math.inf)
    found: list[dict[int, float]] = []
    state = GAME.start(GAME.settle_options({}))
    while len(found) < asked.decisions and time.monotonic() < stop:
        if GAME.to_act(state) is None:
            state = GAME.start(GAME.settle_options({}))
        elif GAME.to_act(state) == CHANCE:
            rolls = GAME.legal(state)
            state = GAME.apply(state, luck.choices(rolls, [GAME.weight(state, roll) for roll in rolls])[0])
        else:
            turns = GAME.turns(state)
            over = any(GAME.to_act(after) is None for _, after in turns)
            if luck.random() < TAKEN and len(turns) > 1 and not over:
                found.append(losses(gnu, machines, state))
            state = gnu(state)
    gnu.end()
    print("| level | decisions | loss, times 500 |\n|---|---|---|")
    for level in (*asked.levels, GNU):
        lost = [500 * each[level] for each in found]
        error = BAR * statistics.stdev(lost) / math.sqrt(len(lost))
        print(f"| {level or 'GNU 0-ply'} | {len(lost)} | {statistics.mean(lost):.2f} ± {error:.2f} |")


if __name__ == "__main__":
    main()
