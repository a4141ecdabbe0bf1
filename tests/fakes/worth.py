"""A rough worth of a position of each game: the players of the tests have to bring their games to an end."""

from __future__ import annotations

from typing import Any, Final

from engine.games import abak, backgammon
from engine.games.abak.board import BAR, seen_from
from engine.games.abak.moves import BLOT, SIDES
from engine.games.abalone.board import BITS, ROWS
from engine.games.abalone.tables import AXES

PRISONER: Final = 18.0
"""The cost of a prisoner of Abak, in pips."""
EXPOSED: Final = 0.15
"""The part of its way so far that a blot of Abak loses, on average; twice in the midfield, where it can be trapped."""
CENTRE: Final = 0.03
"""The worth of a step nearer to Abalone's centre, in marbles."""
COHESION: Final = 0.01
"""The worth of two own marbles that touch, in marbles."""


def worth(key: str, state: Any, seat: int) -> float:
    """Returns the worth of a position of that game for ``seat``; 0 for even, and for a game that is not known here."""
    measure = MEASURES.get(key)
    return 0.0 if measure is None else measure(state, seat) - measure(state, 1 - seat)


def _abak(state: Any, seat: int) -> float:
    """Games, by the pips still to go with what is likely to come to them."""
    own, enemy = SIDES[seat], SIDES[1 - seat]
    burden = float(abak.pips(state, seat))
    for point, column in enumerate(seen_from(state.columns, seat)):
        if own.holds[column] and column[-1] not in own.own:
            burden += PRISONER
        elif enemy.faces[column] == BLOT:
            burden += EXPOSED * (BAR - point) * (2 if point in abak.MIDFIELD else 1)
    return -burden / 75


def _distance(cell: str) -> int:
    rise, run = ROWS.index(cell[0]) - 4, int(cell[1]) - 5
    return max(abs(rise), abs(run), abs(rise - run))


DISCS: Final = tuple(sum(bit for cell, bit in BITS.items() if _distance(cell) <= reach) for reach in range(4))
"""The cells within 0 to 3 steps of the centre: a marble counts once for each that it is in."""


def _abalone(state: Any, seat: int) -> float:
    """Marbles: ejected, then near the centre, then together."""
    side = state.white if seat else state.black
    near = sum((side & disc).bit_count() for disc in DISCS)
    touching = sum((side & side >> axis).bit_count() for axis in AXES)
    return state.ejected[seat] + CENTRE * near + COHESION * touching


MEASURES: Final = {
    "abak": _abak,
    "backgammon": lambda state, seat: -backgammon.pips(state, seat) / 100,
    "abalone": _abalone,
    "apb": lambda state, seat: state.secondaries[seat].bit_count() / 16,
}
