"""Functions over any game: whole turns, menus of choices, perft."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Generic

from engine.core.game import CHANCE, A, Game, S


@dataclass(frozen=True, slots=True)
class Choice(Generic[A]):
    """A line of a menu: its word, the steps whose paths continue with it, and the step that it completes, if any."""

    word: str
    steps: tuple[A, ...]
    step: A | None


def menu(game: Game[S, A], state: S, chosen: Sequence[str] = ()) -> list[Choice[A]]:
    """Lists the choices after the ``chosen`` words of a path, in the order of ``legal``; empty if no path begins so."""
    depth = len(chosen)
    below: dict[str, list[A]] = {}
    whole: dict[str, A] = {}
    for step in game.legal(state):
        path = game.path(state, step)
        if path[:depth] == tuple(chosen) and len(path) > depth:
            below.setdefault(path[depth], []).append(step)
            if len(path) == depth + 1:
                whole[path[depth]] = step
    return [Choice(word, tuple(steps), whole.get(word)) for word, steps in below.items()]


def perft(game: Game[S, A], state: S, depth: int) -> int:
    """Counts the paths of ``depth`` distinct turns from ``state``; of steps, if turns are not enumerated.

    CHANCE adds no depth: its outcomes are summed, unweighted. A finished game is not expanded.
    """
    if depth == 0:
        return 1
    if game.to_act(state) == CHANCE:
        return sum(perft(game, game.apply(state, roll), depth) for roll in game.legal(state))
    if not game.enumerates_turns:
        steps = game.legal(state)
        return len(steps) if depth == 1 else sum(perft(game, game.apply(state, step), depth - 1) for step in steps)
    turns = game.turns(state)
    return len(turns) if depth == 1 else sum(perft(game, after, depth - 1) for _, after in turns)


MAX_FIRST_STEPS: Final = 4
"""The most different first steps of a forced turn: four equal dice, played in any order."""


def forced_turn(game: Game[S, A], state: S) -> tuple[A, ...] | None:
    """Returns the steps of the whole turn if the seat to act can reach only one position, else None."""
    if game.enumerates_turns:
        if len(game.legal(state)) > MAX_FIRST_STEPS:
            return None
        turns = game.turns(state)
        return turns[0][0] if len(turns) == 1 else None
    actor = game.to_act(state)
    steps: list[A] = []
    while game.to_act(state) == actor:
        legal = game.legal(state)
        if len(legal) != 1:
            return None
        steps.append(legal[0])
        state = game.apply(state, legal[0])
    return tuple(steps)


def walk(
    game: Game[S, A], state: S, choose: Callable[[Sequence[A], Sequence[int]], A], limit: int = 100_000
) -> Iterator[tuple[S, A]]:
    """Plays a game from ``state``: ``choose(steps, weights)`` picks each step. Yields each state and the step taken."""
    for _ in range(limit):
        if game.to_act(state) is None:
            return
        steps = game.legal(state)
        step = choose(steps, [game.weight(state, step) for step in steps])
        yield state, step
        state = game.apply(state, step)
