"""Networks that estimate the chances of many positions at once."""

from collections.abc import Callable
from importlib import resources
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.ai.arrays import Counts, Inputs, Numbers
from engine.ai.chances import CERTAIN

FILE: Final = "networks.npz"
"""The file of a game's weights, in the package of its player. The file beside it says how they were made."""
OUTPUTS: Final = (0, 1, 3, 2, 4)
"""The numbers of the network's outputs, in the order of ``Chances``."""


class Sight(NamedTuple):
    """The inputs of the networks of a game."""

    inputs: int
    """The number of inputs."""
    fill: Callable[[Counts, Inputs], None]
    """Writes the inputs of positions."""
    kind: Callable[[Counts], Numbers]
    """Returns the number of the network that judges each position."""


class Networks:
    """The networks of a game: one for each kind of position, with one hidden layer."""

    def __init__(self, sight: Sight, package: str) -> None:
        """Loads the weights of a package."""
        self.sight = sight
        with resources.files(package).joinpath(FILE).open("rb") as file, np.load(file) as kept:
            first, first_bias, second, second_bias = (
                kept[name].astype(np.float32) for name in ("first", "first_bias", "second", "second_bias")
            )
        self._layers = [*zip(first, first_bias, second, second_bias, strict=True)]

    def chances(self, positions: Counts) -> NDArray[Any]:
        """Returns the chances of the side to roll: a row for each field of ``Chances``, a column for each position.

        ``positions`` has a column for each position.
        """
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
    """Limits gammons to the wins or losses, and backgammons to the gammons."""
    win, gammon, gammoned, backgammon, backgammoned = chances
    np.minimum(gammon, win, out=gammon)
    np.minimum(gammoned, 1 - win, out=gammoned)
    np.minimum(backgammon, gammon, out=backgammon)
    np.minimum(backgammoned, gammoned, out=backgammoned)
    return chances


def turned(chances: NDArray[Any]) -> NDArray[Any]:
    """Returns the chances of the other side, in the same shape."""
    win, gammon, gammoned, backgammon, backgammoned = chances
    return np.stack((1 - win, gammoned, gammon, backgammoned, backgammon))
