"""Helpers of the tests of Abak's rules."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.abak import GAME, State

Place = Callable[..., State]
"""Makes a position (see the fixture ``place``)."""
FAR = {1: "ss"}
"""Black stones that keep out of the way, so that the game is not over."""


def texts(state: State) -> list[str]:
    """Returns the texts of all legal turns."""
    return [GAME.format(state, steps) for steps, _ in GAME.turns(state)]


def played(state: State, text: str) -> State:
    """Returns the position after a turn, or after its beginning."""
    for step in GAME.parse(state, text):
        state = GAME.apply(state, step)
    return state


def columns(state: State, *points: int) -> tuple[str, ...]:
    return tuple(state.columns[point] for point in points)
