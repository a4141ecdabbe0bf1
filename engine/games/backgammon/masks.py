"""Bit masks by own point: the checkers of a side, its possible landings, and the points from which it can play a die.

``occupied`` holds the own checkers (bit 25 the bar), ``free`` the points with fewer than two checkers of the other
side, ``blots`` those with one. Own moves never change ``free``, so the number of playable dice depends on the own side
only.
"""

from typing import Final, NamedTuple

from engine.games.backgammon.board import BAR, OFF


class Move(NamedTuple):
    """The move of one checker with one die between own points: 25 is the bar, 0 is off."""

    source: int
    target: int


MOVES: Final = tuple(tuple(Move(point, max(point - die, OFF)) for die in range(7)) for point in range(26))
"""The move from each point with each die: one object for equal moves."""
SHIFT: Final = tuple(tuple((1 << 4 * move.target) - (1 << 4 * move.source) for move in row) for row in MOVES)
"""The number that a move adds to the own side."""
HIT: Final = tuple((1 << 4 * BAR) - (1 << 4 * (25 - point)) for point in range(26))
"""The number that a hit on the mover's point adds to the other side."""
COUNT: Final = tuple(15 << 4 * point for point in range(26))
BIT: Final = tuple(1 << point for point in range(32))

ANYWHERE: Final = (1 << 26) - 2
"""The mask of all points and the bar."""
_BOARD: Final = (1 << 25) - 2
_BAR_BIT: Final = 1 << BAR
_OUTSIDE: Final = 7
"""``occupied`` shifted right by this many bits is 0 if all checkers are home."""


def _descending(low: int) -> tuple[tuple[int, ...], ...]:
    """Returns the points of each mask of nine bits from ``low`` up, the highest first."""
    return tuple(tuple(low + bit for bit in range(8, -1, -1) if mask & BIT[bit]) for mask in range(512))


_HIGH: Final = _descending(18)
_MIDDLE: Final = _descending(9)
_LOW: Final = _descending(0)


def points(mask: int) -> tuple[int, ...]:
    """Lists the points in a mask, the highest first."""
    return _HIGH[mask >> 18] + _MIDDLE[mask >> 9 & 511] + _LOW[mask & 511]


# A packed side in hexadecimal shows a digit for each point; each table turns digits into the bits of a mask.
_ANY: Final = bytes.maketrans(b"0123456789abcdef", b"0111111111111111")
_AT_MOST_ONE: Final = bytes.maketrans(b"0123456789abcdef", b"1100000000000000")
_ONE: Final = bytes.maketrans(b"0123456789abcdef", b"0100000000000000")


def occupied_by(own: int) -> int:
    return int((b"%026x" % own).translate(_ANY), 2) & ~1


def free_of(other: int) -> int:
    return int((b"%026x" % other)[::-1].translate(_AT_MOST_ONE), 2) & _BOARD


def blots_of(other: int) -> int:
    return int((b"%026x" % other)[::-1].translate(_ONE), 2) & _BOARD


def sources(occupied: int, free: int, die: int) -> int:
    """Finds the points from which the die can be played, as a mask (backgammon.md, Turn 2, 3 and 5)."""
    if occupied & _BAR_BIT:
        return _BAR_BIT if free >> (BAR - die) & 1 else 0
    found = occupied & free << die
    if not occupied >> _OUTSIDE:
        found |= occupied & BIT[die]
        if occupied < BIT[die]:  # no checker is as far away as the die: it bears off from the highest point
            found |= BIT[occupied.bit_length()] >> 1
    return found & ANYWHERE


def stepped(own: int, occupied: int, point: int, die: int) -> tuple[int, int]:
    """Moves a die from a point. Returns the own side and its ``occupied`` mask after it."""
    own += SHIFT[point][die]
    if not own & COUNT[point]:
        occupied ^= BIT[point]
    if point > die:
        occupied |= BIT[point - die]
    return own, occupied
