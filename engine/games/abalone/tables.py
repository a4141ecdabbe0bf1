"""Every move that is possible on some board, computed once (abalone.md, Moves)."""

from functools import cache
from typing import Final, NamedTuple

from engine.games.abalone.board import BITS, BOARD, CELLS, NAMES, WIDTH

AXES: Final = (1, WIDTH, WIDTH + 1)
"""The shifts to three neighbours; the negative shifts lead to the other three."""
DIRECTIONS: Final = (*AXES, *(-axis for axis in AXES))
MOST: Final = 3
"""The numbers of own marbles in a move."""
SUMITOS: Final = ((2, 1), (3, 1), (3, 2))
"""Pairs of the number of own marbles and the number of opposing marbles that they push."""


class Step(NamedTuple):
    """A move. In line: the rear marble's cell, nothing, the next cell.

    Broadside: the lower end's cell, the upper end's, and the lower end's destination.
    """

    first: str
    last: str
    to: str


class Play(NamedTuple):
    """The effect of a step on the board."""

    rank: int
    """Its rank in the fixed order of moves: by the first cell, in-line moves before broadside ones."""
    step: Step
    moved: tuple[int, ...]
    """The cells (bits) of the own marbles that move, the rear or lower one first."""
    pushed: tuple[int, ...]
    """The cells of the opposing marbles pushed, the nearest first."""
    shift: int
    """The direction."""
    ejects: bool
    own: int
    """The cells that the mover's marbles leave or enter, to be flipped by exclusive or."""
    other: int
    """The same for the opponent's marbles."""


def shifted(bit: int, by: int) -> int:
    """Shifts the bit by ``by`` places. It may be off the board."""
    return bit << by if by >= 0 else bit >> -by


class Tables(NamedTuple):
    """Every play that is possible on some board, by the lowest cell of its pattern."""

    in_line: dict[tuple[int, int, int, bool], dict[int, Play]]
    """The plays by shift, own and pushed marbles and whether one is ejected; then by anchor.

    The anchor is the end of the pattern (marbles and the cell behind them) with the lowest bit.
    """
    broadside: dict[tuple[int, int, int], dict[int, Play]]
    """The plays by axis, marbles and shift; then by the lower end."""
    exact: dict[tuple[Step, int, int, bool], Play]
    """The plays by step, own and pushed marbles and whether one is ejected."""


@cache
def tables() -> Tables:
    """Computes the tables on first use, in some milliseconds."""
    found = [*_every_in_line(), *_every_broadside()]
    ranks = {step: rank for rank, step in enumerate(sorted({play.step for play in found}))}
    made = Tables({}, {}, {})
    for play in found:
        ranked = play._replace(rank=ranks[play.step])
        own, pushed = len(play.moved), len(play.pushed)
        made.exact[play.step, own, pushed, play.ejects] = ranked
        if play.step.last:
            axis = AXES[[shifted(play.moved[0], axis) for axis in AXES].index(play.moved[1])]
            made.broadside.setdefault((axis, own, play.shift), {})[play.moved[0]] = ranked
        else:
            row = (*play.moved, *play.pushed)
            touched = row if play.ejects else (*row, shifted(row[-1], play.shift))
            made.in_line.setdefault((play.shift, own, pushed, play.ejects), {})[min(touched)] = ranked
    return made


def _every_in_line() -> list[Play]:
    found = []
    for first in CELLS:
        for shift in DIRECTIONS:
            ray = [BITS[first]]
            while (ahead := shifted(ray[-1], shift)) & BOARD:
                ray.append(ahead)
            for own, pushed in ((1, 0), (2, 0), (3, 0), *SUMITOS):
                if len(ray) < max(own + pushed, 2):
                    continue
                ejects = len(ray) == own + pushed
                if ejects and not pushed:
                    continue
                flips = ray[0] | ray[own]
                behind = 0 if ejects else ray[own + pushed]
                other = ray[own] | behind if pushed else 0
                moved, theirs = tuple(ray[:own]), tuple(ray[own : own + pushed])
                step = Step(first, "", NAMES[ray[1]])
                found.append(Play(0, step, moved, theirs, shift, ejects, flips, other))
    return found


def _every_broadside() -> list[Play]:
    found = []
    for first in CELLS:
        for axis in AXES:
            for own in range(2, MOST + 1):
                moved = tuple(shifted(BITS[first], axis * place) for place in range(own))
                for shift in DIRECTIONS:
                    targets = tuple(shifted(bit, shift) for bit in moved)
                    if abs(shift) == axis or not all(bit in NAMES for bit in (*moved, *targets)):
                        continue
                    step = Step(first, NAMES[moved[-1]], NAMES[targets[0]])
                    found.append(Play(0, step, moved, (), shift, False, sum(moved) | sum(targets), 0))
    return found
