"""Measures the pairing and ordering of tournaments: ``python benchmarks/tournaments.py``; plain Python on one core.

Per format and field: the slowest and the median round of a tournament played to its end by chance, and its final
order. Then an arena in which everybody is free after ten thousand games. All in milliseconds of CPU time.
"""

import random
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])

from engine.tournament.director import next_round
from engine.tournament.formats import arena
from engine.tournament.model import Entrant, Format, Pairing, Result, Stage
from engine.tournament.ranking import ranking

GROUPS = Stage(Format.ROUND_ROBIN, sections=64, qualifiers=2)
CASES = {
    "single elimination, 1,024": ((Stage(Format.SINGLE_ELIMINATION),), 1024),
    "double elimination, 1,024": ((Stage(Format.DOUBLE_ELIMINATION),), 1024),
    "round robin, 64": ((Stage(Format.ROUND_ROBIN),), 64),
    "groups into a knockout, 1,024": ((GROUPS, Stage(Format.SINGLE_ELIMINATION)), 1024),
    "Swiss, 64": ((Stage(Format.SWISS),), 64),
}
PLAYED = (Result.FIRST_WINS, Result.SECOND_WINS)


def tournament(stages: tuple[Stage, ...], players: int) -> tuple[list[float], float]:
    """Plays a tournament. Returns the seconds of every round, and of the final order."""
    luck = random.Random(1)
    entrants = [Entrant(number, number) for number in range(1, players + 1)]
    pairings: list[Pairing] = []
    rounds = []
    while True:
        began = time.process_time()
        made = next_round(stages, entrants, pairings)
        rounds.append(time.process_time() - began)
        if made is None:
            break
        pairings += [replace(one, result=one.result or luck.choice(PLAYED)) for one in made.pairings]
    began = time.process_time()
    ranking(stages, entrants, pairings)
    return rounds, time.process_time() - began


def main() -> None:
    for name, (stages, players) in CASES.items():
        rounds, order = tournament(stages, players)
        print(
            f"{name:30} slowest round {1000 * max(rounds):6.0f}  median {1000 * statistics.median(rounds):6.0f}"
            f"  order {1000 * order:6.0f}"
        )
    luck = random.Random(1)
    games = [
        Pairing(1, 0, board, *luck.sample(range(1, 1025), 2), result=luck.choice(PLAYED)) for board in range(1, 10_001)
    ]
    free = [arena.Waiting(number, number) for number in range(1, 1025)]
    began = time.process_time()
    arena.pair_free(free, games)
    print(f"arena, 1,024 free after 10,000 games {1000 * (time.process_time() - began):6.0f}")


if __name__ == "__main__":
    main()
