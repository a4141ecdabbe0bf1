"""Reads a typed text in a position, or finds the rule that it breaks (backgammon.md, Notation)."""

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import Final, NamedTuple, TypeAlias

from engine.core.errors import AmbiguousMove, BadNotation, IllegalMove
from engine.games.backgammon.board import BAR, OFF, State, over, sides
from engine.games.backgammon.masks import MOVES, Move
from engine.games.backgammon.moves import PASS, Action, advance, die_of, legal_moves, moved, without
from engine.games.backgammon.notation import Typed, take_apart, write
from engine.games.backgammon.refusals import no_checker, no_die, obstacle, refusal
from engine.kits import cube
from engine.kits.dice import Roll, read_roll

_ROLL: Final = re.compile(r"\s*([1-6])[\s,]*([1-6])\s*", re.ASCII)

Hops: TypeAlias = tuple[Move, ...]
"""The hops of a typed turn that are still to be played: ways of one checker, each with one die or more."""


def parse(state: State, text: str) -> tuple[Action, ...]:
    """Reads the steps of a whole turn or of its beginning; for CHANCE the roll. Raises the errors of ``Game.parse``."""
    if over(state):
        raise IllegalMove("backgammon.over")
    call = cube.read(state, text)
    if call is not None:
        if (refused := cube.refusal(state, call)) is not None:
            raise refused
        return (call,)
    if state.roll is None:
        return (_roll(state, text),)
    typed = take_apart(text)
    if typed is None:
        if (refused := refusal(state, PASS)) is not None:
            raise refused
        return (PASS,)
    found: dict[State, tuple[Move, ...]] = {}
    _search(state, tuple(sorted(typed.hops)), (), found, set())
    if not found:
        raise _explained(state, typed)
    fewest = min(map(len, found.values()))
    fitting = {end: steps for end, steps in found.items() if len(steps) == fewest and typed.stars <= hit(state, end)}
    if not fitting:
        raise IllegalMove("backgammon.no_hit", point=min(typed.stars - hit(state, next(iter(found)))))
    if len(fitting) > 1:
        readings = sorted(write(state, steps) for steps in fitting.values())
        raise AmbiguousMove("backgammon.ambiguous", text=text.strip(), readings=readings)
    return next(iter(fitting.values()))


def _roll(state: State, text: str) -> Roll:
    """Reads a typed roll. After the opening the order of its dice does not matter."""
    dice = _ROLL.fullmatch(text)
    due = cube.missing_cube_action(state)
    if dice is None:
        try:
            take_apart(text)
        except BadNotation:
            if due is not None:
                raise BadNotation("cube.unreadable", text=text.strip()) from None
            return read_roll(text.strip())  # it raises the right error
        except IllegalMove:
            if due is None:
                raise
        raise due or IllegalMove("backgammon.roll_first")
    if due is not None:
        raise due
    roll = Roll(int(dice[1]), int(dice[2]))
    return roll if state.opening else Roll(max(roll), min(roll))


def hit(before: State, after: State) -> frozenset[int]:
    """Finds the mover's points on which a checker was hit between two states of one turn."""
    old, new = (before.black, after.black) if before.turn == 0 else (before.white, after.white)
    return frozenset(25 - point for point in range(1, BAR) if old >> 4 * point & 15 > new >> 4 * point & 15)


def _search(
    state: State,
    hops: Hops,
    steps: tuple[Move, ...],
    found: dict[State, tuple[Move, ...]],
    seen: set[tuple[State, Hops]],
) -> None:
    """Searches every way to play all hops, in any order, by legal steps.

    Keeps the first steps found for each end state.
    """
    if not hops:
        found.setdefault(state, steps)
        return
    if not state.dice or (state, hops) in seen:
        return
    seen.add((state, hops))
    for move in legal_moves(*sides(state), state.dice):
        for left in _after(hops, move):
            after = advance(state, move)
            if not left or after.turn == state.turn:
                _search(after, left, (*steps, move), found, seen)


def _after(hops: Hops, move: Move) -> Iterator[Hops]:
    """Yields the hops that remain after a move that begins or completes one of them."""
    for at, hop in enumerate(hops):
        if hop.source == move.source and hop.target <= move.target and hop not in hops[:at]:
            rest = hops[:at] + hops[at + 1 :]
            yield rest if hop.target == move.target else tuple(sorted((*rest, Move(move.target, hop.target))))


# --- explaining -------------------------------------------------------------------------------------------------------


def _explained(state: State, typed: Typed) -> IllegalMove:
    """Explains why no legal turn begins as typed.

    The hops are tried by the rules for single checkers only. If these allow all of them, one of the steps wastes dice;
    otherwise the refusal is that of the first hop that stops the longest attempt.
    """
    tried = _attempt(*sides(state), state.dice, typed.hops, state.roll.told if state.roll else "")
    if tried.reason is not None:
        return tried.reason
    for step in tried.steps:
        if (refused := refusal(state, step)) is not None:
            return refused
        state = advance(state, step)
    raise AssertionError(typed)  # a legal turn would have been found before


class _Tried(NamedTuple):
    """The progress of a typed turn, and the refusal that stopped it; None if nothing did."""

    steps: tuple[Move, ...]
    reason: IllegalMove | None


def _attempt(own: int, other: int, dice: tuple[int, ...], hops: Hops, roll: str) -> _Tried:
    """Plays the hops, in any order, by the rules for single checkers: all of them, or as many as possible."""
    if not hops:
        return _Tried((), None)
    if not dice:
        return _Tried((), IllegalMove("backgammon.too_many_moves", roll=roll))
    best = _Tried((), _hindrance(own, other, dice, hops[0]))
    for at, hop in enumerate(hops):
        for move in _first_moves(hop, dice) if hop not in hops[:at] else ():
            if obstacle(own, other, dice, move) is not None:
                continue
            rest = (Move(move.target, hop.target),) if move.target != hop.target else ()
            left = without(dice, die_of(move, dice))
            tried = _attempt(*moved(own, other, move), left, (*hops[:at], *rest, *hops[at + 1 :]), roll)
            if tried.reason is None or len(tried.steps) >= len(best.steps):
                best = _Tried((move, *tried.steps), tried.reason)
            if best.reason is None:
                return best
    return best


def _first_moves(hop: Move, dice: tuple[int, ...]) -> list[Move]:
    """Lists the moves that can begin a hop so that the dice can complete it; the whole hop if one die can."""
    distance = hop.source - hop.target
    if distance in dice or (hop.target == OFF and max(dice) > distance):
        return [hop]
    moves: list[Move] = []
    for die in dict.fromkeys(dice):
        sums = tuple(accumulate((die, *without(dice, die))))
        if distance in sums or (hop.target == OFF and sums[-1] > distance):
            moves.append(MOVES[hop.source][die])
    return moves


def _hindrance(own: int, other: int, dice: tuple[int, ...], hop: Move) -> IllegalMove | None:
    """Explains why a hop cannot begin; None if it can."""
    if (absent := no_checker(own, hop.source)) is not None:
        return absent
    moves = _first_moves(hop, dice)
    if not moves:
        return no_die(hop, dice)
    reasons = [obstacle(own, other, dice, move) for move in moves]
    return None if None in reasons else reasons[0]
