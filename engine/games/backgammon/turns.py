"""Every whole turn of a roll, fast (backgammon.md, Turn)."""

from typing import TypeAlias

from engine.games.backgammon.board import State, sides
from engine.games.backgammon.masks import (
    ANYWHERE,
    BIT,
    COUNT,
    HIT,
    MOVES,
    SHIFT,
    Move,
    blots_of,
    free_of,
    occupied_by,
    points,
    sources,
)
from engine.games.backgammon.moves import PASS, moved, placed

_Sides: TypeAlias = tuple[int, int]
_Steps: TypeAlias = tuple[Move, ...]
_Partial: TypeAlias = tuple[int, int, int, int, int, _Steps]
"""A partial turn: the two sides, ``occupied``, ``blots``, the points still allowed, the steps so far."""


def whole_turns(state: State) -> list[tuple[_Steps, State]]:
    """Lists every whole turn from a state with dice, one for each position that it leads to."""
    own, other = sides(state)
    if len(state.dice) == 2 and state.dice[0] != state.dice[1]:
        found = _two_dice(own, other, *state.dice)
    else:
        found = _equal_dice(own, other, state.dice[0], len(state.dice))
    if not found:
        return [((PASS,), placed(own, other, state))]
    fields = state.fields
    if state.turn == 0:
        return [(steps, State(own, other, 1, None, (), False, fields)) for (own, other), steps in found.items()]
    return [(steps, State(other, own, 0, None, (), False, fields)) for (own, other), steps in found.items()]


def _two_dice(own: int, other: int, high: int, low: int) -> dict[_Sides, _Steps]:
    """Finds the steps of every turn with two different dice, by the two sides after it."""
    occupied, free, blots = occupied_by(own), free_of(other), blots_of(other)
    found: dict[_Sides, _Steps] = {}
    begun = sources(occupied, free, high)
    for die, then, known in ((high, low, 0), (low, high, begun)):
        # Turns that begin with the higher die come first. One that begins with the lower leads elsewhere only if its
        # second move was not possible at once: ``known`` leaves the others out.
        for point in points(begun if die == high else sources(occupied, free, low)):
            own1 = own + SHIFT[point][die]
            occupied1 = occupied
            if not own1 & COUNT[point]:
                occupied1 ^= BIT[point]
            other1, blots1 = other, blots
            if point > die:
                occupied1 |= BIT[point - die]
                if blots & BIT[point - die]:
                    other1 += HIT[point - die]
                    blots1 ^= BIT[point - die]
            move = MOVES[point][die]
            for next_point in points(sources(occupied1, free, then) & ~known):
                key = (
                    own1 + SHIFT[next_point][then],
                    other1 + HIT[next_point - then]
                    if next_point > then and blots1 & BIT[next_point - then]
                    else other1,
                )
                if key not in found:
                    found[key] = (move, MOVES[next_point][then])
    if found:
        return found
    for die in (high, low):
        for point in points(sources(occupied, free, die)):
            move = MOVES[point][die]
            found[moved(own, other, move)] = (move,)
        if found:
            break
    return found


def _equal_dice(own: int, other: int, die: int, count: int) -> dict[_Sides, _Steps]:
    """Finds the steps of every turn with equal dice, by the two sides after it.

    Moves go in descending order of their points, so each set of moves occurs only once.
    """
    free = free_of(other)
    reached: list[_Partial] = [(own, other, occupied_by(own), blots_of(other), ANYWHERE, ())]
    for _ in range(count):
        deeper: list[_Partial] = []
        for own0, other0, occupied0, blots0, ceiling, steps in reached:
            for point in points(sources(occupied0, free, die) & ceiling):
                own1 = own0 + SHIFT[point][die]
                occupied1 = occupied0 if own1 & COUNT[point] else occupied0 ^ BIT[point]
                other1, blots1 = other0, blots0
                if point > die:
                    occupied1 |= BIT[point - die]
                    if blots0 & BIT[point - die]:
                        other1 += HIT[point - die]
                        blots1 ^= BIT[point - die]
                deeper.append((own1, other1, occupied1, blots1, 2 * BIT[point] - 1, (*steps, MOVES[point][die])))
        if not deeper:
            break
        reached = deeper
    return {(own1, other1): steps for own1, other1, _, _, _, steps in reached if steps}
