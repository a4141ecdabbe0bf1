"""How fast the rules are: ``python benchmarks/engine.py [SECONDS]``; plain Python on one core.

Per game, over positions from random games: positions whose legal turns (moves; in APB steps) are all listed per
second, median and 99th percentile of one listing, doubles apart; and a player's step with the listing of the next
ones. The last column is a listing's median in units of a loop of ten thousand additions, measured in the
same run, so that figures of different machines can be compared.
"""

import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).parents[1])  # this file's own name would hide the package

from engine.core.game import CHANCE, Game
from engine.core.search import walk
from engine.registry import GAMES

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0


def positions(game: Game[Any, Any], luck: random.Random) -> Any:
    """Endless states of random games, at the start of a turn and within, with whether it is a start."""
    while True:
        start = game.start(game.settle_options({}))
        before = None
        for state, _ in walk(game, start, lambda steps, weights: luck.choices(steps, weights)[0], 2000):
            actor = game.to_act(state)
            if actor != CHANCE:
                yield state, actor != before
            before = actor


def timed(call: Any, *arguments: Any) -> float:
    began = time.perf_counter()
    call(*arguments)
    return time.perf_counter() - began


def stepped(game: Game[Any, Any], state: Any, luck: random.Random) -> None:
    """What a player waits for between two taps: the chosen step made, the next ones listed."""
    game.legal(game.apply(state, luck.choice(game.legal(state))))


def loop() -> int:
    total = 0
    for number in range(10_000):
        total += number
    return total


def doubled(state: Any) -> bool:
    roll = getattr(state, "roll", None)
    return roll is not None and roll.first == roll.second


def row(name: str, times: list[float], unit: float) -> str:
    ordered = sorted(times)
    median, p99 = statistics.median(ordered), ordered[int(len(ordered) * 0.99)]
    per_second = len(times) / sum(times)
    return f"{name:28} {per_second:10,.0f} {median * 1e6:10.1f} {p99 * 1e6:10.1f} {median / unit:8.3f}"


def main() -> None:
    unit = statistics.median(timed(loop) for _ in range(50))
    print(f"{'':28} {'per second':>10} {'median us':>10} {'p99 us':>10} {'ratio':>8}")
    luck = random.Random(2)
    for game in GAMES.values():
        listing = game.turns if game.enumerates_turns else game.legal
        plain: list[float] = []
        doubles: list[float] = []
        steps: list[float] = []
        end = time.perf_counter() + SECONDS
        for state, starts in positions(game, random.Random(1)):
            if starts or not game.enumerates_turns:
                (doubles if doubled(state) else plain).append(timed(listing, state))
            steps.append(timed(stepped, game, state, luck))
            if time.perf_counter() > end:
                break
        print(row(f"{game.key}: all {'turns' if game.enumerates_turns else 'steps'}", plain + doubles, unit))
        if doubles:
            print(row(f"{game.key}: without doubles", plain, unit))
            print(row(f"{game.key}: doubles", doubles, unit))
        print(row(f"{game.key}: a step, then the next", steps, unit))


if __name__ == "__main__":
    main()
