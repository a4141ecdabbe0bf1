"""Compares two generations of a game's networks: ``python benchmarks/generations.py GAME [--before REVISION]``.

The weights in the game's package play those of an earlier revision, or of a checkpoint of ``training/networks.py``:
single games without a cube, every sequence of dice twice with the seats exchanged. The points a game and the share of
games won have 95 % error bars. ``--temperatures`` lets them play less exactly, as a lower level does: with ``--before
HEAD`` it compares two levels with the same networks, but for races between a few checkers, which levels count exactly.
It needs numba (``pip install -e '.[training]'``). ``--quick`` ends within three minutes.
"""

import argparse
import io
import math
import statistics
import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # this file's own name would hide the package

from benchmarks.figures import QUICK, estimate
from training.fast.learning import learner, matches
from training.networks import Nets, load, package

AT_ONCE: Final = 50
"""The number of pairs of games between two looks at the clock."""
FIRST: Final = 900_000_000
"""The seed of the first pair; training has lower ones."""


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
    parser.add_argument("--temperatures", type=float, nargs=2, default=[0.0, 0.0], help="the package's first")
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
    pairs: list[list[float]] = []
    while 2 * len(pairs) < asked.games and time.monotonic() < stop:
        pairs += match(AT_ONCE, asked.seed + len(pairs), after, before, tuple(asked.temperatures)).tolist()
    points, error = estimate([statistics.mean(pair) for pair in pairs])
    won, won_error = estimate([statistics.mean(one > 0 for one in pair) for pair in pairs])
    print(
        f"{2 * len(pairs)} games: {points:+.3f} ± {error:.3f} points a game, "
        f"{100 * won:.1f} ± {100 * won_error:.1f} % won"
    )


if __name__ == "__main__":
    main()
