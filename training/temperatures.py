"""Finds a level's temperature: ``python training/temperatures.py GAME LEVEL OPPONENT [--share S] [--games N]``.

The level plays OPPONENT, another level or 0 for the newcomer of ``benchmarks/newcomer.py``. After each pair of games,
played as in ``benchmarks/levels.py``, its temperature moves against the difference between its share and S, each time
less (Robbins and Monro, A stochastic approximation method, 1951); the result is the mean of the later half (Polyak and
Juditsky, 1992). The ladder is found from below: level 1 against the newcomer, then each level against the one before.
The result goes into the player's table by hand, and ``benchmarks/levels.py`` measures it with other dice.
"""

import argparse
import math
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # the folder of this file does not hold the packages

from benchmarks.levels import Machine, pair_of_games
from benchmarks.newcomer import newcomer
from engine.registry import find

STEP = 0.5
"""The change of the logarithm of the temperature after the first pair, for each unit of the share."""
SLOWER = 0.6
"""The power of the number of pairs by which later steps are shorter."""
TOLD = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("level", type=int)
    parser.add_argument("opponent", type=int)
    parser.add_argument("--share", type=float, default=0.68, help="what the level should score")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--start", type=float, help="the first temperature, if not that of the table")
    parser.add_argument("--seed", default="tuning")
    asked = parser.parse_args()
    game = find(asked.game)
    machine = Machine(game, asked.level, 1.0)
    opponent = Machine(game, asked.opponent, 1.0) if asked.opponent else newcomer(game)
    place = math.log(asked.start or machine.player.temperature)
    places: list[float] = []
    shares: list[float] = []
    for number in range(1, asked.games // 2 + 1):
        machine.player.temperature = math.exp(place)
        pair = pair_of_games(game, opponent, machine, f"{asked.seed} {number}")
        places.append(place)
        shares.append(statistics.mean(pair["won"]))
        place += STEP * number**-SLOWER * (shares[-1] - asked.share)
        if number % TOLD == 0:
            later = len(places) // 2
            found, scored = math.exp(statistics.mean(places[later:])), statistics.mean(shares[later:])
            print(f"{2 * number} games: {found:.4f}, with a share of {100 * scored:.0f} %", flush=True)


if __name__ == "__main__":
    main()
