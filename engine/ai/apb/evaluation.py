"""The worth of an APB position for the side that has just moved: material, shelter, pieces that can be knocked off."""

from typing import Final

from engine.games.apb.board import State
from engine.games.apb.moves import AROUND, NEAR, RAYS

SECONDARY: Final = 100
"""For each secondary on the board."""
SHELTER: Final = 12
"""For each line from the principal to the edge with a piece on it: the principal cannot be pushed off along it."""
LOOSE: Final = 60
"""For a secondary that the other principal can knock off in its next turn, as the board stands."""
ALIGNED: Final = 40
"""For principals on one line that do not touch: the other side may try to clear the line."""
THREAT: Final = 15
"""For each secondary of the other side that the own principal could knock off now."""

LINES: Final = {mask: tuple(sum(RAYS[step]) for _, step in around) for mask, around in AROUND.items()}
"""The lines from a cell to the edges, without the cell, by its mask."""


def evaluate(state: State) -> int:
    """Returns the worth for the side that is not to move. Both principals are on the board."""
    turn = state.turn
    mine, theirs = state.secondaries[1 - turn], state.secondaries[turn]
    home, other = state.principals[1 - turn], state.principals[turn]
    held = mine | theirs | home | other
    worth = SECONDARY * (mine.bit_count() - theirs.bit_count())
    close = NEAR[home]
    for line in LINES[home]:
        met = held & line
        if met:
            worth += SHELTER
            if not met & (met - 1) and met & theirs and not met & close:
                worth += THREAT
    close = NEAR[other]
    loose = 0
    for line in LINES[other]:
        met = held & line
        if met:
            worth -= SHELTER
            if not met & (met - 1) and met & mine and not met & close:
                loose = LOOSE
            if met & home and not home & close:
                worth -= ALIGNED
    return worth - loose
