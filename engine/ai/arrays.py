"""What the networks of the backgammon family see alike, by arithmetic that serves one position and many.

A mask has a bit for each of a side's own points; bit 25 is the bar. Nothing branches on what is in a position, so each
value may be a number or a row of numbers, one for each position. Training compiles the same lines for single positions.
"""

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.ai.shots import escapes

Numbers: TypeAlias = Any
"""A whole number, or a row of them, one for each position."""
Counts: TypeAlias = NDArray[Any]
"""Whole numbers that make up a position, or a row of numbers for each of them."""
Inputs: TypeAlias = NDArray[Any]
"""What a network sees of a position, or a row for each of its inputs."""

BAR: Final = 25
BOARD: Final = (1 << 25) - 2
HOME: Final = (1 << 7) - 2
MIDDLE: Final = (1 << 19) - (1 << 7)
AHEAD: Final = 12
"""How far ahead of a checker blocked points are looked for."""
ESCAPES: Final = np.array([escapes(2 * ahead) / 36 for ahead in range(1 << AHEAD)], np.float32)
"""The share of rolls that bring a checker past a block; bit *n* of the index: the point *n* + 1 ahead is blocked."""


def bits(mask: Numbers) -> Numbers:
    """How many bits are set, of the lowest 32."""
    mask = mask - (mask >> 1 & 0x55555555)
    mask = (mask & 0x33333333) + (mask >> 2 & 0x33333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F
    return (mask * 0x01010101 & 0xFFFFFFFF) >> 24


def reached(by_odd: Numbers, by_even: Numbers, bar: Numbers, free: Numbers, high: int, low: int) -> Numbers:
    """The points at which a roll can land, as a mask: a blot on one of them is hit.

    ``by_odd``, ``by_even``: where there are checkers that such dice move. ``bar``: how many are on the bar. ``free``:
    where they may land. A checker that moves twice is taken to move with both dice.
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
