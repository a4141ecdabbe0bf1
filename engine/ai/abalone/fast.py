"""The search of ``search.py``, compiled by numba: the same positions in the same order, some forty times as fast.

A set of cells is an integer of 61 bits here, as compiled code has no longer ones. The cell at ``rise`` and ``run`` from
the centre is bit ``13 * rise + run`` modulo 61; so each cell has a bit of its own, and a neighbour is a rotation.
"""

import itertools
from collections.abc import Callable
from typing import Any, Final, TypeVar

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from engine.ai.abalone.evaluation import PAIR, STEP, WITHIN, WON
from engine.ai.abalone.evaluation import ejections as plain_ejections
from engine.ai.abalone.search import AT_LEAST, AT_MOST, EXACT, GAIN, INFINITE, PROMISING, Search, TimeUpError
from engine.ai.contract import Limit
from engine.games.abalone.board import NAMES, ROWS, WIDTH, State
from engine.games.abalone.tables import AXES, DIRECTIONS, SUMITOS, Play, shifted, tables

CELLS: Final = 61
ALL: Final = (1 << CELLS) - 1
RISE: Final = 13
PLIES: Final = 64
"""The most plies that a search looks ahead; of them, ejections beyond its depth take a few."""
DEEPEST: Final = 40
"""The greatest depth of a search."""
MOVES: Final = 512
"""More than a position has moves."""
SLOTS: Final = 1 << 18
"""The number of positions that can be remembered. Each search has a table of its own, and much memory takes long to
get.
"""
TRIES: Final = 8
"""The number of slots in which a position may be."""
OFTEN: Final = 1 << 14
"""The limit is asked after at most so many positions; later in a long search, more rarely."""

F = TypeVar("F")


def jit(function: F) -> F:
    """Compiles the function at its first call, and keeps what is compiled on disk."""
    compiled: F = njit(cache=True)(function)
    return compiled


ejections: Final = jit(plain_ejections)


def _number(cell: str) -> int:
    return (RISE * (ROWS.index(cell[0]) - 4) + int(cell[1:]) - 5) % CELLS


NUMBERS: Final = {bit: _number(cell) for bit, cell in NAMES.items()}


ROW: Final = (1 << WIDTH) - 1


def _row(row: int, marbles: int) -> int:
    return sum(1 << number for bit, number in NUMBERS.items() if bit >> WIDTH * row & ROW & marbles)


SETS: Final = tuple([_row(row, marbles) for marbles in range(ROW + 1)] for row in range(len(ROWS)))
"""For each row, every set of its cells as 61 bits."""


def fast(marbles: int) -> int:
    """Returns a set of the engine's cells as 61 bits."""
    found = 0
    for row in SETS:
        found |= row[marbles & ROW]
        marbles >>= WIDTH
    return found


# The kinds of moves: first those in line by direction, marbles and pushed ones, and whether they eject; then the
# broadside ones by axis, marbles and direction. A move is its kind and its cell: the rear or lower one of its marbles.
LINES: Final = (
    (1, 0, False),
    (2, 0, False),
    (3, 0, False),
    *((own, pushed, ejects) for own, pushed in SUMITOS for ejects in (False, True)),
)
BROADSIDE: Final = len(DIRECTIONS) * len(LINES)


def _moves() -> tuple[Any, Any, Any]:
    """Returns what each move flips of the mover's and of the other's cells, and its rank, by kind and cell."""
    own, other, rank = np.zeros((3, BROADSIDE + 6 * len(DIRECTIONS), CELLS), np.int64)
    kinds = {
        DIRECTIONS.index(shift) * len(LINES) + LINES.index((count, pushed, ejects)): plays
        for (shift, count, pushed, ejects), plays in tables().in_line.items()
    } | {
        BROADSIDE + (2 * AXES.index(axis) + count - 2) * len(DIRECTIONS) + DIRECTIONS.index(shift): plays
        for (axis, count, shift), plays in tables().broadside.items()
    }
    for kind, plays in kinds.items():
        for play in plays.values():
            at = kind, NUMBERS[play.moved[0]]
            own[at], other[at], rank[at] = fast(play.own), fast(play.other), play.rank
    return own, other, rank


FLIPS_OWN, FLIPS_OTHER, RANKS = _moves()
INSIDE: Final = tuple(sum(1 << NUMBERS[bit] for bit in NAMES if shifted(bit, way) in NAMES) for way in DIRECTIONS)
"""The cells with a neighbour, by direction."""
TURNS: Final = (1, RISE, RISE + 1, CELLS - 1, CELLS - RISE, CELLS - RISE - 1)
"""The rotation to the neighbours, by direction."""
RINGS: Final = tuple(fast(ring) for ring in WITHIN)
LAST_RANK: Final = int(RANKS.max())
RANK_BITS: Final = 12
MERIT: Final = 52
"""The key of a move has its rank, how often it was too good, and from this bit on what it pushes and ejects."""
EJECTS: Final = 1 << MERIT + 2
HINTED: Final = 1 << MERIT + 3
ENTRY: Final = np.dtype(
    [("mine", "i8"), ("theirs", "i8"), ("score", "i4"), ("rank", "i2"), ("depth", "i1"), ("bound", "i1")]
)
"""The entry of a position in the table: as ``Search.known``, but of the best move only the rank."""


def _size(context: Any, bits: Any) -> Any:
    del context, bits
    return types.int64(types.int64), lambda _, builder, __, given: builder.ctpop(given[0])


size: Final[Callable[[int], int]] = intrinsic(_size)
"""Counts the bits of a set."""


@jit
def ahead(bits: int, way: int) -> int:
    """Returns the cells whose neighbour in the direction is in the set."""
    turn = TURNS[way]
    return (bits >> turn | bits << CELLS - turn) & INSIDE[way]


@jit
def add(first: int, kind: int, merit: int, hint: int, cuts: Any, found: Any, count: int) -> int:
    """Adds the moves of a kind from these cells to those found, and returns their number then."""
    while first:
        low = first & -first
        first ^= low
        cell = size(low - 1)
        rank = RANKS[kind, cell]
        found[count, 0] = (merit << MERIT | cuts[rank] << RANK_BITS | LAST_RANK - rank) + HINTED * (rank == hint)
        found[count, 1] = FLIPS_OWN[kind, cell]
        found[count, 2] = FLIPS_OTHER[kind, cell]
        count += 1
    return count


@jit
def moves(mine: int, theirs: int, hint: int, cuts: Any, found: Any) -> int:
    """Writes every move to ``found``: a key, which is higher the sooner a move is searched, and what the move flips.

    Returns the number of moves.
    """
    empty = ALL & ~(mine | theirs)
    count = 0
    for way in range(6):
        kind = 9 * way
        empty1 = ahead(empty, way)
        count = add(mine & empty1, kind, 0, hint, cuts, found, count)
        pair = mine & ahead(mine, way)
        if not pair:
            continue
        trio = pair & ahead(pair, way)
        empty2 = ahead(empty1, way)
        empty3 = ahead(empty2, way)
        count = add(pair & empty2, kind + 1, 0, hint, cuts, found, count)
        count = add(trio & empty3, kind + 2, 0, hint, cuts, found, count)
        theirs2 = ahead(ahead(theirs, way), way)
        met = pair & theirs2
        if met:
            edge2 = ahead(ahead(theirs & ~INSIDE[way], way), way)
            edge3 = ahead(edge2, way)
            empty4 = ahead(empty3, way)
            met3 = trio & ahead(theirs2, way)
            met4 = met3 & ahead(ahead(theirs2, way), way)
            count = add(met & empty3, kind + 3, 1, hint, cuts, found, count)
            count = add(met & edge2, kind + 4, 5, hint, cuts, found, count)
            count = add(met3 & empty4, kind + 5, 1, hint, cuts, found, count)
            count = add(met3 & edge3, kind + 6, 5, hint, cuts, found, count)
            count = add(met4 & ahead(empty4, way), kind + 7, 2, hint, cuts, found, count)
            count = add(met4 & ahead(edge3, way), kind + 8, 6, hint, cuts, found, count)
        if way < 3:
            for side in range(6):
                if side % 3 != way:
                    free = ahead(empty, side)
                    two = pair & free & ahead(free, way)
                    kind = BROADSIDE + 12 * way + side
                    count = add(two, kind, 0, hint, cuts, found, count)
                    count = add(two & trio & ahead(two, way), kind + 6, 0, hint, cuts, found, count)
    return count


@jit
def can_eject(mine: int, theirs: int) -> bool:
    for way in range(6):
        pair = mine & ahead(mine, way)
        edge = ahead(ahead(theirs & ~INSIDE[way], way), way)
        if pair & edge:
            return True
        three = pair & ahead(pair, way) & ahead(ahead(ahead(theirs, way), way), way)
        if three & ahead(ahead(edge, way), way):
            return True
    return False


@jit
def steps(marbles: int) -> int:
    return size(marbles & RINGS[0]) + size(marbles & RINGS[1]) + size(marbles & RINGS[2]) + size(marbles & RINGS[3])


@jit
def cohesion(marbles: int) -> int:
    return size(marbles & ahead(marbles, 0)) + size(marbles & ahead(marbles, 1)) + size(marbles & ahead(marbles, 2))


@jit
def evaluate(mine: int, theirs: int, by_me: int, by_them: int) -> int:
    nearer, closer = steps(mine) - steps(theirs), cohesion(mine) - cohesion(theirs)
    return STEP * nearer + PAIR * closer + ejections(by_me) - ejections(by_them)


@jit
def place(table: Any, mine: int, theirs: int) -> int:
    """Returns the index of a position in the table, or that of the entry that it is to replace."""
    home = (mine * 0x1E3779B97F4A7C15 ^ theirs * 0x3C6EF372FE94F82B) >> 32
    for number in range(TRIES):
        index = home + number & len(table) - 1
        if not table[index].mine or (table[index].mine == mine and table[index].theirs == theirs):
            return index
    return home & len(table) - 1


@jit
def bring_best(found: Any, first: int, count: int) -> None:
    """Puts the best of the moves from ``first`` on there."""
    best = first
    for number in range(first + 1, count):
        if found[number, 0] > found[best, 0]:
            best = number
    for column in range(3):
        found[first, column], found[best, column] = found[best, column], found[first, column]


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
    """Does the same as ``Search._negamax``. ``tools`` are those of ``FastSearch``.

    The search is over, and its result is of no use, once it has searched all positions that it may (``nodes``). There
    is no exception for that: it would never give back the memory of ``tools``. A recursive call needs the same types of
    arguments as the first one (no ``True``, no number): numba cannot load functions from its cache that call each
    other.
    """
    table, cuts, space, nodes = tools
    if nodes[0] == nodes[1]:
        return 0
    nodes[0] += 1
    worth, best, floor, chosen = 0, -INFINITE, alpha, -1
    if depth <= 1:
        worth = evaluate(mine, theirs, by_me, by_them)
    if depth <= 0:
        if worth >= beta or not can_eject(mine, theirs):
            return worth
        best, alpha = worth, max(alpha, worth)
    else:
        entry = table[place(table, mine, theirs)]
        if entry.mine == mine and entry.theirs == theirs:
            chosen = int(entry.rank)
            score = int(entry.score)
            bound = entry.bound
            if entry.depth >= depth and (bound == EXACT or (score >= beta if bound == AT_LEAST else score <= alpha)):
                return score
    found = space[ply]
    count = moves(mine, theirs, chosen, cuts, found)
    if not count:
        return ply - WON
    for number in range(count):
        bring_best(found, number, count)
        key = found[number, 0]
        quiet = key < 1 << MERIT
        if depth <= 0 and not key & EJECTS:
            break
        if depth == 1 and number > 0 and quiet and worth + GAIN <= alpha:
            best = max(best, worth + GAIN)
            break
        ejected = by_me + (key & EJECTS != 0)
        own, other = mine ^ found[number, 1], theirs ^ found[number, 2]
        if ejected == target:
            score = WON - ply - 1
        elif depth <= 0 or number == 0:
            score = -negamax(other, own, by_them, ejected, target, depth - 1, ply + 1, -beta, -alpha, tools)
        else:
            score = alpha + 1
            if depth > 2 and number >= PROMISING and quiet:
                score = -negamax(other, own, by_them, ejected, target, depth - 2, ply + 1, -alpha - 1, -alpha, tools)
            if score > alpha:
                score = -negamax(other, own, by_them, ejected, target, depth - 1, ply + 1, -alpha - 1, -alpha, tools)
            if alpha < score < beta:
                score = -negamax(other, own, by_them, ejected, target, depth - 1, ply + 1, -beta, -alpha, tools)
        if nodes[0] == nodes[1]:
            return 0
        if score > best:
            best, chosen = score, LAST_RANK - (key & (1 << RANK_BITS) - 1)
            alpha = max(alpha, best)
            if best >= beta:
                if depth > 0:
                    cuts[chosen] += depth * depth
                break
    if depth > 0:
        entry = table[place(table, mine, theirs)]
        entry.mine, entry.theirs, entry.score, entry.rank, entry.depth = mine, theirs, best, chosen, depth
        entry.bound = AT_LEAST if best >= beta else EXACT if best > floor else AT_MOST
    return best


class FastSearch(Search):
    """As ``Search``. The limit is asked more rarely, and positions are forgotten once there are too many."""

    def __init__(self, state: State, limit: Limit, earlier: frozenset[State] = frozenset(), repeated: int = 0) -> None:
        super().__init__(state, limit, earlier, repeated)
        self.nodes = np.array((0, OFTEN))
        """The number of positions that have been searched, and the one at which to stop."""
        self.tools: tuple[Any, ...] = ()

    def ranked(self, depth: int, margin: int) -> list[tuple[int, Play]]:
        self.tools = (
            np.zeros(SLOTS * ENTRY.itemsize, np.int8).view(ENTRY),
            np.zeros(LAST_RANK + 1, np.int64),
            np.empty((PLIES, MOVES, 3), np.int64),
            self.nodes,
        )
        return super().ranked(min(depth, DEEPEST), margin)

    def _negamax(self, state: State, depth: int, ply: int, alpha: int, beta: int) -> int:
        black, white, turn, (by_black, by_white), target = state
        if turn:
            black, white, by_black, by_white = white, black, by_white, by_black
        mine, theirs = fast(black), fast(white)
        for attempt in itertools.count(1):
            score = negamax(mine, theirs, by_black, by_white, target, depth, ply, alpha, beta, self.tools)
            if self.nodes[0] < self.nodes[1]:
                return int(score)
            if self.limit():
                break
            self.nodes[1] += attempt * OFTEN  # what was found is remembered, so the next attempt is soon as far
        raise TimeUpError
