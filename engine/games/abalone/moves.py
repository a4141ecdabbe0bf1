"""All moves of a position, found with bit operations, and the positions after them (abalone.md, Moves)."""

from functools import cache
from operator import itemgetter
from typing import NamedTuple

from engine.games.abalone.board import BOARD, State
from engine.games.abalone.tables import AXES, DIRECTIONS, SUMITOS, Play, tables


class AxisPlan(NamedTuple):
    """The tables of one axis, laid out for ``plays``: forward, then backward."""

    axis: int
    single: tuple[dict[int, Play], dict[int, Play]]
    double: tuple[dict[int, Play], dict[int, Play]]
    triple: tuple[dict[int, Play], dict[int, Play]]
    pushes: tuple[tuple[dict[int, Play], dict[int, Play]], ...]
    """As SUMITOS forward, then backward: tables for pushing into an empty cell, and off the board."""
    top: int
    """The cells with nothing ahead along the axis."""
    bottom: int
    """The cells with nothing behind."""
    sideways: tuple[tuple[int, dict[int, Play], dict[int, Play]], ...]
    """The other directions: index in DIRECTIONS, tables for two and for three marbles."""


@cache
def _plans() -> tuple[AxisPlan, ...]:
    made = tables()

    def lines(axis: int, own: int) -> tuple[dict[int, Play], dict[int, Play]]:
        return made.in_line[axis, own, 0, False], made.in_line[-axis, own, 0, False]

    return tuple(
        AxisPlan(
            axis,
            lines(axis, 1),
            lines(axis, 2),
            lines(axis, 3),
            tuple(
                (made.in_line[way, own, pushed, False], made.in_line[way, own, pushed, True])
                for way in (axis, -axis)
                for own, pushed in SUMITOS
            ),
            BOARD & ~(BOARD >> axis),
            BOARD & ~(BOARD << axis),
            tuple(
                (place, made.broadside[axis, 2, way], made.broadside[axis, 3, way])
                for place, way in enumerate(DIRECTIONS)
                if abs(way) != axis
            ),
        )
        for axis in AXES
    )


def plays(state: State) -> list[Play]:
    """Lists every move of the side to move, in the fixed order, even if the game is over by ejections.

    For each axis the sets are shifted: bit ``c`` of ``mine2`` is set if the cell two ahead of ``c`` is mine. A pattern
    of cells is then an ``and`` of such sets, read from its lowest cell in both directions.
    """
    mine, theirs = (state.white, state.black) if state.turn else (state.black, state.white)
    empty = BOARD & ~(mine | theirs)
    free = [empty >> way if way > 0 else empty << -way for way in DIRECTIONS]
    found: list[tuple[int, dict[int, Play]]] = []
    for axis, single, double, triple, pushes, top, bottom, sideways in _plans():
        mine1 = mine >> axis
        empty1 = empty >> axis
        found += ((mine & empty1, single[0]), (empty & mine1, single[1]))
        pair = mine & mine1
        if not pair:
            continue
        pair1 = pair >> axis
        trio = pair & pair1
        trio1 = trio >> axis
        empty2 = empty1 >> axis
        found += ((pair & empty2, double[0]), (empty & pair1, double[1]))
        if trio:
            found += ((trio & (empty2 >> axis), triple[0]), (empty & trio1, triple[1]))
        met = pair & (theirs >> 2 * axis)
        if met:
            ended = theirs & top
            found += ((met & (empty2 >> axis), pushes[0][0]), (met & (ended >> 2 * axis), pushes[0][1]))
            if trio:
                theirs3 = trio & (theirs >> 3 * axis)
                if theirs3:
                    found += (
                        (theirs3 & (empty2 >> 2 * axis), pushes[1][0]),
                        (theirs3 & (ended >> 3 * axis), pushes[1][1]),
                    )
                    theirs4 = theirs3 & (theirs >> 4 * axis)
                    found += (
                        (theirs4 & (empty2 >> 3 * axis), pushes[2][0]),
                        (theirs4 & (ended >> 4 * axis), pushes[2][1]),
                    )
        met = theirs & pair1
        if met:
            ended = theirs & bottom
            met1 = theirs & trio1
            found += ((empty & (met >> axis), pushes[3][0]), (ended & pair1, pushes[3][1]))
            if met1:
                found += ((empty & (met1 >> axis), pushes[4][0]), (ended & trio1, pushes[4][1]))
                met2 = theirs & (met1 >> axis)
                found += ((empty & (met2 >> axis), pushes[5][0]), (ended & met2, pushes[5][1]))
        for place, two, three in sideways:
            room = free[place]
            arrow = pair & room & (room >> axis)
            if arrow:
                found += ((arrow, two), (arrow & trio & (room >> 2 * axis), three))
    listed: list[Play] = []
    for anchors, table in found:
        rest = anchors
        while rest:
            low = rest & -rest
            listed.append(table[low])
            rest ^= low
    listed.sort(key=itemgetter(0))
    return listed


def after(state: State, play: Play) -> State:
    """Returns the position after a move of the side to move. The move is not checked."""
    black, white, turn, ejected, target = state
    if play.ejects:
        ejected = (ejected[0], ejected[1] + 1) if turn else (ejected[0] + 1, ejected[1])
    if turn:
        return State(black ^ play.other, white ^ play.own, 0, ejected, target)
    return State(black ^ play.own, white ^ play.other, 1, ejected, target)


def can_move(state: State) -> bool:
    """Returns whether the side to move has any move; much faster than listing them.

    If a move without a push is possible, so is one of a single marble: the front one, or any one of a broadside.
    """
    mine = state.white if state.turn else state.black
    empty = BOARD & ~(state.black | state.white)
    for axis in AXES:
        if mine & (empty >> axis | empty << axis):
            return True
    return bool(plays(state))
