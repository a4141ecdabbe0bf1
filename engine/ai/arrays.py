"""Inputs that the networks of the backgammon family have in common.

A mask has a bit for each of a side's own points; bit 25 is the bar. The code never branches on the contents of a
position, so each value may be a number or a row of numbers, one for each position. Training compiles the same lines for
single positions.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.ai.shots import escapes

Numbers: TypeAlias = Any
"""A whole number, or a row of them, one for each position."""
Counts: TypeAlias = NDArray[Any]
"""The whole numbers of a position, or a row of each for many positions."""
Inputs: TypeAlias = NDArray[Any]
"""The inputs of a network for a position, or a row of each for many positions."""

BAR: Final = 25
BOARD: Final = (1 << 25) - 2
HOME: Final = (1 << 7) - 2
MIDDLE: Final = (1 << 19) - (1 << 7)
AHEAD: Final = 12
"""The number of points ahead of a checker in which blocked points count."""
ESCAPES: Final = np.array([escapes(2 * ahead) / 36 for ahead in range(1 << AHEAD)], np.float32)
"""The share of rolls that bring a checker past a block. Bit *n* of the index: the point *n* + 1 ahead is blocked."""


def bits(mask: Numbers) -> Numbers:
    """Counts the set bits among the lowest 32 of a mask."""
    mask = mask - (mask >> 1 & 0x55555555)
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F
    return (mask * 0x01010101 & 0xFFFFFFFF) >> 24


def reached(by_odd: Numbers, by_even: Numbers, bar: Numbers, free: Numbers, high: int, low: int) -> Numbers:
    """Returns the mask of points where a roll can land; a blot on one of them is hit.

    ``by_odd`` and ``by_even`` are the points with checkers that such dice move, ``bar`` is the number of checkers on
    the bar, and ``free`` the points where they may land. A checker that moves twice is taken to use both dice.
    """
    on_bar = bar > 0
    by_high = (by_odd if high % 2 else by_even) & BOARD
    by_low = (by_odd if low % 2 else by_even) & BOARD
    entering = on_bar * (1 << BAR)
    at_once = (entering | (1 - on_bar) * by_high) >> high & free
    if high == low:
        entered = at_once != 0
        movers = (1 - on_bar) * by_high | on_bar * entered * (by_high | at_once)
        once = movers >> high & free
        twice = once >> high & free
        thrice = twice >> high & free
        again = thrice >> high & free
        return at_once | once * (bar <= 3) | twice * (bar <= 2) | thrice * (bar <= 1) | again * (bar == 0)
    other = (entering | (1 - on_bar) * by_low) >> low & free
    one = bar == 1
    then_low = at_once * (bar < 2) | by_low * (one & (at_once != 0))
    then_high = other * (bar < 2) | by_high * (one & (other != 0))
    return at_once | other | (then_low >> low & free) | (then_high >> high & free)
