"""Columns of stones as numbers, and a table of their properties.

A column is written in base 13 from bottom to top, so its last digit is the stone on top. Digits 1 to 6 are the classes
of the side to roll in the order of ``CLASSES``, 7 to 12 those of the other side. 0 is an empty column.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.games.abak.board import CLASSES, TALLEST

BASE: Final = 13
OTHER: Final = 6
"""The difference between the digits of a class of the other side and of the side to roll."""
ALL: Final = BASE**TALLEST
GUARD, DRUID = CLASSES.index("G") + 1, CLASSES.index("D") + 1
UNIQUE: Final = tuple(CLASSES.index(letter) + 1 for letter in "KDEO")
"""The digits of the classes with one stone: general, druid, even and odd wounded."""

# The lowest bits of a column's fields in ``SEEN``. The fields of the other side follow after ``WIDTH`` bits.
RUN: Final = 0
"""The length of the run on top, if it belongs to the side."""
TOP: Final = 3
"""The class on top, if it belongs to the side."""
STONES: Final = 6
"""The number of the side's stones in the column."""
HAS: Final = 9
"""A bit for each of ``UNIQUE`` in the column."""
BURIED: Final = 13
"""A bit for each of ``UNIQUE`` in the column below the top."""
GUARDS: Final = 17
"""The number of guards below the top."""
WIDTH: Final = 20
FULL: Final = 2 * WIDTH
"""Whether the column has no room for a stone."""


def _seen() -> NDArray[Any]:
    """Returns the properties of every column, packed into the fields above."""
    left = np.arange(ALL)
    top = left % BASE
    owner = np.where(top > OTHER, 1, 0)
    seen = np.zeros(ALL, np.int64)
    running = top > 0
    for depth in range(TALLEST):
        stone = left % BASE
        left //= BASE
        side = np.where(stone > OTHER, 1, 0)
        at = WIDTH * side
        kind = stone - OTHER * side
        running &= (side == owner) & (stone > 0)
        seen += running * (1 << RUN + at) + (stone > 0) * (1 << STONES + at)
        if depth == 0:
            seen += kind << TOP + at
        else:
            seen += (kind == GUARD) * (1 << GUARDS + at)
        for number, unique in enumerate(UNIQUE):
            has = kind == unique
            seen |= has * (1 << HAS + number + at)
            if depth:
                seen |= has * (1 << BURIED + number + at)
    seen[BASE ** (TALLEST - 1) :] |= 1 << FULL
    return seen


SEEN: Final = _seen()
