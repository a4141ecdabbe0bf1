"""A level of APB against chance that is safe: ``python benchmarks/safe_random.py [--level N] [--games N] [--seed S]``.

The opponent plays steps by chance until its turn is over, and takes the turn back if it loses at once or leaves a win
in one turn; so it errs only where chance finds nothing else. Who plays first alternates. The level's share of the games
(a draw is half) has its 95 % error bar, from the pairs of games with the seats exchanged.
``--quick`` ends within three minutes.
"""

import argparse
import math
import random
import sys
import time
from contextlib import suppress
from functools import reduce
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))  # this file's own name would hide the package

from benchmarks.figures import QUICK
from benchmarks.levels import Machine, Pair, Turn, pair_of_games, summary
from engine.ai.apb.clearing import winning_turn, wins
from engine.games.apb import GAME, State
from engine.games.apb.moves import advance, legal

TRIES: Final = 200
"""The number of random turns that are tried to find a safe one."""


def safe_random(luck: random.Random) -> Turn:
    """Returns a player of turns as described above. It wins in one turn where it can."""

    def turn(state: State, _: frozenset[State]) -> State:
        steps = winning_turn(state)
        if steps is not None:
            return reduce(advance, steps, state)
        after = state
        for _try in range(TRIES):
            after = state
            while after.turn == state.turn and all(after.principals):
                after = advance(after, luck.choice(legal(after)))
            if all(after.principals) and not wins(after):
                break
        return after

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
    pairs: list[Pair] = []
    with suppress(TimeoutError):
        while 2 * len(pairs) < asked.games:
            pairs.append(pair_of_games(GAME, chance, machine, f"{asked.seed} {len(pairs)}", stop))
    share, drawn, cut = summary(pairs)
    print(f"level {asked.level}: {share} of {2 * len(pairs)} games, {drawn} drawn, {cut} cut off")


if __name__ == "__main__":
    main()
