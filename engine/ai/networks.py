"""Networks that estimate the chances of a position, for many positions at once."""

from collections.abc import Callable
from importlib import resources
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.ai.arrays import Counts, Inputs, Numbers
from engine.ai.chances import CERTAIN

FILE: Final = "networks.npz"
"""The weights of a game, in its package. How they were made is in the file beside it."""
OUTPUTS: Final = (0, 1, 3, 2, 4)
"""The numbers of the outputs in the order of ``Chances``."""


class Sight(NamedTuple):
    """What the networks of a game see."""

    inputs: int
    """How many inputs there are."""
    fill: Callable[[Counts, Inputs], None]
    """Writes the inputs of positions."""
    kind: Callable[[Counts], Numbers]
    """Which network judges each position."""


class Networks:
    """One network for each kind of position; each has one hidden layer."""

    def __init__(self, sight: Sight, package: str) -> None:
        """Loads the weights of a package."""
        self.sight = sight
        with resources.files(package).joinpath(FILE).open("rb") as file, np.load(file) as kept:
            first, first_bias, second, second_bias = (
                kept[name].astype(np.float32) for name in ("first", "first_bias", "second", "second_bias")
            )
        self._layers = [*zip(first, first_bias, second, second_bias, strict=True)]

    def chances(self, positions: Counts) -> NDArray[Any]:
        """The chances of the side to roll, a row for each of ``Chances``. A column of ``positions`` is a position."""
        inputs = np.empty((self.sight.inputs, positions.shape[1]), np.float32)
        self.sight.fill(positions, inputs)
        kinds = self.sight.kind(positions)
        found = np.empty((len(OUTPUTS), positions.shape[1]), np.float32)
        for number, (first, first_bias, second, second_bias) in enumerate(self._layers):
            those = np.flatnonzero(kinds == number)
            if those.size:
                hidden = np.maximum(inputs[:, those].T @ first + first_bias, 0)
                sums = second @ hidden.T + second_bias[:, None]
                found[:, those] = 1 / (1 + np.exp(-np.clip(sums, -CERTAIN, CERTAIN)))
        return _possible(found[OUTPUTS, :])


def _possible(chances: NDArray[Any]) -> NDArray[Any]:
    """A gammon is a win or a loss, and a backgammon is a gammon."""
    win, gammon, gammoned, backgammon, backgammoned = chances
    np.minimum(gammon, win, out=gammon)
    np.minimum(gammoned, 1 - win, out=gammoned)
    np.minimum(backgammon, gammon, out=backgammon)
    np.minimum(backgammoned, gammoned, out=backgammoned)
    return chances


def turned(chances: NDArray[Any]) -> NDArray[Any]:
    """The same from the other side."""
    win, gammon, gammoned, backgammon, backgammoned = chances
    return np.stack((1 - win, gammoned, gammon, backgammoned, backgammon))
