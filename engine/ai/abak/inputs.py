"""Inputs of the networks of Abak for a position before a roll.

A position is 38 numbers: the columns on the points 1 to 24 of the side to roll (``columns``), the stones on its bar by
class, those on the other side's bar, and the number of stones that each side has borne off. The code never branches on
the contents of a position, as in backgammon, so the same lines serve one position and many.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from engine.ai.abak.columns import BASE, BURIED, DRUID, FULL, GUARD, GUARDS, HAS, OTHER, RUN, SEEN, STONES, TOP, WIDTH
from engine.ai.arrays import AHEAD, BAR, ESCAPES, HOME, MIDDLE, Counts, Inputs, Numbers, bits, reached
from engine.ai.networks import Sight
from engine.games.abak.board import CLASSES

BARS: Final = 24
"""The first number of the bars in a position."""
OFF: Final = BARS + 2 * OTHER
SIZE: Final = OFF + 2
ONE: Final = 7
"""The mask of a field of three bits."""

POINT: Final = 11
"""The number of inputs of a point for each side."""
RAW: Final = 24 * POINT + 15 + OTHER + 2 + 3
EXPERT: Final = 40
SIDE: Final = RAW + EXPERT
COUNT: Final = 2 * SIDE
"""The number of inputs."""
KINDS: Final = 5
"""The number of networks; ``kind`` says which one judges a position, as in backgammon."""


def kind(position: Counts) -> Numbers:
    """Returns the number of the network that judges a position, by who has stones on its own points 19 to 25.

    0 in a race, else 1 for nobody, 2 for the side to roll, 3 for the other side, 4 for both.
    """
    own = position[0] * 0
    other = position[0] * 0
    for point in range(1, BAR):
        seen = SEEN[position[point - 1]]
        own = np.maximum(own, ((seen >> STONES & ONE) > 0) * point)
        other = np.maximum(other, ((seen >> STONES + WIDTH & ONE) > 0) * (BAR - point))
    for stone in range(OTHER):
        own = np.maximum(own, (position[BARS + stone] > 0) * BAR)
        other = np.maximum(other, (position[BARS + OTHER + stone] > 0) * BAR)
    return (own + other >= BAR) * (1 + (own >= 19) + 2 * (other >= 19))


def fill(position: Counts, out: Inputs) -> None:
    """Writes the inputs of a position into ``out``."""
    for role in range(2):
        _raw(position, role, out, SIDE * role)
        _expert(position, role, out, SIDE * role + RAW)


def _raw(position: Counts, role: int, out: Inputs, at: int) -> None:
    """Writes where the stones of a side are, their classes, and the stones on them. Points have the side's
    own numbers.
    """
    field = WIDTH * role
    buried = at + 24 * POINT
    for number in range(15):
        out[buried + number] = 0 * position[0]
    for point in range(1, BAR):
        seen = SEEN[position[BAR - point - 1 if role else point - 1]]
        run = seen >> RUN + field & ONE
        top = seen >> TOP + field & ONE
        out[at] = (run == 1) & (top != GUARD)
        out[at + 1] = (run == 1) & (top == GUARD)
        out[at + 2] = run == 2
        out[at + 3] = run >= 3
        out[at + 4] = np.maximum(run - 3, 0) / 2
        out[at + 5] = top == 3
        out[at + 6] = top == 4
        out[at + 7] = top == 5
        out[at + 8] = top == 6
        out[at + 9] = (seen >> STONES + field & ONE) - run
        out[at + 10] = (seen >> FULL & 1) * (run > 0)
        at += POINT
        region = buried + 5 * (0 if point < 7 else 1 if point < 19 else 2)
        out[region] += seen >> GUARDS + field & 3
        for number in range(4):
            out[region + 1 + number] += seen >> BURIED + number + field & 1
    at = buried + 15
    bar = position[0] * 0
    for stone in range(OTHER):
        count = position[BARS + OTHER * role + stone]
        out[at + stone] = count
        bar = bar + count
    at += OTHER
    out[at] = bar > 0
    out[at + 1] = np.maximum(bar - 1, 0) / 2
    off = position[OFF + role]
    out[at + 2] = np.minimum(off, 5) / 5
    out[at + 3] = np.minimum(np.maximum(off - 5, 0), 5) / 5
    out[at + 4] = np.maximum(off - 10, 0) / 5


def _expert(position: Counts, role: int, out: Inputs, at: int) -> None:
    """Writes what a player would say of a side: its race, its blocks, how its last stones escape, what it can hit."""
    own = WIDTH * role
    other = WIDTH - own
    zero = position[0] * 0
    bar = zero
    bar_other = zero
    for stone in range(OTHER):
        bar = bar + position[BARS + OTHER * role + stone]
        bar_other = bar_other + position[BARS + OTHER - OTHER * role + stone]
    pips = BAR * bar
    pips_other = BAR * bar_other
    rear = (bar > 0) * BAR
    rear_other = (bar_other > 0) * BAR
    odd = zero
    even = zero
    guards = zero
    druid = zero
    made = zero
    block = zero
    walls = zero
    targets = zero
    lone = zero
    free = zero
    single = zero
    safe = zero
    general = BAR * position[BARS + OTHER * role + 2]
    druid_at = BAR * position[BARS + OTHER * role + 3]
    even_at = BAR * position[BARS + OTHER * role + 4]
    odd_at = BAR * position[BARS + OTHER * role + 5]
    for point in range(1, BAR):
        seen = SEEN[position[BAR - point - 1 if role else point - 1]]
        count = seen >> STONES + own & ONE
        against = seen >> STONES + other & ONE
        pips = pips + point * count
        pips_other = pips_other + (BAR - point) * against
        rear = np.maximum(rear, (count > 0) * point)
        rear_other = np.maximum(rear_other, (against > 0) * (BAR - point))
        run = seen >> RUN + own & ONE
        top = seen >> TOP + own & ONE
        odd = odd | ((run > 0) & (top != 5)) << point
        even = even | ((run > 0) & (top != 6)) << point
        guards = guards | (top == GUARD) << point
        druid = druid | (top == DRUID) << point
        made = made | (run > 1) << point
        block = block | ((run > 1) | ((run == 1) & (top == GUARD))) << point
        run_other = seen >> RUN + other & ONE
        top_other = seen >> TOP + other & ONE
        wall = (run_other > 1) | ((run_other == 1) & (top_other == GUARD))
        walls = walls | wall << (BAR - point)
        targets = targets | ((run_other == 1) & (top_other != GUARD)) << point
        lone = lone | ((run_other == 1) & (top_other == GUARD)) << point
        full = seen >> FULL & 1
        free = free | ((1 - wall > 0) & ((full == 0) | (run_other == 1))) << point
        single = single + (run_other == 1) * count
        safe = safe + (run_other > 1) * count
        general = general + point * (seen >> HAS + own & 1)
        druid_at = druid_at + point * (seen >> HAS + 1 + own & 1)
        even_at = even_at + point * (seen >> HAS + 2 + own & 1)
        odd_at = odd_at + point * (seen >> HAS + 3 + own & 1)

    out[at] = pips / 100 - 1
    out[at + 1] = np.minimum(np.maximum(pips_other - pips, -80), 80) / 40
    out[at + 2] = rear / 24

    passed = BAR - rear_other
    contact = bar * np.maximum(BAR - passed, 0)
    outside = 19 * bar
    timing = zero
    middle = zero
    back = bar
    stacked = zero
    held = bar * (1 - ESCAPES[walls >> 1 & (1 << AHEAD) - 1])
    caged = 1 - ESCAPES[walls >> 1 & (1 << AHEAD) - 1]
    for point in range(1, BAR):
        count = SEEN[position[BAR - point - 1 if role else point - 1]] >> STONES + own & ONE
        contact = contact + count * np.maximum(point - passed, 0)
        stacked = stacked + np.maximum(count - 3, 0)
        if point > 6:
            outside = outside + count * (point - 6)
        if point > 6 and point < 19:
            middle = middle + count
            timing = timing + count * (point - 6)
        if point > 18:
            back = back + count
            stuck = 1 - ESCAPES[walls >> (BAR - point + 1) & (1 << AHEAD) - 1]
            held = held + count * stuck
            caged = caged + stuck
    out[at + 3] = contact / 60
    out[at + 4] = outside / 60
    out[at + 5] = timing / 40
    out[at + 6] = middle / 6
    out[at + 7] = back / 4
    out[at + 8] = stacked / 5
    out[at + 9] = held / 2
    out[at + 10] = caged / 4

    home = bits(block & HOME)
    out[at + 11] = home / 6
    best = zero
    for low in range(1, 14):
        best = np.maximum(best, bits(block >> low & 63))
    out[at + 12] = best / 6
    line = block
    length = (line > 0) * 1
    for _ in range(5):
        line = line & line >> 1
        length = length + (line > 0)
    out[at + 13] = length / 6
    out[at + 14] = length >= 5
    out[at + 15] = length >= 6
    out[at + 16] = home >= 5
    out[at + 17] = bits(block & (15 << 18)) / 2
    out[at + 18] = bits(block & (7 << 22)) / 2
    blots = (odd | even) & ~block
    out[at + 19] = bits(blots) / 4
    out[at + 20] = bits(blots & HOME) / 2

    out[at + 21] = ESCAPES[walls >> np.maximum(BAR - rear + 1, 0) & (1 << AHEAD) - 1]
    closed = bits(walls & HOME)
    out[at + 22] = (bar > 0) * closed * closed / 36
    out[at + 23] = ESCAPES[walls >> 1 & (1 << AHEAD) - 1]
    movable = zero
    for die in range(1, 7):
        movable = movable + bits((odd if die % 2 else even) & free << die)
    out[at + 24] = movable / 20
    out[at + 25] = bits(even & free << 6) / 4

    anywhere = zero
    near = zero
    further = zero
    two = zero
    far = zero
    capture = zero
    trap = zero
    for high in range(1, 7):
        for low in range(1, high + 1):
            hit = reached(odd, even, bar, free, high, low) & targets
            weight = 1 if high == low else 2
            anywhere = anywhere + weight * (hit > 0)
            near = near + weight * ((hit & HOME) > 0)
            further = further + weight * ((hit & MIDDLE) > 0)
            two = two + weight * ((hit & (hit - 1)) > 0)
            far = far + weight * (hit >> 19 > 0)
            by_high = (odd if high % 2 else even) >> high
            by_low = (odd if low % 2 else even) >> low
            alone = (guards >> high | guards >> low) & lone
            taken = (by_high & by_low & lone) * (high != low)
            capture = capture + weight * ((alone | taken) > 0)
            trap = trap + weight * (((druid >> high | druid >> low) & (targets | lone) & MIDDLE) > 0)
    out[at + 26] = anywhere / 36
    out[at + 27] = near / 36
    out[at + 28] = further / 36
    out[at + 29] = two / 36
    out[at + 30] = far / 36
    out[at + 31] = capture / 36
    out[at + 32] = trap / 36

    out[at + 33] = single / 2
    out[at + 34] = safe / 2
    out[at + 35] = general / 25
    out[at + 36] = druid_at / 25
    out[at + 37] = even_at / 25
    out[at + 38] = odd_at / 25
    out[at + 39] = bits(made) / 6


SIGHT: Final = Sight(COUNT, fill, kind)
_NUMBERS: Final = tuple(
    {letter: number for own in order for number, letter in enumerate(own[0], own[1])}
    for order in (
        ((CLASSES, 1), (CLASSES.lower(), 1 + OTHER)),
        ((CLASSES.lower(), 1), (CLASSES, 1 + OTHER)),
    )
)
"""The digit of each stone's letter, by the seat that is to roll."""


class _Columns(dict[str, int]):
    """Computes the number of each column for a seat once."""

    def __init__(self, numbers: dict[str, int]) -> None:
        super().__init__()
        self._numbers = numbers

    def __missing__(self, column: str) -> int:
        value = 0
        for stone in column:
            value = BASE * value + self._numbers[stone]
        self[column] = value
        return value


_COLUMNS: Final = tuple(map(_Columns, _NUMBERS))


def positions(seen: Iterable[tuple[int, Sequence[str], Sequence[str], Sequence[int]]]) -> Counts:
    """Returns a column of numbers for each position.

    Each is given by the seat that is to roll, the columns by its own points (0 is unused), its bar and the other's, and
    the number of stones that each of the two has borne off.
    """
    rows: list[list[int]] = []
    for seat, columns, bars, off in seen:
        row = [*map(_COLUMNS[seat].__getitem__, columns[1:])]
        for bar in bars:
            if bar:
                row += [bar.upper().count(letter) for letter in CLASSES]
            else:
                row += _NOBODY
        rows.append([*row, *off])
    return np.array(rows, np.int64).T.copy()


_NOBODY: Final = [0] * OTHER
