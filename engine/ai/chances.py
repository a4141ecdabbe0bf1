"""The chances of both sides of a game of the backgammon family, and a linear estimate of them.

A position is judged after a turn: the side that has moved is the mover, the other is to roll.
"""

import json
from collections.abc import Iterable
from importlib import resources
from math import exp
from typing import Final, NamedTuple, TypeAlias

Features: TypeAlias = list[tuple[int, float]]
"""What is seen of a position: the numbers of the features, and how strongly each is there."""

CERTAIN: Final = 30.0


class Chances(NamedTuple):
    """How likely the mover is to win, to win a gammon at least, and to lose one; the same of a backgammon."""

    win: float
    gammon: float
    gammoned: float
    backgammon: float = 0.0
    backgammoned: float = 0.0

    def turned(self) -> "Chances":
        """The same from the other side."""
        return Chances(1 - self.win, self.gammoned, self.gammon, self.backgammoned, self.backgammon)


WON: Final = Chances(1.0, 0.0, 0.0)
WON_GAMMON: Final = Chances(1.0, 1.0, 0.0)
WON_BACKGAMMON: Final = Chances(1.0, 1.0, 0.0, 1.0)


def logistic(x: float) -> float:
    return 1 / (1 + exp(-max(-CERTAIN, min(CERTAIN, x))))


class Linear:
    """Each chance is the logistic function of a weighted sum of the features.

    A gammon's is its share of the wins, so that it never exceeds them.
    """

    def __init__(self, weights: Iterable[list[float]]) -> None:
        self.weights = [*weights]
        """For each feature its weights in a win, in the share of gammons among wins, and among losses."""

    @classmethod
    def load(cls, package: str) -> "Linear":
        """The weights in the file ``weights.json`` of a package."""
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
