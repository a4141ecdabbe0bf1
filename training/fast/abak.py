"""The rules of Abak for training: positions as numbers, every turn of a roll, compiled.

A position is the input of ``engine.ai.abak.inputs``. Here the side to roll is also the one that moves, and its classes
are numbered 1 to 6 (``engine.games.abak.moves``). A place within a turn has two numbers more: the general's move, and
the dice left.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.ai.abak.columns import ALL, BASE, OTHER, SEEN
from training.fast.compiled import compiled, jit

_inputs: Final = compiled("engine.ai.abak.inputs")
fill: Final = _inputs.fill
kind: Final = _inputs.kind
COUNT: Final[int] = _inputs.COUNT
KINDS: Final[int] = _inputs.KINDS
NUMBERS: Final = np.int32
SIZE: Final = 38
PLACE: Final = SIZE + 2
"""The size of a place: the position, the general, the dice."""
GENERAL_AT: Final = SIZE
LEFT: Final = SIZE + 1
BARS: Final = 24
OTHER_BARS: Final = 30
TRAY: Final = 36
LAYER: Final = 3000
"""The most places after the same number of dice."""
MOST: Final = 5 * LAYER

GUARD, GENERAL, DRUID, EVEN, ODD = 2, 3, 4, 5, 6
STILL, FORWARD, BACKWARD = 0, 1, 2
NONE, PLAIN, HIT, TRAP, HALF = range(5)
FULL: Final = 10
"""Added to the face of an own column with five stones."""
BLOT, LONE_GUARD, BLOCK, FULL_BLOT, FULL_GUARD = -1, -2, -3, -4, -5
"""The other side's run on top."""


def _faces() -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Tabulates for every column its meaning for a landing, its own stones, a flag for the general, and its turned
    form.
    """
    own_run, own_top, stones = SEEN & 7, SEEN >> 3 & 7, SEEN >> 6 & 7
    other_run, other_top = SEEN >> 20 & 7, SEEN >> 23 & 7
    full = SEEN >> 40 & 1
    guard = other_top == GUARD
    single = np.where(full, np.where(guard, FULL_GUARD, FULL_BLOT), np.where(guard, LONE_GUARD, BLOT))
    face = np.where(own_run, own_top + FULL * full, np.where(other_run > 1, BLOCK, np.where(other_run, single, 0)))
    turned, left = np.zeros(ALL, np.int64), np.arange(ALL)
    for depth in range(5):
        stone = left % BASE
        left //= BASE
        turned += BASE**depth * np.where(stone > OTHER, stone - OTHER, np.where(stone > 0, stone + OTHER, 0))
    return face.astype(np.int8), stones.astype(np.int8), (SEEN >> 9 & 1).astype(np.int8), turned.astype(np.int32)


FACE, STONES, HAS_GENERAL, TURNED = _faces()
START: Final = np.zeros(SIZE, np.int32)
for _point, _column in {24: "ED", 23: "OS", 13: "SSGS", 8: "SGS", 6: "SSSK"}.items():
    for _stone in _column:
        START[_point - 1] = BASE * START[_point - 1] + "SGKDEO".index(_stone) + 1
    START[24 - _point] = TURNED[START[_point - 1]]


@jit
def start(position: Any) -> None:
    position[:] = START


@jit
def lost(position: Any) -> Any:
    """Computes the points that the side to roll has lost: 0 if the game is not over."""
    if position[TRAY + 1] < 15:
        return 0
    if position[TRAY] > 0:
        return 1
    for stone in range(6):
        if position[BARS + stone] > 0:
            return 3
    for point in range(19, 25):
        if STONES[position[point - 1]] > 0:
            return 3
    return 2


@jit
def _landing(stone: int, point: int, face: int) -> Any:
    if face >= 0:
        return PLAIN if face < FULL else NONE
    if face == BLOCK:
        return NONE
    if stone == DRUID and 7 <= point <= 18:
        return TRAP if face in (BLOT, LONE_GUARD) else NONE
    if face in (BLOT, FULL_BLOT) or stone == GUARD:
        return HIT
    return HALF if face == LONE_GUARD else NONE


@jit
def _fits(stone: int, die: int) -> Any:
    """Returns whether a move on the board may use the die."""
    return not ((stone == EVEN and die % 2 == 1) or (stone == ODD and die % 2 == 0))


@jit
def _add(move: Any, number: int, stone: int, source: int, point: int, effect: int) -> Any:
    move[number, 0] = stone
    move[number, 1] = source
    move[number, 2] = point
    move[number, 3] = effect
    return number + 1


@jit
def _moves(place: Any, die: int, move: Any) -> Any:
    """Writes every move of one stone with the die: class, from, to, effect. Returns their number."""
    number = 0
    on_bar = False
    for stone in range(1, 7):
        if place[BARS + stone - 1] > 0:
            on_bar = True
            effect = _landing(stone, 25 - die, FACE[place[24 - die]])
            if effect:
                number = _add(move, number, stone, 25, 25 - die, effect)
    if on_bar:
        return number
    highest = 0
    out = False
    for point in range(1, 25):
        count = STONES[place[point - 1]]
        if count > 0:
            highest = point
            if point > 6 and count > HAS_GENERAL[place[point - 1]]:
                out = True
    for source in range(24, 0, -1):
        stone = FACE[place[source - 1]]
        if stone <= 0:
            continue
        stone %= FULL
        if stone == GENERAL and place[GENERAL_AT] == BACKWARD:
            continue
        point = source - die
        if point > 0:
            if _fits(stone, die):
                effect = _landing(stone, point, FACE[place[point - 1]])
                if effect:
                    number = _add(move, number, stone, source, point, effect)
        elif highest <= 6 and (point == 0 or source == highest):
            number = _add(move, number, stone, source, 0, PLAIN)
        if stone == GENERAL and place[GENERAL_AT] == STILL and source + die < 25 and out:
            effect = _landing(stone, source + die, FACE[place[source + die - 1]])
            if effect:
                number = _add(move, number, stone, source, source + die, effect)
    return number


@jit
def _play(place: Any, stone: int, source: int, point: int, effect: int) -> None:
    """Moves the stone. The first half of a pair capture sends the guard to the bar."""
    if source == 25:
        place[BARS + stone - 1] -= 1
    else:
        place[source - 1] //= BASE
    if stone == GENERAL and source != 25:
        place[GENERAL_AT] = FORWARD if point < source else BACKWARD
    if point == 0:
        place[TRAY] += 1
        return
    under = place[point - 1]
    if effect in (HIT, HALF):
        place[OTHER_BARS + under % BASE - OTHER - 1] += 1
        under //= BASE
    place[point - 1] = under * BASE + stone


@jit
def _key(place: Any, size: int) -> Any:
    key = np.uint64(14695981039346656037)
    for at in range(size):
        key = (key ^ np.uint64(place[at])) * np.uint64(1099511628211)
        key ^= key >> np.uint64(29)
    return key


@jit
def _keep(place: Any, layer: int, ends: Any, keys: Any, partial: Any) -> None:
    """Adds the place to its layer, unless it is there."""
    key = _key(place, PLACE)
    begin = layer * LAYER
    for at in range(begin, begin + ends[layer]):
        if keys[at] == key:
            return
    if ends[layer] < LAYER:
        at = begin + ends[layer]
        keys[at] = key
        partial[at, :PLACE] = place
        ends[layer] += 1


@jit
def turns(position: Any, high: int, low: int, found: Any, keys: Any, partial: Any) -> Any:
    """Writes every position after a turn, from the view of the side to roll next, to ``found``. Returns their number.

    As in ``engine.games.abak.turns``, places are found layer by layer, one for each number of dice played. The dice
    left are bits (1 the higher, 2 the lower) or, of equal dice, their number.
    """
    dice = 4 if high == low else 2
    ends = np.zeros(5, np.int64)
    move = np.empty((60, 4), np.int64)
    second = np.empty((60, 4), np.int64)
    after = np.empty(PLACE, np.int32)
    then = np.empty(PLACE, np.int32)
    after[:SIZE] = position
    after[GENERAL_AT] = STILL
    after[LEFT] = 4 if high == low else 3
    _keep(after, 0, ends, keys, partial)
    for layer in range(dice):
        for number in range(ends[layer]):
            place = partial[layer * LAYER + number, :PLACE]
            left = place[LEFT]
            for choice in range(1, 3):
                if high == low:
                    if choice == 2:
                        continue
                    die, rest = high, left - 1
                else:
                    if not left & choice:
                        continue
                    die, rest = high if choice == 1 else low, left & ~choice
                least = die if high == low or left != 3 else low
                for at in range(_moves(place, die, move)):
                    stone, source, point, effect = move[at, 0], move[at, 1], move[at, 2], move[at, 3]
                    if point == 0 and source <= least < die:
                        continue  # the lower die bears it off, too
                    after[:] = place
                    _play(after, stone, source, point, effect)
                    after[LEFT] = rest
                    if effect != HALF:
                        if rest == 0:
                            after[GENERAL_AT] = STILL
                        _keep(after, layer + 1, ends, keys, partial)
                    elif rest > 0:
                        next_die = high if high == low or rest == 1 else low
                        for other in range(_moves(after, next_die, second)):
                            stone2 = second[other, 0]
                            if second[other, 2] != point or second[other, 3] != PLAIN:
                                continue
                            if _landing(stone2, point, LONE_GUARD) != HALF:
                                continue
                            then[:] = after
                            _play(then, stone2, second[other, 1], point, PLAIN)
                            then[LEFT] = rest - 1 if high == low else 0
                            if then[LEFT] == 0:
                                then[GENERAL_AT] = STILL
                            _keep(then, layer + 2, ends, keys, partial)
    most = dice
    while ends[most] == 0:
        most -= 1
    number = 0
    if most:
        begin = most * LAYER
        used_high = False
        if most == 1 and dice == 2:
            for at in range(begin, begin + ends[1]):
                used_high = used_high or partial[at, LEFT] == 2
        for at in range(begin, begin + ends[most]):
            if used_high and partial[at, LEFT] != 2:
                continue
            key = _key(partial[at], SIZE)
            known = False
            for earlier in range(number):
                if keys[earlier] == key:
                    known = True
                    break
            if not known:
                keys[number] = key  # those of the first layer are not needed any more
                _turn(partial[at], found[number])
                number += 1
    if number == 0:
        _turn(position, found[0])
        return 1
    return number


@jit
def _turn(position: Any, out: Any) -> None:
    """Writes the position from the view of the other side."""
    for point in range(24):
        out[point] = TURNED[position[23 - point]]
    out[BARS:OTHER_BARS] = position[OTHER_BARS:TRAY]
    out[OTHER_BARS:TRAY] = position[BARS:OTHER_BARS]
    out[TRAY] = position[TRAY + 1]
    out[TRAY + 1] = position[TRAY]
