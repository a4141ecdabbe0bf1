"""The chances of both sides in a game of the backgammon family, and a linear estimate of them.

A position is judged after a turn: the mover is the side that has moved, and the other side is to roll.
"""

import json
from collections.abc import Iterable
from importlib import resources
from math import exp
from typing import Final, NamedTuple, TypeAlias

Features: TypeAlias = list[tuple[int, float]]
"""The features of a position: the number of each, and its strength."""

CERTAIN: Final = 30.0


class Chances(NamedTuple):
    """The probabilities that the mover wins, that it wins at least a gammon, and that it loses at least a gammon; then
    those of a backgammon won and lost.
    """

    win: float
    gammon: float
    gammoned: float
    backgammon: float = 0.0
    backgammoned: float = 0.0

    def turned(self) -> "Chances":
        """Returns the chances of the other side."""
        return Chances(1 - self.win, self.gammoned, self.gammon, self.backgammoned, self.backgammon)


WON: Final = Chances(1.0, 0.0, 0.0)
WON_GAMMON: Final = Chances(1.0, 1.0, 0.0)
WON_BACKGAMMON: Final = Chances(1.0, 1.0, 0.0, 1.0)


def logistic(x: float) -> float:
    return 1 / (1 + exp(-max(-CERTAIN, min(CERTAIN, x))))


class Linear:
    """Estimates each chance as the logistic function of a weighted sum of the features.

    Gammons are estimated as shares of wins and losses, so that they never exceed these.
    """

    def __init__(self, weights: Iterable[list[float]]) -> None:
        self.weights = [*weights]
        """For each feature its weights for a win, for the share of gammons among wins, and for that among losses."""

    @classmethod
    def load(cls, package: str) -> "Linear":
        """Reads the weights in ``weights.json`` of a package."""
        text = resources.files(package).joinpath("weights.json").read_text(encoding="utf-8")
        return cls(json.loads(text)["weights"])

    def chances(self, features: Features) -> Chances:
        won = gammon = gammoned = 0.0
        weights = self.weights
        for number, strength in features:
            a, b, c = weights[number]
            won += a * strength
            gammon += b * strength
            gammoned += c * strength
        win = logistic(won)
        return Chances(win, win * logistic(gammon), (1 - win) * logistic(gammoned))
