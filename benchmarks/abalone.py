"""Measures the search in Abalone: ``python benchmarks/abalone.py {depth,negamax,chance} [--games N] [--quick]``.

``depth``: how many plies a search looks ahead from the Belgian Daisy in so much CPU time.

``negamax``: the compiled search plays a compiled negamax of the usual kind at equal CPU time a move. That one searches
one ply deeper at a time, moves that push and those that were good elsewhere first, and ejections further; its
evaluation is material, nearness to the centre and marbles that touch. Needs numba (``pip install -e '.[fast]'``).

``chance``: a level plays random legal moves. So does the only machine player of the package abalone-boai 1.0.0.

A game begins with four random moves from one of the layouts, and is played twice with the seats exchanged. A draw is
half a win; the 95 % error bar is from such pairs of games. ``--quick`` ends within three minutes.
"""

import argparse
import math
import random
import sys
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1]))  # this file's own name would hide the package

from benchmarks.figures import QUICK, estimate
from benchmarks.levels import Machine, Pair, Turn, cpu_limit, pair_of_games, summary
from engine.ai.abalone import fastest, score_of
from engine.ai.abalone.search import Search
from engine.ai.contract import REPEATED, Limit, no_limit
from engine.games.abalone import GAME, LAYOUTS, State
from engine.games.abalone.moves import after, plays
from engine.registry import find

DEEPEST: Final = 30
WARM_UP: Final = 1_000_000
"""The number of positions of the first search of the other player, from which its speed is known."""
OPENING: Final = 4
"""The number of random moves with which a game begins."""


def counted(asked: "count[int]", limit: Limit) -> Limit:
    """Counts how often the limit is asked: by the plain search, for each position."""
    return lambda: next(asked) < 0 or limit()


def depth(seconds: float) -> None:
    state = GAME.start(GAME.settle_options({"layout": "belgian-daisy"}))
    print("| search | plies | positions | CPU time |\n|---|---|---|---|")
    kinds: tuple[type[Search], ...] = (Search, fastest())
    for kind in dict.fromkeys(kinds):
        kind(state, no_limit).ranked(2, 0)  # compiles
        for plies in range(2, DEEPEST):
            asked = count()
            began = time.process_time()
            search = kind(state, counted(asked, cpu_limit(seconds)))
            search.ranked(plies, 0)
            spent = time.process_time() - began
            if spent > seconds:
                break
            positions = getattr(search, "nodes", [next(asked)])[0]
            print(f"| {kind.__name__} | {plies} | {positions} | {1000 * spent:.0f} ms |")


def opening(luck: random.Random, layout: str) -> State:
    state = GAME.start(GAME.settle_options({"layout": layout}))
    for _ in range(OPENING):
        state = after(state, luck.choice(plays(state)))
    return state


def compare(first: Turn, second: Turn, games: int, stop: float) -> None:
    """Prints the first player's share of the games. Two games that are not over in time do not count."""
    pairs: list[Pair] = []
    with suppress(TimeoutError):
        for number in range(games // 2):
            start = opening(random.Random(number), [*LAYOUTS][number % len(LAYOUTS)])
            pair = pair_of_games(GAME, first, second, "", stop, start)
            pairs.append(pair | {"won": [1 - share for share in pair["won"]]})
    share, drawn, cut = summary(pairs)
    print(f"{share} of {2 * len(pairs)} games, {drawn} drawn, {cut} cut off")


def against_negamax(games: int, stop: float, seconds: float) -> None:
    from benchmarks.negamax import Negamax
    from engine.ai.abalone.fast import FastSearch

    spent: list[float] = [seconds]
    theirs: list[float] = []
    searched: list[int] = []

    def ours(state: State, earlier: frozenset[State]) -> State:
        began = time.process_time()
        found = FastSearch(state, cpu_limit(seconds), earlier, score_of(REPEATED)).ranked(DEEPEST, 0)
        spent.append(time.process_time() - began)
        return after(state, found[0][1])

    def positions() -> int:
        """Returns how many the other searches in at least the time of our last move."""
        return int(max(seconds, spent[-1]) * sum(searched) / sum(theirs)) if searched else WARM_UP

    def negamax(state: State, earlier: frozenset[State]) -> State:
        began = time.process_time()
        search = Negamax(state, positions(), earlier)
        found = search.ranked(DEEPEST, 0)
        theirs.append(time.process_time() - began)
        searched.append(search.nodes[0])
        return after(state, found[0][1])

    start = opening(random.Random(0), "standard")
    for _ in range(2):  # the first searches compile
        del spent[1:], theirs[:], searched[:]
        ours(start, frozenset())
        negamax(start, frozenset())
    compare(ours, negamax, games, stop)
    print(f"{1000 * estimate(spent[2:])[0]:.1f} ms a move, the other {1000 * estimate(theirs[1:])[0]:.1f} ms")


def against_chance(games: int, stop: float, level: int) -> None:
    luck = random.Random(1)

    def chance(state: State, _: frozenset[State]) -> State:
        return GAME.apply(state, luck.choice(GAME.legal(state)))

    compare(Machine(find("abalone"), level, 1.0), chance, games, stop)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("depth", "negamax", "chance"))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seconds", type=float, help="for a search; 1 for its depth and 0.1 for a move if not given")
    parser.add_argument("--level", type=int, default=3)
    parser.add_argument("--stop", type=float, default=math.inf, help="leave the games after so many seconds")
    parser.add_argument("--quick", action="store_true", help="as many games as three minutes allow")
    asked = parser.parse_args()
    stop = time.monotonic() + min(asked.stop, QUICK if asked.quick else math.inf)
    if asked.what == "depth":
        depth(asked.seconds or 1.0)
    elif asked.what == "negamax":
        against_negamax(asked.games, stop, asked.seconds or 0.1)
    else:
        against_chance(asked.games, stop, asked.level)


if __name__ == "__main__":
    main()
