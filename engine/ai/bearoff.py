"""Exact chances of a race between few checkers, by the number of rolls that each side needs."""

from collections.abc import Callable
from functools import lru_cache
from typing import Final, Generic, TypeAlias

from engine.core.game import CHANCE, A, Game, S

Rolls: TypeAlias = tuple[float, ...]
"""The probability that a side needs 0, 1, 2 … rolls to bear off all its checkers. All further ones are 0."""
MOST_ROLLS: Final = 30
"""The most rolls that are counted. More are needed about once in a million games."""
ROOM: Final = 4_000
"""The most positions of one side that are remembered."""


class Bearoff(Generic[S, A]):
    """Finds how many rolls a side needs when it plays alone, for the smallest mean number of rolls."""

    def __init__(self, game: Game[S, A], again: Callable[[S], S]) -> None:
        """Takes ``again``, which turns a position after a turn of the first seat into one where this seat is to roll
        once more.
        """
        self._game = game
        self._again = again
        self.rolls = lru_cache(ROOM)(self._rolls)

    def _rolls(self, state: S) -> Rolls:
        """Returns the rolls that the first seat needs. It is to roll, and the other side is far from the end."""
        game = self._game
        if game.to_act(state) != CHANCE:
            return (1.0,)
        mixed = [0.0] * MOST_ROLLS
        total = stuck = 0
        for roll in game.legal(state):
            weight = game.weight(state, roll)
            total += weight
            reached = [self._again(after) for _, after in game.turns(game.apply(state, roll))]
            if reached == [state]:
                stuck += weight  # in Abak a roll may move nothing
                continue
            best = min(map(self.rolls, reached), key=mean)
            for number, chance in enumerate(best[: MOST_ROLLS - 1], 1):
                mixed[number] += weight * chance
        for number in range(1, MOST_ROLLS):
            mixed[number] = (mixed[number] + mixed[number - 1] * stuck) / total
        return tuple(mixed)


def mean(rolls: Rolls) -> float:
    return sum(number * chance for number, chance in enumerate(rolls))


def first(roller: Rolls, other: Rolls) -> float:
    """Returns the chance that the side to roll bears off all its checkers first."""
    win = 0.0
    not_done = 1.0  # the other side, before its roll
    for number, chance in enumerate(roller):
        win += chance * not_done
        not_done -= other[number] if number < len(other) else 0.0
    return win
