"""The machine that plays Abalone."""

from functools import cache
from math import atanh, tanh
from typing import ClassVar, Final

from engine.ai.abalone.evaluation import WON
from engine.ai.abalone.search import Search
from engine.ai.contract import REPEATED, Candidate, Limit, Player, no_limit
from engine.core.game import Game
from engine.games.abalone.board import State
from engine.games.abalone.tables import Step

SCALE: Final = 500
"""The worth at which a side is rather sure to win."""
SURE: Final = 0.98
"""The limit of the values of positions. Only a win that the search has found is worth more."""

QUIET: Final = 30
"""After so many own turns without an ejection, a level that looks one move ahead looks two ahead. A side that is far
ahead otherwise stays in the middle, as its next gain is out of sight. Levels that look further end their games.
"""


@cache
def fastest() -> type[Search]:
    """Returns the compiled search where numba is installed and can keep what it compiles, else the plain one."""
    try:
        from engine.ai.abalone.fast import FastSearch
    except (ImportError, RuntimeError):
        return Search
    return FastSearch


class AbalonePlayer(Player[State, Step]):
    """Looks some plies ahead. A lower level looks less far and chooses less exactly."""

    temperatures: ClassVar[tuple[float, ...]] = (0.08, 0.073, 0.069, 0.0788, 0.07, 0.078, 0.072, 0.0655)
    depths: ClassVar[tuple[int, ...]] = (1, 1, 1, 2, 2, 3, 3, 3)
    full: ClassVar[tuple[int, float]] = (7, 0.0)
    """The depth and the temperature of the highest level where the search is compiled. Other levels play alike there
    and elsewhere.
    """

    def __init__(self, game: Game[State, Step], level: int) -> None:
        super().__init__(game, level)
        self.depth = self.depths[self.level - 1]
        self.search = fastest() if self.depth > 1 else Search
        if self.level == len(self.depths) and self.search is not Search:
            self.depth, self.temperature = self.full

    def candidates(
        self, state: State, limit: Limit = no_limit, earlier: frozenset[State] = frozenset()
    ) -> list[Candidate[Step]]:
        quiet = sum(one.turn != state.turn and one.ejected == state.ejected for one in earlier)
        depth = max(self.depth, 1 + (quiet >= QUIET))
        found = self.search(state, limit, earlier, score_of(REPEATED)).ranked(depth, self.margin)
        return [Candidate((play.step,), value_of(score)) for score, play in found]

    @property
    def margin(self) -> int:
        """How far below the best score the score of a move still matters for the choice."""
        return int(3 * self.temperature * SCALE / SURE)


def value_of(score: int) -> float:
    return score / WON if abs(score) > WON // 2 else SURE * tanh(score / SCALE)


def score_of(value: float) -> int:
    """Returns the score of a value that is not sure; the reverse of ``value_of``."""
    return round(SCALE * atanh(value / SURE))
