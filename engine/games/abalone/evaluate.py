"""A rough worth of a position: marbles ejected, then the centre, then holding together."""

from typing import Final

from engine.core.game import Seat
from engine.games.abalone.board import BITS, ROWS, State
from engine.games.abalone.tables import AXES

CENTRE: Final = 0.03
"""The worth of a step nearer to the centre, in marbles."""
COHESION: Final = 0.01
"""The worth of two own marbles that touch, in marbles."""


def _distance(cell: str) -> int:
    rise, run = ROWS.index(cell[0]) - 4, int(cell[1]) - 5
    return max(abs(rise), abs(run), abs(rise - run))


DISCS: Final = tuple(sum(bit for cell, bit in BITS.items() if _distance(cell) <= reach) for reach in range(4))
"""The cells within 0 to 3 steps of the centre: a marble counts once for each that it is in."""


def shape(side: int) -> float:
    """The worth of how a side's marbles stand, in marbles."""
    near = sum((side & disc).bit_count() for disc in DISCS)
    touching = sum((side & side >> axis).bit_count() for axis in AXES)
    return CENTRE * near + COHESION * touching


def evaluate(state: State, seat: Seat) -> float:
    """The worth of the position for a seat, in ejected marbles; 0 for even."""
    worth = state.ejected[0] - state.ejected[1] + shape(state.black) - shape(state.white)
    return -worth if seat else worth
