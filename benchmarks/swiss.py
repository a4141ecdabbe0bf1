"""Measures the CPU time of a Swiss round's pairing by the size of the field, and that of a field's standings.

``python benchmarks/swiss.py [ROUNDS]``; the fourth round by default. Prints a line a field, and the ratio of 64 players
to 32.
"""

import sys
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
sys.path[:1] = [str(ROOT), str(ROOT / "tests")]  # this file's folder would hide the package

from fakes.swiss import Luck, Tournament

from engine.tournament.standings import standings

FIELDS = (16, 32, 64, 96)


def measure(players: int, rounds: int) -> float:
    """Measures the seconds of CPU of the last round's pairing."""
    made = Tournament(Random(players), players, rounds + 1, Luck(late=0, leaves=0))
    assert made.play(rounds - 1)
    began = time.process_time()
    assert made.play(1)
    paired = time.process_time() - began
    stages = (made.stage,)
    began = time.process_time()
    assert len(standings(stages, 1, made.entrants, made.pairings)) == players
    stood = time.process_time() - began
    print(f"{players} players: round {rounds} paired in {paired:.3f} s, standings in {1000 * stood:.1f} ms", flush=True)
    return paired


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    Tournament(Random(1), 4, 3).play(2)  # loads the library
    took = {players: measure(players, rounds) for players in FIELDS}
    print(f"64 players take {took[64] / took[32]:.1f} times as long as 32")


if __name__ == "__main__":
    main()
