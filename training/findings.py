"""Finds out what the machine knows of a game: ``python training/findings.py GAME [--seed S] [--file F] [--seconds S]``.

What it finds is added to a file, a line a job, by default ``.training/findings-GAME.jsonl``; another run goes on from
there, and prints the tables of ``docs/findings.md`` once more. Each line has the SHA-256 of the weights that played,
in APB of all that the level plays by: a file of others gets no more lines. Abak's games need numba, as
``training/networks.py`` does. ``--quick`` is a small run of its own that ends within three minutes.
"""

import argparse
import math
import os
import sys
from pathlib import Path
from typing import Final

os.environ.setdefault("OMP_NUM_THREADS", "1")
ROOT: Final = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the folder of this file does not hold the packages

from training.found import store
from training.found.every import JOBS, TABLES


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=[*JOBS])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path)
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no more jobs after so many seconds")
    parser.add_argument("--parts", nargs="+", help="these parts alone")
    parser.add_argument("--quick", action="store_true", help="a small run")
    parser.add_argument("--tables", action="store_true", help="only print the tables")
    asked = parser.parse_args()
    path = asked.file or ROOT / ".training" / f"findings-{asked.game}{'-quick' * asked.quick}.jsonl"
    if not asked.tables:
        store.run(JOBS[asked.game](asked.seed, quick=asked.quick), path, asked.seconds, asked.parts or ())
    for table in TABLES[asked.game](store.lines(path)):
        print(table.told())


if __name__ == "__main__":
    main()
