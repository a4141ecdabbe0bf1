"""Whole turns of one side. There are millions, so only the most promising beginnings are continued."""

from collections.abc import Callable
from operator import itemgetter
from typing import Final, NamedTuple, TypeAlias

from engine.ai.contract import Limit
from engine.games.apb.board import PASS, State, Step
from engine.games.apb.moves import advance, legal

NONE: Final = -1_000_000
"""The worth of a beginning that the principal cannot end without leaving the board."""
MOST: Final = 8_000
"""The number of beginnings that ``first_turn`` tries; usually enough for all, with at most four secondaries."""
WORTH: Final = itemgetter(0)

Evaluation: TypeAlias = Callable[[State], int]
"""Returns the worth of a position with both principals on the board, for the side that is not to move."""


class Turn(NamedTuple):
    worth: int
    steps: tuple[Step, ...]
    after: State


class Beginning(NamedTuple):
    """Steps of secondaries, with the best worth of a turn that the principal ends now."""

    worth: int
    steps: tuple[Step, ...]
    state: State


def promising(state: State, width: int, longest: int, limit: Limit, evaluate: Evaluation) -> list[Turn]:
    """Returns turns that leave both principals on the board, one for each resulting position, the best first.

    Of the beginnings with the same number of steps, at most ``longest``, the best ``width`` are continued.
    """
    found: dict[State, Turn] = {}
    seen = {state}
    beam = [_begun((), state, found, evaluate)]
    for _ in range(longest):
        further: list[Beginning] = []
        for _, before, at in beam:
            for step in _divided(at)[0]:
                then = advance(at, step)
                if then not in seen:
                    seen.add(then)
                    further.append(_begun((*before, step), then, found, evaluate))
            if limit():
                return sorted(found.values(), key=WORTH, reverse=True)
        further.sort(key=WORTH, reverse=True)
        beam = further[:width]
    return sorted(found.values(), key=WORTH, reverse=True)


def first_turn(state: State, accept: Callable[[State], bool], limit: Limit, evaluate: Evaluation) -> list[Turn]:
    """Returns a shortest turn to a position that ``accept`` takes, with both principals on the board; [] if none was
    found.
    """
    layer: dict[State, tuple[Step, ...]] = {state: ()}
    left = MOST
    while layer:
        further: dict[State, tuple[Step, ...]] = {}
        for at, before in layer.items():
            found: dict[State, Turn] = {}
            _begun(before, at, found, evaluate)
            for after, turn in found.items():
                if accept(after):
                    return [turn]
            left -= 1
            if not left or limit():
                return []
            for step in _divided(at)[0]:
                further.setdefault(advance(at, step), (*before, step))
        layer = further
    return []


def _begun(steps: tuple[Step, ...], state: State, found: dict[State, Turn], evaluate: Evaluation) -> Beginning:
    """Returns the beginning with these steps, which lead to ``state``, and adds the turns that end now to ``found``."""
    best = NONE
    side = state.turn
    for last in _divided(state)[1]:
        after = advance(state, last)
        if after.principals[side] and after.principals[1 - side]:
            turn = found.get(after)
            if turn is None:
                turn = found[after] = Turn(evaluate(after), (*steps, last), after)
            best = max(best, turn.worth)
    return Beginning(best, steps, state)


def _divided(state: State) -> tuple[list[Step], list[Step]]:
    """Returns the legal steps of the secondaries, and the steps that end the turn."""
    steps = legal(state)
    home = state.principals[state.turn].bit_length() - 1
    for place, step in enumerate(steps):
        if step.origin == home or step == PASS:
            return steps[:place], steps[place:]
    return steps, []
