"""How the levels of a game's machine compare: ``python benchmarks/levels.py GAME [--games N] [--levels 2-3 …]``.

Each level plays the next one, and level 1 a careful newcomer (``newcomer.py``). Every sequence of dice is played twice
with the seats exchanged, so that luck and the first move count for both; each such pair of games has its own seed. The
share of games won (a draw is half) has its standard error, from the pairs of games; times are CPU time for a move.
"""

import argparse
import math
import random
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).parents[1])  # this file's own name would hide the package

from benchmarks.newcomer import NEWCOMERS, newcomer
from engine.ai.choice import choose
from engine.ai.players import player
from engine.core.game import CHANCE, Game, Outcome
from engine.registry import find

Turn = Callable[[Any], tuple[Any, ...]]
LONGEST = 2000
"""The most turns of a game; a longer one is drawn."""


class Machine:
    """A level that plays, and how long it has thought for each move."""

    def __init__(self, game: Game[Any, Any], level: int, seconds: float) -> None:
        self.player = player(game, level)
        self.seed = ""
        self.seconds = seconds
        self.times: list[float] = []

    def __call__(self, state: Any) -> tuple[Any, ...]:
        began = time.process_time()
        found = self.player.candidates(state, lambda: time.process_time() - began > self.seconds)
        self.times.append(time.process_time() - began)
        chosen: tuple[Any, ...] = choose(self.player, state, found, self.seed).steps
        return chosen


def played(game: Game[Any, Any], seats: tuple[Turn, Turn], luck: random.Random) -> float:
    """The first seat's share of a game: 1, 0.5 or 0."""
    options = game.settle_options({})
    state = game.start(options)
    history: list[Any] = []
    outcome: Outcome | None = None
    for _ in range(LONGEST):
        actor = game.to_act(state)
        if actor is None:
            outcome = game.outcome(state)
            break
        if actor == CHANCE:
            rolls = game.legal(state)
            state = game.apply(state, luck.choices(rolls, [game.weight(state, roll) for roll in rolls])[0])
            continue
        if game.keeps_history:
            history.append(state)
            outcome = game.outcome_by_history(history, options)
            if outcome is not None:
                break
        for step in seats[actor](state):
            state = game.apply(state, step)
    return 0.5 if outcome is None or outcome.winner is None else float(outcome.winner == 0)


def share(game: Game[Any, Any], first: Turn, second: Turn, games: int, seed: int) -> tuple[float, float]:
    """The share of games that ``first`` wins, and its standard error."""
    pairs = []
    for number in range(games // 2):
        for side in (first, second):
            if isinstance(side, Machine):
                side.seed = f"{seed} {number}"
        one = played(game, (first, second), random.Random(f"{seed} {number}"))
        other = 1 - played(game, (second, first), random.Random(f"{seed} {number}"))
        pairs.append((one + other) / 2)
    return statistics.mean(pairs), statistics.stdev(pairs) / math.sqrt(len(pairs))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--levels", nargs="*", help="such as 2-3; 0 is the newcomer")
    asked = parser.parse_args()
    game = find(asked.game)
    top = len(player(game, 1).temperatures)
    lowest = 0 if game.key in NEWCOMERS else 1
    ladder = asked.levels or [f"{level}-{level + 1}" for level in range(lowest, top)]

    def side(level: int) -> Turn:
        return Machine(game, level, asked.seconds) if level else newcomer(game)

    print("| levels | games | won by the second | median, p99 and longest move |")
    print("|---|---|---|---|")
    for pair in ladder:
        first, second = (side(int(level)) for level in pair.split("-"))
        won, error = share(game, second, first, asked.games, asked.seed)
        times = sorted(getattr(second, "times", []) or getattr(first, "times", []) or [0.0])
        told = (times[len(times) // 2], times[int(0.99 * (len(times) - 1))], times[-1])
        print(
            f"| {pair.replace('-', ' and ').replace('0', 'newcomer')} | {asked.games // 2 * 2} "
            f"| {100 * won:.1f} ± {100 * error:.1f} % | {', '.join(f'{1000 * each:.1f}' for each in told)} ms |",
            flush=True,
        )


if __name__ == "__main__":
    main()
