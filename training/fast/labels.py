"""Self-play that labels its positions, compiled, for any game whose rules are given as functions.

The label of a position is what the networks expect after the best turn of every roll, and what the rest of the game
added to that: at each later position the difference between this mean over all rolls and the plain estimate, each time
counting less (``fade``). So the luck of the dice is left out. Veness, Lanctot and Bowling (Variance reduction in
Monte-Carlo tree search, 2011) call such a difference a control variate; Schulman et al. (High-dimensional continuous
control using generalized advantage estimation, 2016) add it up like this.
"""

from types import ModuleType
from typing import Any

import numpy as np

from training.fast.compiled import jit
from training.fast.learning import LONGEST, OUTPUTS, chosen, equity, order, turned


def labeller(rules: ModuleType, value: Any) -> Any:
    """Compiles self-play that learns nothing. The function plays from a seed until ``positions`` is full.

    ``every`` says whether labels come from all rolls, or only from the roll that was played, which is noisier and takes
    a twentieth of the time. With the probability ``stray`` a turn is chosen at the ``temperature``, else the best is
    played. The function writes the positions before a roll, and the chances of the side to roll to ``targets``. It
    returns the number of games.
    """
    turns, lost, start = rules.turns, rules.lost, rules.start
    size, count, most, numbers = rules.SIZE, rules.COUNT, rules.MOST, rules.NUMBERS

    @jit
    def play(
        seed: int, every: bool, nets: Any, fade: float, stray: float, temperature: float, positions: Any, targets: Any
    ) -> Any:
        np.random.seed(seed)  # noqa: NPY002 — compiled code has this generator alone
        found = np.empty((most, size), numbers)
        keys = np.empty(most, np.uint64)
        partial = np.empty((most, size + 4), numbers)
        inputs = np.zeros(count, np.float32)
        hidden = np.empty(nets[1].shape[1], np.float32)
        chances = np.empty(OUTPUTS, np.float32)
        best = np.empty(OUTPUTS, np.float32)
        later = np.empty(OUTPUTS, np.float32)
        worths = np.empty(most)
        seen = np.empty((LONGEST, size), numbers)
        plain = np.empty((LONGEST, OUTPUTS), np.float32)
        ahead = np.empty((LONGEST, OUTPUTS), np.float32)
        strayed = np.empty(LONGEST, np.bool_)
        position = np.empty(size, numbers)
        begin = games = 0
        while begin < positions.shape[0]:
            start(position)
            games += 1
            length = 0
            while length < LONGEST and not lost(position):
                seen[length] = position
                value(position, nets, inputs, hidden, plain[length])
                order(plain[length])
                ahead[length] = 0
                one = np.random.randint(1, 7)  # noqa: NPY002
                two = np.random.randint(1, 7)  # noqa: NPY002
                while one == two and length == 0:
                    two = np.random.randint(1, 7)  # noqa: NPY002
                luck = np.random.random()  # noqa: NPY002
                strayed[length] = np.random.random() < stray  # noqa: NPY002
                for high in range(1, 7):
                    for low in range(1, high + 1):
                        rolled = high == max(one, two) and low == min(one, two)
                        if not every and not rolled:
                            continue
                        number = turns(seen[length], high, low, found, keys, partial)
                        choice, least = 0, np.float32(9)
                        for at in range(number):
                            if value(found[at], nets, inputs, hidden, chances) >= 0:
                                order(chances)
                            worths[at] = equity(chances)
                            if worths[at] < least:
                                choice, least = at, worths[at]
                                best[:] = chances
                        turned(best, later)
                        share = np.float32((1 if high == low else 2) / 36 if every else 1)
                        for output in range(OUTPUTS):
                            ahead[length, output] += share * later[output]
                        if rolled:
                            if strayed[length] and abs(least) < 1:
                                choice = chosen(worths, number, least, temperature, luck)
                            position[:] = found[choice]
                length += 1
            best[:] = 0  # what the rest of the game added for the side that rolls next
            for at in range(length - 1, -1, -1):
                later[0] = -best[0]
                later[1], later[2], later[3], later[4] = best[3], best[4], best[1], best[2]
                for output in range(OUTPUTS):
                    label = ahead[at, output] + (0 if strayed[at] else fade * later[output])
                    best[output] = label - plain[at, output]
                    if begin + at < positions.shape[0]:
                        targets[begin + at, output] = min(max(label, 0.0), 1.0)
                if begin + at < positions.shape[0]:
                    positions[begin + at] = seen[at]
            begin += length
        return games

    return play


def encoder(rules: ModuleType) -> Any:
    """Compiles two functions of many positions, a row each: one writes their inputs, one says which network judges."""
    fill, kind = rules.fill, rules.kind

    @jit
    def encode(positions: Any, inputs: Any) -> None:
        for number in range(positions.shape[0]):
            fill(positions[number], inputs[number])

    @jit
    def kinds(positions: Any) -> Any:
        found = np.empty(positions.shape[0], np.int64)
        for number in range(positions.shape[0]):
            found[number] = kind(positions[number])
        return found

    return encode, kinds
