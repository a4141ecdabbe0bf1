"""Measures the worth of Abak's own networks: ``python benchmarks/colours.py [--levels 7]``.

The other player asks the networks of backgammon about the colours alone: each stone counts as a checker on its point,
without its class and the stones on it. ``points.py`` describes the measurement; ``--quick`` ends within three minutes.
"""

import os
import sys
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("OMP_NUM_THREADS", "1")  # as a worker of the bot has it
sys.path.insert(0, str(Path(__file__).parents[1]))  # this file's own name would hide the package

import numpy as np

from benchmarks.points import compare
from engine.ai.chances import Chances
from engine.ai.cube import stakes
from engine.ai.players import player
from engine.ai.points import PointsPlayer
from engine.games.abak import GAME, State
from engine.games.backgammon import GAME as BACKGAMMON

LEVEL: Final = 7


class Colours:
    """Plays Abak by the networks of backgammon."""

    def __init__(self) -> None:
        self._abak = player(GAME, LEVEL)
        backgammon = player(BACKGAMMON, LEVEL)
        assert isinstance(backgammon, PointsPlayer)
        self._networks = backgammon.networks

    def __call__(self, state: State, _: frozenset[State] = frozenset()) -> State:
        """Returns the state after the turn whose colours are best."""
        afters = [after for _, after in GAME.turns(state)]
        for after in afters:
            if GAME.to_act(after) is None:
                return after
        positions = np.array([self._counts(after) for after in afters]).T
        chances: Any = Chances(*self._networks.chances(positions))
        worth = stakes(state.fields, after.turn, 1).equity(chances)
        return afters[int(np.argmin(worth))]

    def _counts(self, state: State) -> list[int]:
        """Returns the input of a network of backgammon: the counts of the side to roll, then those of the other."""
        assert isinstance(self._abak, PointsPlayer)
        found: list[int] = []
        for seat in (state.turn, 1 - state.turn):
            counts = self._abak.counts(state, seat)
            found += [len(state.off[seat]), *counts[1:]]
        return found


def main() -> None:
    compare(__doc__ or "", GAME, Colours())


if __name__ == "__main__":
    main()
