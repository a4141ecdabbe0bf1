"""The worth of an Abalone position: ejected marbles, nearness to the centre, cohesion."""

from typing import Final

from engine.games.abalone.board import BITS, BOARD, CELLS, ROWS
from engine.games.abalone.tables import AXES

EJECTED: Final = 114
"""The worth of the first marble that is pushed off the board."""
LAST: Final = 28
"""The difference between the worth of a further marble and of the one before it."""
STEP: Final = 20
"""The worth of a marble's step towards the centre."""
PAIR: Final = 14
"""The worth of two marbles of a side that touch."""
WON: Final = 1_000_000
"""The worth of a won game, less one for each ply until it is won."""


def _from_centre(cell: str) -> int:
    rise, run = ROWS.index(cell[0]) - 4, int(cell[1:]) - 5
    return max(abs(rise), abs(run), abs(rise - run))


WITHIN: Final = tuple(sum(BITS[cell] for cell in CELLS if _from_centre(cell) <= ring) for ring in range(4))
"""The cells at most 0, 1, 2 and 3 steps from the centre."""
UP: Final = tuple((axis, 2 * axis, 3 * axis, 4 * axis, BOARD & ~(BOARD >> axis)) for axis in AXES)
"""Each axis with its multiples, and the cells at the edge in that direction."""
DOWN: Final = tuple((axis, 2 * axis, 3 * axis, 4 * axis, BOARD & ~(BOARD << axis)) for axis in AXES)
"""The same in the other direction."""


def can_eject(mine: int, theirs: int) -> bool:
    """Returns whether one side can push a marble of the other off the board in one move."""
    for one, two, three, four, top in UP:
        pair = mine & mine >> one
        edge = theirs & top
        if pair & edge >> two or pair & mine >> two & theirs >> three & edge >> four:
            return True
    for one, two, three, four, bottom in DOWN:
        pair = mine & mine << one
        edge = theirs & bottom
        if pair & edge << two or pair & mine << two & theirs << three & edge << four:
            return True
    return False


def evaluate(mine: int, theirs: int, by_me: int, by_them: int) -> int:
    """Returns the worth of a position for the side whose marbles are ``mine``. ``by_me`` is how many it has ejected."""
    return (
        STEP * (steps(mine) - steps(theirs))
        + PAIR * (cohesion(mine) - cohesion(theirs))
        + ejections(by_me)
        - ejections(by_them)
    )


def steps(marbles: int) -> int:
    """Counts how many steps nearer to the centre than the edge the marbles are."""
    first, second, third, fourth = WITHIN
    return (
        (marbles & first).bit_count()
        + (marbles & second).bit_count()
        + (marbles & third).bit_count()
        + (marbles & fourth).bit_count()
    )


def cohesion(marbles: int) -> int:
    """Counts the pairs of marbles that touch."""
    one, row, diagonal = AXES
    return (
        (marbles & marbles >> one).bit_count()
        + (marbles & marbles >> row).bit_count()
        + (marbles & marbles >> diagonal).bit_count()
    )


def ejections(count: int) -> int:
    return count * EJECTED + count * (count - 1) // 2 * LAST
