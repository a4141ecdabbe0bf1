"""Inputs of the networks of backgammon for a position before a roll.

A position is 52 counts: the checkers of the side to roll by its own points (0 the tray, 25 the bar), then those of the
other side by its own. The code never branches on a count, so each count may be a number or a row of numbers, one for
each position. Training compiles the same lines for single positions.
"""

from collections.abc import Iterable
from typing import Final

import numpy as np

from engine.ai.arrays import AHEAD, BAR, BOARD, ESCAPES, HOME, MIDDLE, Counts, Inputs, Numbers, bits, reached
from engine.ai.networks import Sight

POINTS: Final = 26
"""The number of counts of a side. A point of a side is the other side's 25 minus the point."""
SIZE: Final = 2 * POINTS

RAW: Final = 4 * 24 + 2 + 3
EXPERT: Final = 31
SIDE: Final = RAW + EXPERT
COUNT: Final = 2 * SIDE + 1
"""The number of inputs."""
KINDS: Final = 5
"""The number of networks; ``kind`` says which one judges a position."""


def kind(position: Counts) -> Numbers:
    """Returns the number of the network that judges a position, by who has checkers on its own points 19 to 25.

    0 in a race, else 1 for nobody, 2 for the side to roll, 3 for the other side, 4 for both.
    """
    own = position[1] * 0
    other = position[1] * 0
    for point in range(1, POINTS):
        own = np.maximum(own, (position[point] > 0) * point)
        other = np.maximum(other, (position[POINTS + point] > 0) * point)
    return (own + other >= BAR) * (1 + (own >= 19) + 2 * (other >= 19))


def fill(position: Counts, out: Inputs) -> None:
    """Writes the inputs of a position into ``out``."""
    total = position[0] * 0
    for role in range(2):
        own = POINTS * role
        _raw(position, own, out, SIDE * role)
        _expert(position, own, POINTS - own, out, SIDE * role + RAW)
        for point in range(POINTS):
            total = total + position[own + point]
    out[COUNT - 1] = (30 - total) / 24


def _raw(position: Counts, own: int, out: Inputs, at: int) -> None:
    """Writes where the checkers of a side are: 101 inputs from ``at`` on."""
    for point in range(1, 25):
        count = position[own + point]
        out[at] = count == 1
        out[at + 1] = count == 2
        out[at + 2] = count >= 3
        out[at + 3] = np.maximum(count - 3, 0) / 2
        at += 4
    bar = position[own + BAR]
    out[at] = bar > 0
    out[at + 1] = np.maximum(bar - 1, 0) / 2
    off = position[own]
    out[at + 2] = np.minimum(off, 5) / 5
    out[at + 3] = np.minimum(np.maximum(off - 5, 0), 5) / 5
    out[at + 4] = np.maximum(off - 10, 0) / 5


def _expert(position: Counts, own: int, other: int, out: Inputs, at: int) -> None:
    """Writes what a player would say of a side: its race, its blocks, how its last checkers escape, what it can hit."""
    made = position[0] * 0
    walls = position[0] * 0
    occupied = position[0] * 0
    targets = position[0] * 0
    free = position[0] * 0
    pips = position[0] * 0
    pips_other = position[0] * 0
    rear = position[0] * 0
    rear_other = position[0] * 0
    for point in range(1, POINTS):
        count = position[own + point]
        against = position[other + point]
        pips = pips + point * count
        pips_other = pips_other + point * against
        rear = np.maximum(rear, (count > 0) * point)
        rear_other = np.maximum(rear_other, (against > 0) * point)
        occupied = occupied | (count > 0) << point
        made = made | (count > 1) << point
        walls = walls | (against > 1) << point
        targets = targets | (against == 1) << (BAR - point)
        free = free | (against < 2) << (BAR - point)
    made = made & BOARD
    walls = walls & BOARD
    targets = targets & BOARD
    free = free & BOARD
    bar = position[own + BAR]

    out[at] = pips / 100 - 1
    out[at + 1] = np.minimum(np.maximum(pips_other - pips, -60), 60) / 40
    out[at + 2] = rear / 24

    # Pips until the sides have passed each other, pips to the home, and checkers by region.
    passed = BAR - rear_other
    contact = position[0] * 0
    outside = position[0] * 0
    timing = position[0] * 0
    middle = position[0] * 0
    back = position[0] * 0
    stacked = position[0] * 0
    held = 0.0 * position[0]
    for point in range(1, POINTS):
        count = position[own + point]
        contact = contact + count * np.maximum(point - passed, 0)
        stacked = stacked + np.maximum(count - 3, 0)
        if point > 6:
            outside = outside + count * (point - 6)
        if point > 6 and point < 19:
            middle = middle + count
            timing = timing + count * (point - 6)
        if point > 18:
            back = back + count
            held = held + count * (1 - ESCAPES[walls >> (BAR - point + 1) & (1 << AHEAD) - 1])
    out[at + 3] = contact / 60
    out[at + 4] = outside / 60
    out[at + 5] = timing / 40
    out[at + 6] = middle / 6
    out[at + 7] = back / 4
    out[at + 8] = stacked / 5
    out[at + 9] = held / 2

    # Blocks against the other side.
    home = bits(made & HOME)
    out[at + 10] = home / 6
    best = position[0] * 0
    for low in range(1, 14):
        best = np.maximum(best, bits(made >> low & 63))
    out[at + 11] = best / 6
    run = made
    length = (run > 0) * 1
    for _ in range(5):
        run = run & run >> 1
        length = length + (run > 0)
    out[at + 12] = length / 6
    out[at + 13] = length >= 5
    out[at + 14] = length >= 6
    out[at + 15] = home >= 5
    out[at + 16] = bits(made & (15 << 18)) / 2  # anchors that are hard to block: points 18 to 21
    out[at + 17] = bits(made & (7 << 22)) / 2
    out[at + 18] = bits(occupied & ~made & BOARD) / 4
    out[at + 19] = bits(occupied & ~made & HOME) / 2

    # The escape of the last checker, and the cost of the bar.
    out[at + 20] = ESCAPES[np.maximum(walls >> np.maximum(BAR - rear + 1, 0), 0) & (1 << AHEAD) - 1]
    closed = bits(walls & HOME)
    out[at + 21] = (bar > 0) * closed * closed / 36
    out[at + 22] = ESCAPES[walls >> 1 & (1 << AHEAD) - 1]
    caged = 0.0 * position[0]
    for point in range(19, POINTS):
        caged = caged + 1 - ESCAPES[walls >> (BAR - point + 1) & (1 << AHEAD) - 1]
    out[at + 23] = caged / 4

    # The moves of single dice, and those of a six.
    movable = position[0] * 0
    for die in range(1, 7):
        movable = movable + bits(occupied & free << die)
    out[at + 24] = movable / 20
    out[at + 25] = bits(occupied & free << 6) / 4

    # The rolls that hit, by the region of the blot.
    anywhere = position[0] * 0
    near = position[0] * 0
    further = position[0] * 0
    two = position[0] * 0
    far = position[0] * 0
    for high in range(1, 7):
        for low in range(1, high + 1):
            hit = reached(occupied, occupied, bar, free, high, low) & targets
            weight = 1 if high == low else 2
            anywhere = anywhere + weight * (hit > 0)
            near = near + weight * ((hit & HOME) > 0)
            further = further + weight * ((hit & MIDDLE) > 0)
            two = two + weight * ((hit & (hit - 1)) > 0)
            far = far + weight * (hit >> 19 > 0)
    out[at + 26] = anywhere / 36
    out[at + 27] = near / 36
    out[at + 28] = further / 36
    out[at + 29] = two / 36
    out[at + 30] = far / 36


SIGHT: Final = Sight(COUNT, fill, kind)
_DIGITS: Final = np.zeros(128, np.int64)
for _value, _digit in enumerate(b"0123456789abcdef"):
    _DIGITS[_digit] = _value


def positions(sides: Iterable[tuple[int, int]]) -> Counts:
    """Returns a column for each pair of packed sides; the first side of each is to roll."""
    text = b"".join(b"%026x%026x" % pair for pair in sides)
    digits = _DIGITS[np.frombuffer(text, np.uint8)].reshape(-1, 2, POINTS)
    return digits[:, :, ::-1].reshape(-1, SIZE).T.copy()
