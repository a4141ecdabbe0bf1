"""The rules of backgammon for training: positions as counts, every turn of a roll, compiled.

A position is the input of ``engine.ai.backgammon.inputs``: 26 counts of the side to roll, then 26 of the other.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from training.fast.compiled import compiled, jit

_inputs: Final = compiled("engine.ai.backgammon.inputs")
fill: Final = _inputs.fill
kind: Final = _inputs.kind
COUNT: Final[int] = _inputs.COUNT
KINDS: Final[int] = _inputs.KINDS
SIZE: Final = 52
NUMBERS: Final = np.int8
MOST: Final = 4000
"""The most partial or whole turns of a roll."""
LAYOUTS: Final = np.zeros((4, 26), np.int8)
"""The checkers of each side at the start: standard, nack, hyper, long gammon."""
for _number, _layout in enumerate(
    ({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}, {24: 1, 23: 1, 22: 1}, {24: 15})
):
    for _point, _count in _layout.items():
        LAYOUTS[_number, _point] = _count

Position = NDArray[np.int8]


@jit
def start(position: Any) -> None:
    """Sets up the start, the standard one in nine games of ten."""
    layout = 0
    if np.random.random() < 0.1:  # noqa: NPY002 — compiled code has this generator alone
        layout = np.random.randint(1, 4)  # noqa: NPY002
    position[:26] = LAYOUTS[layout]
    position[26:] = LAYOUTS[layout]


@jit
def _rear(position: Any) -> Any:
    for point in range(25, 0, -1):
        if position[point] > 0:
            return point
    return 0


@jit
def _may(position: Any, point: int, die: int, rear: int) -> Any:
    """Returns whether a checker of the side to play may leave the point with the die."""
    if position[point] <= 0 or (position[25] > 0 and point != 25):
        return False
    target = point - die
    if target > 0:
        return position[51 - target] < 2
    return rear <= 6 and (target == 0 or point == rear)


@jit
def _move(position: Any, point: int, die: int) -> None:
    position[point] -= 1
    target = point - die
    if target <= 0:
        position[0] += 1
        return
    position[target] += 1
    if position[51 - target] == 1:
        position[51 - target] = 0
        position[51] += 1


@jit
def _add(position: Any, found: Any, keys: Any, number: int) -> Any:
    """Adds the position from the view of the other side, unless it is there."""
    key = np.uint64(14695981039346656037)
    for at in range(52):
        key = (key ^ np.uint64(position[at])) * np.uint64(1099511628211)
    for at in range(number):
        if keys[at] == key:
            return number
    keys[number] = key
    found[number, :26] = position[26:]
    found[number, 26:] = position[:26]
    return number + 1


@jit
def turns(position: Any, high: int, low: int, found: Any, keys: Any, partial: Any) -> Any:
    """Writes every position after a turn, as seen by the side to roll next, to ``found``. Returns their number."""
    number = (
        _equal(position, high, found, keys, partial) if high == low else _two(position, high, low, found, keys, partial)
    )
    if number == 0:
        found[0, :26] = position[26:]
        found[0, 26:] = position[:26]
        return 1
    return number


@jit
def _two(position: Any, high: int, low: int, found: Any, keys: Any, partial: Any) -> Any:
    number = 0
    after = partial[0, :52]
    ended = partial[1, :52]
    rear = _rear(position)
    for order in range(2):
        die = low if order else high
        then = high if order else low
        for point in range(25, 0, -1):
            if _may(position, point, die, rear):
                after[:] = position
                _move(after, point, die)
                rear_then = _rear(after)
                for next_point in range(25, 0, -1):
                    if _may(after, next_point, then, rear_then):
                        ended[:] = after
                        _move(ended, next_point, then)
                        number = _add(ended, found, keys, number)
    if number:
        return number
    for order in range(2):
        die = low if order else high
        for point in range(25, 0, -1):
            if _may(position, point, die, rear):
                after[:] = position
                _move(after, point, die)
                number = _add(after, found, keys, number)
        if number:
            break
    return number


@jit
def _equal(position: Any, die: int, found: Any, keys: Any, partial: Any) -> Any:
    """Plays equal dice in descending order of points. ``partial`` holds each level of the search after the last."""
    number = 0
    begin, end = 0, 1
    partial[0, :52] = position
    partial[0, 52] = 25
    for _ in range(4):
        new = end
        for at in range(begin, end):
            rear = _rear(partial[at])
            for point in range(partial[at, 52], 0, -1):
                if _may(partial[at], point, die, rear):
                    partial[new] = partial[at]
                    _move(partial[new], point, die)
                    partial[new, 52] = point
                    new += 1
        if new == end:
            break
        begin, end = end, new
    if begin:
        for at in range(begin, end):
            number = _add(partial[at, :52], found, keys, number)
    return number


@jit
def lost(position: Any) -> Any:
    """Computes the points that the side to roll has lost: 0 if the game is not over."""
    for point in range(27, 52):
        if position[point] > 0:
            return 0
    if position[0] > 0:
        return 1
    for point in range(19, 26):
        if position[point] > 0:
            return 3
    return 2
