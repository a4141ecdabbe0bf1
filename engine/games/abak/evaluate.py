"""A rough worth of a position: the race, with what prisoners and blots may still cost."""

from typing import Final

from engine.core.game import Seat
from engine.games.abak.board import BAR, MIDFIELD, State, pips, seen_from
from engine.games.abak.moves import BLOT, SIDES

POINTS_PER_PIP: Final = 1 / 75
ROLL: Final = 4.0
"""Half the mean of a roll, in pips, for the side to move."""
PRISONER: Final = 18.0
"""What a prisoner costs, in pips."""
EXPOSED: Final = 0.15
"""The part of its way so far that a blot loses, on average; twice in the midfield, where it can be trapped."""
MOST: Final = 2.0


def evaluate(state: State, seat: Seat) -> float:
    """The points that ``seat`` may expect, from -2 to 2."""
    lead = _burden(state, 1 - seat) - _burden(state, seat)
    if not state.opening:
        lead += ROLL if state.turn == seat else -ROLL
    return max(-MOST, min(MOST, lead * POINTS_PER_PIP))


def _burden(state: State, seat: Seat) -> float:
    """The pips still to go, with what is likely to come to them."""
    own, enemy = SIDES[seat], SIDES[1 - seat]
    burden = float(pips(state, seat))
    for point, column in enumerate(seen_from(state.columns, seat)):
        if own.holds[column] and column[-1] not in own.own:
            burden += PRISONER
        elif enemy.faces[column] == BLOT:
            burden += EXPOSED * (BAR - point) * (2 if point in MIDFIELD else 1)
    return burden
