"""Players for tests: they bring a game to its end in few turns, from any position, always in the same way."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fakes.worth import worth

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.core.game import Game

WIN = 1e9


@dataclass
class Greedy:
    """Takes the turn (where turns are too many: each step) that leads to the best position by ``worth``.

    Where checkers are hit it hits as little as it can: two who always hit would never come home. Before turn `patience`
    it does not win by a single turn, so that games last long enough to be worth a test.
    """

    seed: int = 0
    patience: int = 0
    turns: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def turn(self, game: Game[Any, Any], state: Any) -> tuple[Any, ...]:
        """Returns a whole turn for the seat to act."""
        seat = game.to_act(state)
        assert seat in {0, 1}
        self.turns += 1
        if game.enumerates_turns:
            return max(
                game.turns(state), key=lambda turn: self._worth(game, turn[1], seat) - hits(game, state, turn[0])
            )[0]
        steps = []
        while game.to_act(state) == seat:
            after = {step: game.apply(state, step) for step in game.legal(state)}
            step = max(
                after, key=lambda step: self._worth(game, after[step], seat) + self._ends(game, after[step], seat)
            )
            steps.append(step)
            state = after[step]
        return tuple(steps)

    def _worth(self, game: Game[Any, Any], state: Any, seat: int) -> float:
        outcome = game.outcome(state)
        won = 0 if outcome is None else outcome.points[seat]
        if won > 0 and self.turns <= self.patience:
            won = -1
        return WIN * won + worth(game.key, state, seat) + self._random.random() / 1000

    def _ends(self, game: Game[Any, Any], state: Any, seat: int) -> float:
        """Returns a small bonus for a turn that ends."""
        return 0.0 if game.to_act(state) == seat else 0.01


def hits(game: Game[Any, Any], state: Any, steps: Sequence[Any]) -> int:
    """Counts the checkers that a turn sends back."""
    found = 0
    for step in steps:
        found += sum(mark.kind == "hit" for mark in game.marks(state, step))
        state = game.apply(state, step)
    return found
