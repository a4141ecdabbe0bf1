"""Compares two generations of a game's networks: ``python benchmarks/generations.py GAME [--before REVISION]``.

The weights in the game's package play those of an earlier revision, or of a checkpoint of ``training/networks.py``:
single games without a cube, every sequence of dice twice with the seats exchanged. The points a game have a 95 % error
bar. It needs numba (``pip install -e '.[training]'``). ``--quick`` ends within three minutes.
"""

import argparse
import io
import math
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path[0] = str(ROOT)  # this file's own name would hide the package

import numpy as np

from benchmarks.points import BAR, QUICK
from training.fast.learning import learner, matches
from training.networks import Nets, load, package

AT_ONCE: Final = 50
"""The number of pairs of games between two looks at the clock."""
FIRST: Final = 7_000_000
"""The seed of the first pair, none of training."""


def generation(game: str, told: str) -> Nets:
    """Reads weights from a file or from a revision."""
    if Path(told).is_file():
        return load(Path(told))
    path = package(game).relative_to(ROOT).as_posix()
    show = ["git", "show", f"{told}:{path}"]
    found = subprocess.run(show, cwd=ROOT, capture_output=True, check=True)
    return load(io.BytesIO(found.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=("abak", "backgammon"))
    parser.add_argument("--before", default="HEAD^", help="a revision, or a file of weights")
    parser.add_argument("--after", type=Path, help="a file of weights; those of the package if not given")
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=FIRST)
    parser.add_argument("--quick", action="store_true", help="as many games as three minutes allow")
    asked = parser.parse_args()
    stop = time.monotonic() + (QUICK if asked.quick else math.inf)
    rules = import_module(f"training.fast.{asked.game}")
    _, value = learner(rules)
    match = matches(rules, value)
    after = load(asked.after or package(asked.game))
    before = generation(asked.game, asked.before)
    points: list[float] = []
    while 2 * len(points) < asked.games and time.monotonic() < stop:
        points += match(AT_ONCE, asked.seed + len(points), after, before).tolist()
    error = BAR * np.std(points) / math.sqrt(len(points))
    print(f"{2 * len(points)} games: {np.mean(points):+.3f} ± {error:.3f} points a game")


if __name__ == "__main__":
    main()
