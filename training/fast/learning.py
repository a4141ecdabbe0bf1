"""TD(lambda) self-play of networks, compiled, for any game whose rules are given as functions.

Both sides play the turn whose position the networks value least for the side that rolls next. When a game is over, its
positions are learnt from the last to the first: each moves towards the mean of the later estimates and the result
(Sutton, Learning to predict by the methods of temporal differences, 1988; Tesauro, Temporal difference learning and
TD-Gammon, 1995).
"""

from types import ModuleType
from typing import Any, Final

import numpy as np

from engine.ai.choice import WORST
from training.fast.compiled import jit

OUTPUTS: Final = 5
"""The chances to win, to win at least a gammon, to win a backgammon, and the same two for losses."""
LONGEST: Final = 1500
"""The most turns of a game; a longer one gives no result to learn."""


@jit
def judge(inputs: Any, first: Any, first_bias: Any, second: Any, second_bias: Any, hidden: Any, out: Any) -> None:
    """Writes the chances of the side to roll, and the output of the hidden layer."""
    width = hidden.shape[0]
    for unit in range(width):
        hidden[unit] = first_bias[unit]
    for number in range(inputs.shape[0]):
        strength = inputs[number]
        if strength != 0:
            row = first[number]
            for unit in range(width):
                hidden[unit] += strength * row[unit]
    for unit in range(width):
        hidden[unit] = max(hidden[unit], np.float32(0))
    for output in range(OUTPUTS):
        total = second_bias[output]
        row = second[output]
        for unit in range(width):
            total += row[unit] * hidden[unit]
        out[output] = np.float32(1) / (np.float32(1) + np.exp(-total))


@jit
def order(chances: Any) -> None:
    """Makes the chances possible: a gammon is a win, too, and nothing is won and lost at once."""
    chances[1] = min(chances[1], chances[0])
    chances[2] = min(chances[2], chances[1])
    chances[3] = min(chances[3], np.float32(1) - chances[0])
    chances[4] = min(chances[4], chances[3])


@jit
def equity(chances: Any) -> Any:
    return 2 * chances[0] - 1 + chances[1] + chances[2] - chances[3] - chances[4]


@jit
def turned(chances: Any, out: Any) -> None:
    """Writes the chances of the other side."""
    out[0] = 1 - chances[0]
    out[1] = chances[3]
    out[2] = chances[4]
    out[3] = chances[1]
    out[4] = chances[2]


@jit
def step(
    inputs: Any, chances: Any, target: Any, rate: Any, first: Any, first_bias: Any, second: Any, hidden: Any, back: Any
) -> None:
    """Takes one step of gradient descent (cross entropy). ``chances`` and ``hidden`` are those of ``judge``."""
    width = hidden.shape[0]
    for unit in range(width):
        back[unit] = 0
    for output in range(OUTPUTS):
        error = np.float32(rate * (chances[output] - target[output]))
        row = second[output]
        for unit in range(width):
            back[unit] += error * row[unit]
            row[unit] -= error * hidden[unit]
    for unit in range(width):
        if hidden[unit] <= 0:
            back[unit] = 0
        first_bias[unit] -= back[unit]
    for number in range(inputs.shape[0]):
        strength = inputs[number]
        if strength != 0:
            row = first[number]
            for unit in range(width):
                row[unit] -= strength * back[unit]


def learner(rules: ModuleType) -> Any:
    """Compiles the self-play of the game with these compiled rules.

    The function plays so many games from a seed and learns from each. It returns the turns that were played, the
    gammons, and the sum of the squared differences between each estimate of a win and the next.
    """
    fill, kind, turns, lost, start = rules.fill, rules.kind, rules.turns, rules.lost, rules.start
    size, count, most, numbers = rules.SIZE, rules.COUNT, rules.MOST, rules.NUMBERS

    @jit
    def value(position: Any, nets: Any, inputs: Any, hidden: Any, out: Any) -> Any:
        """Writes the chances of the side to roll. Returns the network used, or -1 if the game is over."""
        points = lost(position)
        if points:
            out[:] = 0
            out[3] = points >= 2
            out[4] = points >= 3
            return -1
        fill(position, inputs)
        net = kind(position)
        judge(inputs, nets[0][net], nets[1][net], nets[2][net], nets[3][net], hidden, out)
        return net

    @jit
    def play(games: int, seed: int, fade: float, rate: float, nets: Any) -> Any:
        np.random.seed(seed)  # noqa: NPY002 — compiled code has this generator alone
        width = nets[1].shape[1]
        found = np.empty((most, size), numbers)
        keys = np.empty(most, np.uint64)
        partial = np.empty((most, size + 4), numbers)
        inputs = np.zeros(count, np.float32)
        hidden = np.empty(width, np.float32)
        back = np.empty(width, np.float32)
        chances = np.empty(OUTPUTS, np.float32)
        later = np.empty(OUTPUTS, np.float32)
        target = np.empty(OUTPUTS, np.float32)
        seen = np.empty((LONGEST, size), numbers)
        position = np.empty(size, numbers)
        played = gammons = 0
        error = 0.0
        for _ in range(games):
            start(position)
            length = 0
            while length < LONGEST:
                high = np.random.randint(1, 7)  # noqa: NPY002
                low = np.random.randint(1, 7)  # noqa: NPY002
                if high == low and length == 0:
                    continue
                seen[length] = position
                length += 1
                number = turns(position, max(high, low), min(high, low), found, keys, partial)
                best, least = 0, np.float32(9)
                for at in range(number):
                    net = value(found[at], nets, inputs, hidden, chances)
                    if net >= 0:
                        order(chances)
                    worth = equity(chances)
                    if worth < least:
                        best, least = at, worth
                position[:] = found[best]
                if lost(position):
                    break
            played += length
            net = value(position, nets, inputs, hidden, later)
            if net >= 0:
                order(later)
            gammons += later[3] > 0.5
            for at in range(length - 1, -1, -1):
                turned(later, target)
                net = value(seen[at], nets, inputs, hidden, chances)
                error += (chances[0] - target[0]) ** 2
                step(inputs, chances, target, rate, nets[0][net], nets[1][net], nets[2][net], hidden, back)
                for output in range(OUTPUTS):
                    delta = target[output] - chances[output]
                    nets[3][net][output] += np.float32(rate) * delta
                    later[output] = chances[output] + fade * delta
        return played, gammons, error / played

    return play, value


@jit
def chosen(worths: Any, number: int, least: Any, temperature: float, luck: float) -> Any:
    """Chooses a turn as ``engine.ai.choice`` does. ``worths`` are those of the other side; ``luck`` is from 0 to 1."""
    heat = temperature * max(0.0, 1.0 - abs(least))
    total = 0.0
    for at in range(number):
        loss = worths[at] - least
        worths[at] = np.exp(-loss / heat) if loss <= WORST * heat else 0.0
        total += worths[at]
    left = luck * total
    for at in range(number):
        left -= worths[at]
        if left < 0:
            return at
    return number - 1


def matches(rules: ModuleType, value: Any) -> Any:
    """Compiles games between two sets of networks that do not learn: each sequence of dice twice, the seats exchanged.

    Each plays at its temperature. The function returns the points of the first, a row for each pair of games.
    """
    turns, lost, start = rules.turns, rules.lost, rules.start
    size, count, most, numbers = rules.SIZE, rules.COUNT, rules.MOST, rules.NUMBERS

    @jit
    def match(pairs: int, seed: int, one: Any, two: Any, temperatures: tuple[float, float]) -> Any:
        found = np.empty((most, size), numbers)
        keys = np.empty(most, np.uint64)
        partial = np.empty((most, size + 4), numbers)
        inputs = np.zeros(count, np.float32)
        hidden_one = np.empty(one[1].shape[1], np.float32)
        hidden_two = np.empty(two[1].shape[1], np.float32)
        chances = np.empty(OUTPUTS, np.float32)
        worths = np.empty(most)
        position = np.empty(size, numbers)
        points = np.zeros((pairs, 2))
        for pair in range(pairs):
            for seat in range(2):
                np.random.seed(seed + pair)  # noqa: NPY002
                start(position)
                mover = seat
                for length in range(LONGEST):
                    high = np.random.randint(1, 7)  # noqa: NPY002
                    low = np.random.randint(1, 7)  # noqa: NPY002
                    luck = np.random.random()  # noqa: NPY002
                    while high == low and length == 0:
                        low = np.random.randint(1, 7)  # noqa: NPY002
                    number = turns(position, max(high, low), min(high, low), found, keys, partial)
                    best, least = 0, np.float32(9)
                    for at in range(number):
                        net = (
                            value(found[at], one, inputs, hidden_one, chances)
                            if mover == 0
                            else value(found[at], two, inputs, hidden_two, chances)
                        )
                        if net >= 0:
                            order(chances)
                        worths[at] = equity(chances)
                        if worths[at] < least:
                            best, least = at, worths[at]
                    temperature = temperatures[mover]
                    if temperature > 0 and abs(least) < 1:
                        best = chosen(worths, number, least, temperature, luck)
                    position[:] = found[best]
                    result = lost(position)
                    if result:
                        points[pair, seat] = result if mover == 0 else -result
                        break
                    mover = 1 - mover
        return points

    return match
