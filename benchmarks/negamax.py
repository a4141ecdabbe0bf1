"""A negamax of the usual kind for ``abalone.py``, compiled by numba like the product's search."""

from typing import Any, Final

from engine.ai.abalone.evaluation import WON
from engine.ai.abalone.fast import (
    EJECTS,
    RINGS,
    FastSearch,
    bring_best,
    cohesion,
    fast,
    jit,
    moves,
    size,
)
from engine.ai.abalone.fast import LAST_RANK as LAST
from engine.ai.abalone.fast import RANK_BITS as BITS
from engine.ai.abalone.search import INFINITE, TimeUpError
from engine.ai.contract import no_limit
from engine.games.abalone import State

EJECTED: Final = 200
STEP: Final = 8
"""The worth of a marble's step towards the centre."""
PAIR: Final = 4


@jit
def centre(marbles: int) -> int:
    return size(marbles & RINGS[0]) + size(marbles & RINGS[1]) + size(marbles & RINGS[2]) + size(marbles & RINGS[3])


@jit
def worth(mine: int, theirs: int, more: int) -> int:
    """Returns the worth for a side that has ejected so many more."""
    return EJECTED * more + STEP * (centre(mine) - centre(theirs)) + PAIR * (cohesion(mine) - cohesion(theirs))


@jit
def negamax(
    mine: int,
    theirs: int,
    by_me: int,
    by_them: int,
    target: int,
    depth: int,
    ply: int,
    alpha: int,
    beta: int,
    tools: Any,
) -> int:
    """Returns the score for the side to move, within the bounds. At depth 0 and below, only ejections are searched."""
    _, cuts, space, nodes = tools
    if nodes[0] == nodes[1]:
        return 0
    nodes[0] += 1
    best = -INFINITE
    if depth <= 0:
        best = worth(mine, theirs, by_me - by_them)
        if best >= beta or ply > 60:
            return best
        alpha = max(alpha, best)
    found = space[ply]
    count = moves(mine, theirs, -1, cuts, found)
    if not count:
        return ply - WON
    for number in range(count):
        bring_best(found, number, count)
        key = found[number, 0]
        if depth <= 0 and not key & EJECTS:
            break
        ejected = by_me + (key & EJECTS != 0)
        if ejected == target:
            score = WON - ply - 1
        else:
            own, other = mine ^ found[number, 1], theirs ^ found[number, 2]
            score = -negamax(other, own, by_them, ejected, target, depth - 1, ply + 1, -beta, -alpha, tools)
            if nodes[0] == nodes[1]:
                return 0
        best = max(best, score)
        alpha = max(alpha, best)
        if best >= beta:
            if depth > 0:
                cuts[LAST - (key & (1 << BITS) - 1)] += depth * depth
            break
    return best


class Negamax(FastSearch):
    """Searches so many positions."""

    def __init__(self, state: State, positions: int, earlier: frozenset[State]) -> None:
        super().__init__(state, no_limit, earlier)
        self.nodes[1] = positions

    def _negamax(self, state: State, depth: int, ply: int, alpha: int, beta: int) -> int:
        black, white, turn, (by_black, by_white), target = state
        if turn:
            black, white, by_black, by_white = white, black, by_white, by_black
        found = negamax(fast(black), fast(white), by_black, by_white, target, depth, ply, alpha, beta, self.tools)
        if self.nodes[0] == self.nodes[1]:
            raise TimeUpError
        return int(found)
