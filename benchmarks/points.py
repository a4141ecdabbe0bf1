"""Points a game of a machine against another player, for ``gnubg.py`` and ``colours.py``.

Single games without a cube. Every sequence of dice is played twice with the seats exchanged, so that luck and the first
move count for both; the 95 % error bar is that of such pairs of games.
"""

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from engine.ai.choice import choose
from engine.ai.players import player
from engine.core.game import CHANCE, Game

Turn: TypeAlias = Callable[[Any], Any]
"""A player of turns: from a state with dice to the state after it."""
BAR: Final = 1.96
"""The number of standard errors of a 95 % error bar."""
QUICK: Final = 160.0
"""The time of a quick run, in seconds."""


class Machine:
    """A level that plays, and the CPU time of its moves in ms."""

    def __init__(self, game: Game[Any, Any], level: int, depth: int | None = None) -> None:
        """Lets level 8 look ``depth`` turns further ahead, if it is given."""
        self.game = game
        self.player: Any = player(game, level)
        if depth is not None:
            self.player.depth = depth
        self.times: list[float] = []
        self.seed = ""

    def __call__(self, state: Any) -> Any:
        began = time.process_time()
        found = self.player.candidates(state)
        self.times.append(1000 * (time.process_time() - began))
        for step in choose(self.player, state, found, self.seed).steps:
            state = self.game.apply(state, step)
        return state


def played(game: Game[Any, Any], seats: tuple[Turn, Turn], seed: str, stop: float = math.inf) -> int:
    """Plays a game. Returns the points of the first seat. Raises TimeoutError if the clock shows ``stop`` before."""
    luck = random.Random(seed)
    state = game.start(game.settle_options({}))
    while True:
        actor = game.to_act(state)
        if actor is None:
            outcome = game.outcome(state)
            assert outcome is not None
            return outcome.points[0]
        if time.monotonic() > stop:
            raise TimeoutError
        if actor == CHANCE:
            rolls = game.legal(state)
            state = game.apply(state, luck.choices(rolls, [game.weight(state, roll) for roll in rolls])[0])
        else:
            state = seats[actor](state)


def measure(machine: Machine, other: Turn, games: int, seed: str, seconds: float) -> None:
    """Prints a line of the table: the machine's points, in so many games or as many as end in time."""
    points: list[float] = []
    won = 0
    stop = time.monotonic() + seconds
    for number in range(games // 2):
        machine.seed = f"{seed} {number}"
        try:
            both = (
                played(machine.game, (machine, other), machine.seed, stop),
                -played(machine.game, (other, machine), machine.seed, stop),
            )
        except TimeoutError:
            break
        points.append(statistics.mean(both))
        won += sum(one > 0 for one in both)
    if not points:
        print(f"| {machine.player.level} | 0 | | | |", flush=True)
        return
    error = BAR * statistics.stdev(points) / math.sqrt(len(points)) if len(points) > 1 else math.nan
    times = sorted(machine.times)
    told = (times[len(times) // 2], times[int(0.99 * (len(times) - 1))], times[-1])
    print(
        f"| {machine.player.level} | {2 * len(points)} | {statistics.mean(points):+.3f} ± {error:.3f} "
        f"| {50 * won / len(points):.1f} % | {', '.join(f'{each:.1f}' for each in told)} ms |",
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
    print("| level | games | points a game | won | median, p99 and longest move |\n|---|---|---|---|---|")
    for level in asked.levels:
        measure(Machine(game, level, asked.depth), other, asked.games, asked.seed, seconds)
