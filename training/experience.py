"""Learns the weights of APB's evaluation from games: ``python training/experience.py [--level N] [--games N] [--seed
S]``.

Two machines of the level play each other. After each turn the position is counted for both sides, and a logistic
regression finds how much each count helps to win. A position weighs 7 % less for each turn from it to the end of its
game. The weights are printed in the units of ``engine/ai/apb/experience.py``, and go into it by hand, rounded.

The present weights came in three rounds of 1,000, 500 and 500 games: the first with level 5, the others with players
that had learnt from the round before. In the end all positions were used. These games were played by a port of the
rules to C, which is not kept.
"""

import argparse
import random
import sys
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

sys.path[0] = str(Path(__file__).parents[1])  # this file's own name would hide a package

from engine.ai.apb import SCALE, ApbPlayer
from engine.ai.apb.evaluation import LINES
from engine.ai.apb.experience import Weights, side_worth
from engine.ai.choice import choose
from engine.games.apb import GAME, State
from engine.games.apb.moves import NEAR, advance, is_over

NONE: Final = Weights((0,) * 9, *(0,) * 8)
COUNTED: Final = {
    "secondaries": NONE._replace(material=tuple(range(9))),
    "fewer than 4": NONE._replace(material=(4, 3, 2, 1, 0, 0, 0, 0, 0)),
} | {
    name: Weights(NONE.material, *(int(name == other) for other in Weights._fields[1:])) for name in Weights._fields[1:]
}
"""Evaluations with one weight of 1 and no other, so that each returns a count."""
LATER: Final = 0.93
"""The factor of a position's weight for each turn from it to the end of the game."""
PENALTY: Final = 3.0
"""The strength of the pull of each weight towards 0 (ridge)."""
STEPS: Final = 30
"""The number of steps of Newton's method."""


def counts(state: State) -> list[float]:
    """Returns the counts of both sides, those of the side that has moved first."""
    turn = state.turn
    mine, theirs = state.secondaries[1 - turn], state.secondaries[turn]
    home, other = state.principals[1 - turn], state.principals[turn]
    held = mine | theirs | home | other
    found: list[float] = [side_worth(each, mine, theirs, home, other, held) for each in COUNTED.values()]
    found += [-side_worth(each, theirs, mine, other, home, held) for each in COUNTED.values()]
    touching = bool(home & NEAR[other])
    line = next((line for line in LINES[other] if line & home and not touching), 0)
    opened = max(0, 5 - (held & line).bit_count()) if line else 0
    return [*found, -opened, touching, 1.0]


def game_of(player: ApbPlayer, seed: str) -> list[tuple[list[float], float, float]]:
    """Plays a game. Returns for each turn the counts after it, whether its mover won, and the weight of the
    position.
    """
    state = GAME.start(GAME.settle_options({}))
    history: list[State] = []
    seen: list[tuple[list[float], int]] = []
    while not is_over(state):
        history.append(state)
        if GAME.outcome_by_history(history, GAME.settle_options({})) is not None:
            return []
        mover = state.turn
        for step in choose(player, state, player.candidates(state, earlier=frozenset(history)), seed).steps:
            state = advance(state, step)
        if all(state.principals):
            seen.append((counts(state), mover))
    outcome = GAME.outcome(state)
    assert outcome is not None
    length = len(seen)
    return [(found, outcome.winner == mover, LATER ** (length - at)) for at, (found, mover) in enumerate(seen)]


def fitted(seen: npt.NDArray[np.float64], won: npt.NDArray[np.float64], weight: npt.NDArray[np.float64]) -> list[float]:
    """Returns the weights of a logistic regression, each for a count higher by one."""
    scale = np.where(seen.std(0) > 0, seen.std(0), 1.0)
    inputs = seen / scale
    hold = PENALTY * np.eye(inputs.shape[1])
    hold[-1, -1] = 1e-6
    found = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-inputs @ found))
        slope = inputs.T @ (weight * (chance - won)) + hold @ found
        bend = (inputs * (weight * chance * (1 - chance))[:, None]).T @ inputs + hold
        found -= np.linalg.solve(bend, slope)
    return [float(each) for each in found / scale]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--level", type=int, default=7)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--seed", default="1")
    asked = parser.parse_args()
    player = ApbPlayer(GAME, asked.level)
    luck = random.Random(asked.seed)
    rows = [row for _ in range(asked.games) for row in game_of(player, str(luck.random()))]
    seen, won, weight = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    names = [*(f"{name}, moved" for name in COUNTED), *(f"{name}, to move" for name in COUNTED)]
    for name, found in zip([*names, "opened", "touching", "tempo"], fitted(seen, won, weight), strict=True):
        print(f"{name:24} {SCALE / 2 * found:8.1f}")  # the tangent's argument is half the logarithm of the odds


if __name__ == "__main__":
    main()
