"""The worth of an APB position as games have taught it, for the side that has just moved: levels 6 to 8.

The weights are those of a logistic regression of the result on what is counted here, rounded, in 50,000 positions of
2,000 games of machines among themselves; positions near the end of a game weigh more. The side to move next can take
what hangs at once, so the two sides have weights of their own.
"""

from typing import Final, NamedTuple

from engine.ai.apb.evaluation import LINES
from engine.games.apb.board import HEIGHT, NAMES, WIDTH, State
from engine.games.apb.moves import NEAR


class Weights(NamedTuple):
    """What is good for a side, by what is counted of it."""

    material: tuple[int, ...]
    """By the number of its secondaries."""
    shelter: int
    """A line from its principal to the edge that is not empty."""
    besieged: int
    """A secondary of the other side beside its principal."""
    loose: int
    """A secondary of the other side that its principal can knock off as the board stands."""
    any_loose: int
    """That there is one."""
    far: int
    """A secondary of its own more than two cells from its principal."""
    pressing: int
    """A secondary of its own at most two cells from the other principal."""
    edge: int
    """A secondary of its own at the edge of the board."""
    rim: int
    """A secondary of its own one cell from the edge."""


def _material(each: int, last: int) -> tuple[int, ...]:
    """``each`` for a secondary, and ``last`` less for each one below four."""
    return tuple(each * count - last * max(0, 4 - count) for count in range(9))


MOVED: Final = Weights(_material(245, 235), 8, -45, 15, 0, 24, 23, -25, -16)
"""The side that has just moved."""
TO_MOVE: Final = Weights(_material(245, 290), 21, -69, 248, 148, 42, 29, -45, -32)
TEMPO: Final = 160
"""To have moved."""
OPENED: Final = 30
"""The side to move is on one line with the other principal: for each cell of the line to be cleared below four."""
TOUCHING: Final = 60
"""The principals touch."""


def _ring(*, distance: int) -> int:
    """The cells so far from the edge."""
    return sum(
        1 << number
        for number in range(len(NAMES))
        if min(number % WIDTH, WIDTH - 1 - number % WIDTH, number // WIDTH, HEIGHT - 1 - number // WIDTH) == distance
    )


EDGE: Final = _ring(distance=0)
RIM: Final = _ring(distance=1)


def _near(mask: int) -> int:
    """The cells at most two steps away, and the cell itself."""
    found = mask | NEAR[mask]
    for cell in NEAR:
        if cell & NEAR[mask]:
            found |= NEAR[cell]
    return found


CLOSE: Final = {mask: _near(mask) for mask in NEAR}


def evaluate(state: State) -> int:
    """The worth for the side that is not to move; both principals are on the board."""
    turn = state.turn
    mine, theirs = state.secondaries[1 - turn], state.secondaries[turn]
    home, other = state.principals[1 - turn], state.principals[turn]
    held = mine | theirs | home | other
    worth = (
        TEMPO
        + side_worth(MOVED, mine, theirs, home, other, held)
        - side_worth(TO_MOVE, theirs, mine, other, home, held)
    )
    if home & NEAR[other]:
        return worth + TOUCHING
    for line in LINES[other]:
        if line & home:
            blockers = (held & line).bit_count() - 1
            return worth - OPENED * max(0, 4 - blockers)
    return worth


def side_worth(weights: Weights, mine: int, theirs: int, home: int, other: int, held: int) -> int:
    material, shelter, besieged, loose, any_loose, far, pressing, edge, rim = weights
    close = NEAR[home]
    worth = material[mine.bit_count()]
    caught = 0
    for line in LINES[home]:
        met = held & line
        if met:
            worth += shelter
            if not met & (met - 1) and met & theirs and not met & close:
                caught += 1
    if caught:
        worth += any_loose + loose * caught
    return (
        worth
        + besieged * (theirs & close).bit_count()
        + far * (mine & ~CLOSE[home]).bit_count()
        + pressing * (mine & CLOSE[other]).bit_count()
        + edge * (mine & EDGE).bit_count()
        + rim * (mine & RIM).bit_count()
    )
