"""Measures the time and the size of the pictures: ``python benchmarks/render.py [POSITIONS]``; one core.

Per game, over positions of random games with the last step marked: milliseconds of work for a picture that is not kept
(median, 99th percentile), its size, and the first picture after the start, which paints the empty board, the sprites
and the palette. Work is processor time of drawing, reducing and encoding.

Then a result card, and the first so many steps of random games as films. The ratio is the median in units of a loop of
a hundred thousand additions, measured in the same run, so that figures of different machines can be compared.
"""

import random
import statistics
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any

sys.path[0] = str(Path(__file__).parents[1])  # this file's own name would hide the package

from engine.core.game import CHANCE, Game, Mark
from engine.core.search import walk
from render.registry import BOARDS, animation, card, fresh
from render.view import Card, View

POSITIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 150
FILMS = (50, 200)
TOLD = Card(0, "Title", "2 points", "How the game ended, in some words", ("37 turns", "A date"))
EVERY = 3
"""The step between painted positions of a game."""


def positions(game: Game[Any, Any], luck: random.Random) -> Iterator[tuple[Any, View]]:
    while True:
        last: tuple[Mark, ...] = ()
        start = game.start(game.settle_options({}))
        steps = walk(game, start, lambda steps, weights: luck.choices(steps, weights)[0], 400)
        for number, (state, step) in enumerate(steps):
            if number % EVERY == 0:
                yield (
                    state,
                    View(number % 2, last=last, names=("White's name", "Black's name"), clocks=("1:23", "4:56")),
                )
            if game.to_act(state) != CHANCE:
                last = game.marks(state, step)


def moments(game: Game[Any, Any], luck: random.Random) -> Iterator[tuple[Any, View]]:
    """Yields every position of random games, with the view of a replay."""
    while True:
        start = game.start(game.settle_options({}))
        for state, step in walk(game, start, lambda steps, weights: luck.choices(steps, weights)[0], 400):
            if game.to_act(state) != CHANCE:
                yield game.apply(state, step), View(last=game.marks(state, step), names=("Name", "Other name"))


def loop() -> int:
    total = 0
    for number in range(100_000):
        total += number
    return total


def timed(call: Any, *arguments: Any) -> tuple[float, Any]:
    """Measures the milliseconds of this process's work, and returns them with the result."""
    began = time.process_time()
    result = call(*arguments)
    return (time.process_time() - began) * 1000, result


def slowest(times: list[float]) -> float:
    """Returns the 99th percentile."""
    return sorted(times)[int(len(times) * 0.99)]


def main() -> None:
    unit = statistics.median(timed(loop)[0] for _ in range(30))
    print(f"{'':12} {'median ms':>10} {'p99 ms':>8} {'median kB':>10} {'most kB':>8} {'first ms':>9} {'ratio':>7}")
    for key in BOARDS:
        game = import_module(f"engine.games.{key}").GAME
        shown = positions(game, random.Random(1))
        first, _ = timed(fresh, key, *next(shown))
        painted = list(islice(shown, POSITIONS))
        times, sizes = [], []
        for position in painted:
            spent, data = timed(fresh, key, *position)
            times.append(spent)
            sizes.append(len(data) / 1000)
        middle, slow = statistics.median(times), slowest(times)
        kilobytes = f"{statistics.median(sizes):10.1f} {max(sizes):8.1f}"
        print(f"{key:12} {middle:10.2f} {slow:8.2f} {kilobytes} {first:9.0f} {middle / unit:7.2f}")
    print(f"\n{'':12} {'card ms':>10} {'kB':>8}", *(f"{f'{frames} frames s':>13} {'kB':>7}" for frames in FILMS))
    for key in BOARDS:
        game = import_module(f"engine.games.{key}").GAME
        shown = positions(game, random.Random(2))
        spent, data = timed(card, key, *next(shown), TOLD)
        print(f"{key:12} {spent:10.0f} {len(data) / 1000:8.1f}", end="")
        for frames in FILMS:
            film = list(islice(moments(game, random.Random(3)), frames))
            spent, data = timed(animation, key, film)
            print(f" {spent / 1000:13.2f} {len(data) / 1000:7.0f}", end="")
        print()
    print(f"ratio: median in loops of 100,000 additions, {unit:.2f} ms each here")


if __name__ == "__main__":
    main()
