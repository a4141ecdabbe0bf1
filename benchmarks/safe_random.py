"""A level of APB against chance that is safe: ``python benchmarks/safe_random.py [--level N] [--games N] [--seed S]``.

The opponent plays steps by chance until its turn is over, and takes the turn back if it loses at once or leaves a win
in one turn; so it errs only where chance finds nothing else. Who plays first alternates. The level's share of the games
(a draw is half) has its 95 % error bar, from the pairs of games with the seats exchanged.
``--quick`` ends within three minutes.
"""

import argparse
import math
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any, Final

sys.path[0] = str(Path(__file__).parents[1])  # this file's own name would hide the package

from benchmarks.levels import BAR, Machine, pair_of_games
from benchmarks.points import QUICK
from engine.ai.apb.clearing import winning_turn, wins
from engine.games.apb import GAME, State
from engine.games.apb.moves import advance, legal

TRIES: Final = 200
"""The number of random turns that are tried to find a safe one."""


def safe_random(luck: random.Random) -> Any:
    """Returns a function that chooses turns as described above. It wins in one turn where it can."""

    def turn(state: State, earlier: frozenset[State]) -> tuple[Any, ...]:
        del earlier
        steps = winning_turn(state)
        for _ in range(TRIES if steps is None else 0):
            steps, after = (), state
            while after.turn == state.turn and all(after.principals):
                step = luck.choice(legal(after))
                steps, after = (*steps, step), advance(after, step)
            if all(after.principals) and not wins(after):
                break
        assert steps is not None
        return steps

    return turn


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--quick", action="store_true", help="as many games as three minutes allow")
    asked = parser.parse_args()
    stop = time.monotonic() + (QUICK if asked.quick else math.inf)
    machine = Machine(GAME, asked.level, 1.0)
    chance = safe_random(random.Random(asked.seed))
    shares: list[float] = []
    while 2 * len(shares) < asked.games and time.monotonic() < stop:
        pair = pair_of_games(GAME, chance, machine, f"{asked.seed} {len(shares)}")
        shares.append(statistics.mean(pair["won"]))
    error = BAR * statistics.stdev(shares) / math.sqrt(len(shares))
    print(f"level {asked.level}: {100 * statistics.mean(shares):.1f} ± {100 * error:.1f} % of {2 * len(shares)} games")


if __name__ == "__main__":
    main()
