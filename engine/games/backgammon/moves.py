"""The legal moves, step by step (backgammon.md, Turn). Nothing is checked here: see ``refusals``."""

from functools import lru_cache
from typing import Final, TypeAlias

from engine.core.game import Seat
from engine.games.backgammon.board import OFF, State, sides
from engine.games.backgammon.masks import (
    ANYWHERE,
    BIT,
    HIT,
    MOVES,
    Move,
    free_of,
    occupied_by,
    points,
    sources,
    stepped,
)
from engine.kits.cube import CubeAction
from engine.kits.dice import Roll

Action: TypeAlias = Roll | CubeAction | Move

PASS: Final = Move(0, 0)
"""The one step of a player whose roll cannot be played at all."""


def _most(own: int, occupied: int, free: int, die: int, left: int, ceiling: int) -> int:
    """Counts how many of ``left`` equal dice can be played, from points in the mask ``ceiling`` first.

    Moves of equal dice can always be put in the order of their points, the highest first, so no other order is tried.
    """
    best = 0
    for point in points(sources(occupied, free, die) & ceiling):
        after, standing = stepped(own, occupied, point, die)
        got = 1 + (_most(after, standing, free, die, left - 1, 2 * BIT[point] - 1) if left > 1 else 0)
        if got == left:
            return left
        best = max(best, got)
    return best


def most_dice(own: int, other: int, dice: tuple[int, ...]) -> int:
    """Counts the dice that can be played in one turn."""
    occupied, free = occupied_by(own), free_of(other)
    if len(dice) == 2 and dice[0] != dice[1]:
        first, second = _leading(own, occupied, free, dice[0], dice[1]), _leading(own, occupied, free, dice[1], dice[0])
        if first or second:
            return 2
        return 1 if sources(occupied, free, dice[0]) | sources(occupied, free, dice[1]) else 0
    return _most(own, occupied, free, dice[0], len(dice), ANYWHERE) if dice else 0


def _leading(own: int, occupied: int, free: int, die: int, then: int) -> int:
    """Finds the points, as a mask, from which ``die`` can be played so that ``then`` can be played after it."""
    return sum(
        BIT[point]
        for point in points(sources(occupied, free, die))
        if sources(stepped(own, occupied, point, die)[1], free, then)
    )


@lru_cache(maxsize=512)
def legal_moves(own: int, other: int, dice: tuple[int, ...]) -> tuple[Move, ...]:
    """Lists every next move of a turn with as many dice as possible, and the higher die if only one can be played.

    They are ordered by point, the highest first, then by length, the shortest first. If two dice bear off the same
    checker, this is one move: both are then high enough for every checker left, so the other bears off the next one.
    """
    occupied, free = occupied_by(own), free_of(other)
    if len(dice) == 2 and dice[0] != dice[1]:
        high, low = dice
        by_high, by_low = _leading(own, occupied, free, high, low), _leading(own, occupied, free, low, high)
        if not by_high | by_low:
            by_high = sources(occupied, free, high)
            by_low = 0 if by_high else sources(occupied, free, low)
        moves: list[Move] = []
        for point in points(by_high | by_low):
            if by_low & BIT[point]:
                moves.append(MOVES[point][low])
            if by_high & BIT[point] and not (point <= low and by_low & BIT[point]):
                moves.append(MOVES[point][high])
        return tuple(moves)
    if not dice:
        return ()
    die, left = dice[0], len(dice)
    begins = points(sources(occupied, free, die))
    if left > 1 and len(begins) > 1:
        reach = [_most(*stepped(own, occupied, point, die), free, die, left - 1, ANYWHERE) for point in begins]
        best = max(reach)
        begins = tuple(point for point, got in zip(begins, reach, strict=True) if got == best)
    return tuple(MOVES[point][die] for point in begins)


def dice_that_play(move: Move, dice: tuple[int, ...]) -> tuple[int, ...]:
    """Lists the dice whose number allows this move: the exact one, or larger ones for bearing off."""
    if move.target != OFF:
        return (move.source - move.target,) if move.source - move.target in dice else ()
    return tuple(die for die in dice if die >= move.source)


def die_of(move: Move, dice: tuple[int, ...]) -> int:
    """Returns the die that the move uses: of two that can bear off, the smaller."""
    return dice_that_play(move, dice)[-1]


def hits(other: int, move: Move) -> bool:
    return move.target != OFF and other >> 4 * (25 - move.target) & 15 == 1


def moved(own: int, other: int, move: Move) -> tuple[int, int]:
    if hits(other, move):
        other += HIT[move.target]
    return own + (1 << 4 * move.target) - (1 << 4 * move.source), other


def without(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]


def placed(own: int, other: int, state: State) -> State:
    """Returns the state after the turn of the side to move in ``state``, with these sides."""
    if state.turn == 0:
        return State(own, other, 1, None, (), False, state.fields)
    return State(other, own, 0, None, (), False, state.fields)


def advance(state: State, move: Move) -> State:
    """Returns the state after a legal move or a pass. The turn ends by itself when no further die can be played."""
    seat: Seat = state.turn
    own, other = sides(state)
    if move == PASS:
        return placed(own, other, state)
    dice = without(state.dice, die_of(move, state.dice))
    own, other = moved(own, other, move)
    if not dice:
        return placed(own, other, state)
    occupied, free = occupied_by(own), free_of(other)
    if not any(sources(occupied, free, die) for die in dice):
        return placed(own, other, state)
    white, black = (own, other) if seat == 0 else (other, own)
    return State(white, black, seat, state.roll, dice, False, state.fields)
