"""Finds a turn that wins at once, if there is one.

No step of a secondary moves a principal, so the principals stand still until the principal's own step ends the turn.
That step wins in one case only: it goes towards the other principal from at least two cells away, and all other cells
of its line are empty, between the principals and behind the other one. So the search is for steps of secondaries that
clear this line.

A step moves pieces along one line of the board, so it empties at most one cell of the line to be cleared. A turn that
clears ``n`` cells has at least ``n`` steps; the others prepare these. The search deepens by the number of steps.
"""

from typing import Final, NamedTuple

from engine.games.apb.board import State, Step
from engine.games.apb.moves import AROUND, RAYS, advance, occupied

STAR: Final = {mask: sum({*(cell for _, step in around for cell in RAYS[step])}) for mask, around in AROUND.items()}
"""All cells on the lines through a cell, by its mask."""


class Way(NamedTuple):
    """A step of a secondary, with all that decides its effect."""

    target: int
    struck: int
    """The cell whose piece it would strike; 0 off the board."""
    behind: int
    """The cell behind ``struck``, which must be empty for a push; 0 off the board."""
    along: int
    """Every cell that it can change."""
    step: Step


def _way(step: Step) -> Way:
    ray = RAYS[step]
    _, struck, behind, *_ = (*ray, 0, 0)
    return Way(ray[0], struck, behind, 1 << step.origin | sum(ray), step)


WAYS: Final = {mask: tuple(_way(step) for _, step in around) for mask, around in AROUND.items()}
"""The steps from a cell, by its mask."""

EFFORT: Final = 800
"""The number of positions that are searched before a line counts as one that cannot be cleared."""


def line_to_clear(state: State) -> tuple[Step, int] | None:
    """Returns the principal's step towards the other one, and the other cells of its line; None without a
    common line.
    """
    home, other = state.principals[state.turn], state.principals[1 - state.turn]
    for way in WAYS[home]:
        if other & way.along and other != way.target:
            return way.step, way.along ^ home ^ other
    return None


def winning_turn(state: State, effort: int = EFFORT) -> tuple[Step, ...] | None:
    """Returns the steps of a shortest turn that wins at once; None if none was found."""
    found = line_to_clear(state)
    if found is None:
        return None
    last, line = found
    clearing = Clearing(line, effort)
    steps = clearing.shortest(state)
    return None if steps is None else (*steps, last)


def wins(state: State) -> bool:
    return winning_turn(state) is not None


class Clearing:
    """Searches for steps of secondaries that empty the cells of ``line``."""

    def __init__(self, line: int, effort: int) -> None:
        self.line = line
        self.effort = effort
        self.failed: dict[State, int] = {}

    def shortest(self, state: State) -> tuple[Step, ...] | None:
        steps = (state.secondaries[state.turn] & ~state.done).bit_count()
        for most in range((occupied(state) & self.line).bit_count(), steps + 1):
            found = self.within(state, most)
            if found is not None:
                return found
            if self.effort <= 0:
                break
        return None

    def within(self, state: State, most: int) -> tuple[Step, ...] | None:
        """Returns at most ``most`` steps that clear the line, or None if none were found."""
        held = occupied(state)
        line = self.line
        blockers = held & line
        if not blockers:
            return ()
        left = blockers.bit_count()
        if left > most or self.effort <= 0 or self.failed.get(state, 0) >= most:
            return None
        self.effort -= 1
        spare = most - left
        useful = blockers if spare == 0 else stars(blockers) if spare == 1 else -1
        movers = state.secondaries[state.turn] & ~state.done
        while movers:
            mover = movers & -movers
            movers ^= mover
            for target, struck, behind, along, step in WAYS[mover]:
                if target & held:
                    continue
                if not struck & held or behind & held:
                    # The step pushes no piece.
                    if not (mover | target) & useful or ((held ^ mover ^ target) & line).bit_count() >= most:
                        continue
                elif not along & useful:
                    continue
                then = advance(state, step)
                if (occupied(then) & line).bit_count() < most:
                    rest = self.within(then, most - 1)
                    if rest is not None:
                        return (step, *rest)
        self.failed[state] = most
        return None


def stars(blockers: int) -> int:
    """Returns the cells on the lines through the blockers. A step that prepares a removal changes one of them."""
    found = 0
    while blockers:
        blocker = blockers & -blockers
        blockers ^= blocker
        found |= STAR[blocker]
    return found
