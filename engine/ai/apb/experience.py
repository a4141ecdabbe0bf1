"""The worth of an APB position as learned from games, for the side that has just moved: levels 6 to 8.

The weights are those of a logistic regression of the result on the counts below, rounded. It used 50,000 positions of
2,000 games between machines; positions near the end of a game weigh more. The side to move next can take a loose piece
at once, so each of the two sides has its own weights.

They have been the same since commit 020906ee32d3dccf253d03d04146006942342a60. They came in three rounds of 1,000, 500
and 500 games: the first with level 5, the others with players that had learnt from the round before. No command makes
them again, as the games were played by a port of the rules that is not kept, and their seeds are not known.
``training/experience.py`` learns such weights from new games.
"""

from typing import Final, NamedTuple

from engine.ai.apb.evaluation import LINES
from engine.games.apb.board import HEIGHT, NAMES, WIDTH, State
from engine.games.apb.moves import NEAR


class Weights(NamedTuple):
    """The weight of each count for a side."""

    material: tuple[int, ...]
    """By the number of its secondaries."""
    shelter: int
    """For each line from its principal to the edge with a piece on it."""
    besieged: int
    """For each secondary of the other side beside its principal."""
    loose: int
    """For each secondary of the other side that its principal can knock off, as the board stands."""
    any_loose: int
    """If there is such a secondary."""
    far: int
    """For each secondary of its own more than two cells from its principal."""
    pressing: int
    """For each secondary of its own at most two cells from the other principal."""
    edge: int
    """For each secondary of its own at the edge of the board."""
    rim: int
    """For each secondary of its own one cell from the edge."""


def _material(each: int, last: int) -> tuple[int, ...]:
    """Returns ``each`` for a secondary, less ``last`` for each one below four, by the number of secondaries."""
    return tuple(each * count - last * max(0, 4 - count) for count in range(9))


MOVED: Final = Weights(_material(245, 235), 8, -45, 15, 0, 24, 23, -25, -16)
"""The weights of the side that has just moved."""
TO_MOVE: Final = Weights(_material(245, 290), 21, -69, 248, 148, 42, 29, -45, -32)
TEMPO: Final = 160
"""For the side that has just moved."""
OPENED: Final = 30
"""For principals on one line: against the side that has just moved, for each blocker on the line fewer than four."""
TOUCHING: Final = 60
"""For principals that touch."""


def _ring(*, distance: int) -> int:
    """Returns the cells at this distance from the edge."""
    return sum(
        1 << number
        for number in range(len(NAMES))
        if min(number % WIDTH, WIDTH - 1 - number % WIDTH, number // WIDTH, HEIGHT - 1 - number // WIDTH) == distance
    )


EDGE: Final = _ring(distance=0)
RIM: Final = _ring(distance=1)


def _near(mask: int) -> int:
    """Returns the cells at most two steps away, with the cell itself."""
    found = mask | NEAR[mask]
    for cell in NEAR:
        if cell & NEAR[mask]:
            found |= NEAR[cell]
    return found


CLOSE: Final = {mask: _near(mask) for mask in NEAR}


def evaluate(state: State) -> int:
    """Returns the worth for the side that is not to move. Both principals are on the board."""
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
