"""Games between networks that do not learn, from any position, compiled, for any game whose rules are given."""

from types import ModuleType
from typing import Any

import numpy as np

from training.fast.compiled import jit
from training.fast.learning import LONGEST, OUTPUTS, equity, order


def plays(rules: ModuleType, value: Any) -> Any:
    """Compiles one game, or its beginning.

    The function plays from a position, at most so many turns; the first rolls may be given. Before each roll it writes
    the position to ``seen``. It returns the number of turns, the points for the side that rolls first, and whether the
    game was over: if not, the points are what the networks expect.
    """
    turns, lost = rules.turns, rules.lost
    size, count, most, numbers = rules.SIZE, rules.COUNT, rules.MOST, rules.NUMBERS

    @jit
    def play(begin: Any, seed: int, longest: int, rolls: Any, nets: Any, seen: Any) -> Any:
        np.random.seed(seed)  # noqa: NPY002 — compiled code has this generator alone
        found = np.empty((most, size), numbers)
        keys = np.empty(most, np.uint64)
        partial = np.empty((most, size + 4), numbers)
        inputs = np.zeros(count, np.float32)
        hidden = np.empty(nets[1].shape[1], np.float32)
        chances = np.empty(OUTPUTS, np.float32)
        position = begin.copy()
        sign = 1.0
        for length in range(longest):
            seen[length] = position
            if length < rolls.shape[0]:
                one, two = rolls[length, 0], rolls[length, 1]
            else:
                one = np.random.randint(1, 7)  # noqa: NPY002
                two = np.random.randint(1, 7)  # noqa: NPY002
            number = turns(position, max(one, two), min(one, two), found, keys, partial)
            best, least = 0, np.float32(9)
            for at in range(number):
                if value(found[at], nets, inputs, hidden, chances) >= 0:
                    order(chances)
                worth = equity(chances)
                if worth < least:
                    best, least = at, worth
            position[:] = found[best]
            points = lost(position)
            sign = -sign
            if points:
                return length + 1, -sign * points, True
        value(position, nets, inputs, hidden, chances)
        order(chances)
        return longest, sign * equity(chances), False

    return play


def seen_by(rules: ModuleType) -> Any:
    """Returns room for the positions of a game."""
    return np.empty((LONGEST, rules.SIZE), rules.NUMBERS)
