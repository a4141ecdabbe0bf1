"""Compares the levels of a game's machine: ``python benchmarks/levels.py GAME [--games N] [--levels 2-3 …]``.

Each level plays the next one, and level 1 a careful newcomer (``newcomer.py``). Every sequence of dice is played twice
with the seats exchanged, so that luck and the first move count for both; each such pair of games has its own seed. The
share of games won (a draw is half) has its 95 % error bar, from the pairs of games; times are CPU time for a move.

A long measurement can be split: with ``--file``, games are kept there and not played again. ``--quick`` ends within
three minutes, and games that are not over by then do not count.
"""

import argparse
import json
import math
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as a worker of the bot has it
sys.path.insert(0, str(Path(__file__).parents[1]))  # this file's own name would hide the package

from benchmarks.figures import QUICK, estimate, spread
from benchmarks.newcomer import NEWCOMERS, newcomer
from engine.ai.abalone import AbalonePlayer
from engine.ai.choice import choose
from engine.ai.contract import Limit
from engine.ai.players import player
from engine.core.game import CHANCE, Game, Outcome
from engine.registry import find

Turn: TypeAlias = Callable[[Any, frozenset[Any]], Any]
"""A player of turns: from a state to the one after its turn, with the earlier ones if repetition draws the game."""
Pair: TypeAlias = dict[str, Any]
"""Two games as they are kept: the players, the second's share of each, the number cut off, each side's times (ms)."""
LONGEST = 2000
"""The most turns of a game; a longer one is cut off and counts as drawn."""


def cpu_limit(seconds: float) -> Limit:
    """Returns a limit of CPU time from now on. Where asking for that takes long, it is not asked early."""
    began, worked = time.perf_counter(), time.process_time()
    return lambda: time.perf_counter() - began > seconds and time.process_time() - worked > seconds


class Machine:
    """A level that plays, and the CPU time of its moves in ms."""

    def __init__(self, game: Game[Any, Any], level: int, seconds: float = math.inf, depth: int | None = None) -> None:
        """Gives it so many seconds for a move. Lets level 8 of a game with dice look ``depth`` turns further ahead, if
        it is given.
        """
        self.game = game
        self.player: Any = player(game, level)
        if depth is not None:
            self.player.depth = depth
        self.seed = ""
        self.seconds = seconds
        self.times: list[float] = []

    def __call__(self, state: Any, earlier: frozenset[Any] = frozenset()) -> Any:
        began = time.process_time()
        found = self.player.candidates(state, cpu_limit(self.seconds), earlier)
        self.times.append(1000 * (time.process_time() - began))
        for step in choose(self.player, state, found, self.seed).steps:
            state = self.game.apply(state, step)
        return state


def rolled(game: Game[Any, Any], state: Any, luck: random.Random) -> Any:
    """Returns the state after a roll by chance."""
    rolls = game.legal(state)
    return game.apply(state, luck.choices(rolls, [game.weight(state, roll) for roll in rolls])[0])


def played(
    game: Game[Any, Any], seats: tuple[Turn, Turn], luck: random.Random, start: Any = None, stop: float = math.inf
) -> Outcome | None:
    """Plays a game, from ``start`` if given. Returns None if it was cut off.

    Raises TimeoutError if the game is not over when the clock shows ``stop``.
    """
    options = game.settle_options({})
    state = start or game.start(options)
    history: list[Any] = []
    for _ in range(LONGEST):
        actor = game.to_act(state)
        if actor is None:
            return game.outcome(state)
        if time.monotonic() > stop:
            raise TimeoutError
        if actor == CHANCE:
            state = rolled(game, state, luck)
            continue
        if game.keeps_history:
            history.append(state)
            outcome = game.outcome_by_history(history, options)
            if outcome is not None:
                return outcome
        state = seats[actor](state, frozenset(history))
    return None


def pair_of_games(
    game: Game[Any, Any], first: Turn, second: Turn, seed: str, stop: float = math.inf, start: Any = None
) -> Pair:
    """Plays two games with the same dice and exchanged seats. Raises TimeoutError as ``played`` does."""
    machines = [side for side in (first, second) if isinstance(side, Machine)]
    for side in machines:
        side.seed = seed
        side.times = []
    one = played(game, (first, second), random.Random(seed), start, stop)
    other = played(game, (second, first), random.Random(seed), start, stop)
    return {
        "won": [won_by(one, 1), won_by(other, 0)],
        "cut": (one is None) + (other is None),
        "times": {side.player.level: [round(spent, 1) for spent in side.times] for side in machines},
    }


def won_by(outcome: Outcome | None, seat: int) -> float:
    """Returns the share of a game that the seat has won; half of one that was drawn or cut off."""
    return 0.5 if outcome is None or outcome.winner is None else float(outcome.winner == seat)


def summary(pairs: Sequence[Pair]) -> tuple[str, int, int]:
    """Returns the second's share of the games with its error bar, and how many were drawn and cut off."""
    mean, error = estimate([statistics.mean(pair["won"]) for pair in pairs])
    cut = sum(pair["cut"] for pair in pairs)
    drawn = sum(pair["won"].count(0.5) for pair in pairs) - cut
    return f"{100 * mean:.1f} ± {100 * error:.1f} %", drawn, cut


def tell(pairs: Iterable[Pair]) -> None:
    """Prints the figures of the games."""
    by_levels: dict[str, list[Pair]] = {}
    times: dict[int, list[float]] = {}
    for pair in pairs:
        by_levels.setdefault(pair["levels"], []).append(pair)
        for level, spent in pair["times"].items():
            times.setdefault(int(level), []).extend(spent)
    print("| levels | games | won by the second | drawn | cut off |\n|---|---|---|---|---|")
    for levels, those in sorted(by_levels.items()):
        share, drawn, cut = summary(those)
        who = levels.replace("-", " and ").replace("0", "newcomer")
        print(f"| {who} | {2 * len(those)} | {share} | {drawn} | {cut} |")
    tell_times(times)


def tell_times(times: Mapping[int, list[float]]) -> None:
    """Prints the CPU time of each level's moves."""
    print("\n| level | moves | mean, median, p99 and longest move |\n|---|---|---|")
    for level, spent in sorted(times.items()):
        print(f"| {level} | {len(spent)} | {spread(spent)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=500, help="of two levels")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=float, default=1.0, help="the most for a move")
    parser.add_argument("--levels", nargs="*", help="such as 2-3; 0 is the newcomer")
    parser.add_argument("--file", type=Path, help="where the results of this game are kept")
    parser.add_argument("--stop", type=float, default=math.inf, help="begin no more games after so many seconds")
    parser.add_argument("--quick", action="store_true", help="as many games as three minutes allow")
    parser.add_argument("--plain", action="store_true", help="level 8 of Abalone as where numba is not installed")
    asked = parser.parse_args()
    if asked.plain:
        AbalonePlayer.full = (AbalonePlayer.depths[-1], AbalonePlayer.temperatures[-1])
    game = find(asked.game)
    top = len(player(game, 1).temperatures)
    lowest = 0 if game.key in NEWCOMERS else 1
    ladder = asked.levels or [f"{level}-{level + 1}" for level in range(lowest, top)]

    @cache
    def side(level: int) -> Turn:
        return Machine(game, level, asked.seconds) if level else newcomer(game)

    began = time.monotonic()
    end = began + (QUICK if asked.quick else math.inf)
    stop = min(began + asked.stop, end)
    kept: dict[tuple[str, int], Pair] = {}
    if asked.file and asked.file.exists():
        pairs = map(json.loads, asked.file.read_text(encoding="utf-8").splitlines())
        kept = {(pair["levels"], pair["number"]): pair for pair in pairs}
    for number in range(asked.games // 2):
        for levels in ladder:
            if (levels, number) in kept or time.monotonic() > stop:
                continue
            first, second = map(side, map(int, levels.split("-")))
            try:
                pair = pair_of_games(game, first, second, f"{asked.seed} {number}", end)
            except TimeoutError:
                continue
            pair |= {"levels": levels, "number": number}
            kept[levels, number] = pair
            if asked.file:
                with asked.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(pair) + "\n")
    tell(kept.values())


if __name__ == "__main__":
    main()
