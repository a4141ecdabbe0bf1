"""The contract of machine players: which turns a player finds in a position, and what each is worth.

A player is pure. It has no clock, so the caller says when time is up. It has no luck of its own, so it answers the same
about the same position each time. ``choice`` decides which of the candidates is played.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final, Generic, TypeAlias

from engine.core.game import A, Game, S

Limit: TypeAlias = Callable[[], bool]
"""Returns whether time is up. A player asks now and then, and answers soon after with what it has found so far."""
REPEATED: Final = -0.2
"""The most that a turn to an earlier position is worth. A player that is not behind looks for another turn."""


def no_limit() -> bool:
    """Never says that time is up."""
    return False


@dataclass(frozen=True, slots=True)
class Candidate(Generic[A]):
    """A whole turn that can be played, with its value."""

    steps: tuple[A, ...]
    """The turn's steps. A cube action is a turn of one step, as in the rules."""
    value: float
    """The expectation of the side to act: points, with the cube counted, in games with dice; from -1 to 1 in others."""


class Player(ABC, Generic[S, A]):
    """A machine that plays one game at one level."""

    temperatures: ClassVar[tuple[float, ...]]
    """How much value a choice risks (see ``choice``), for each level from level 1 on. The player has as many levels."""

    def __init__(self, game: Game[S, A], level: int) -> None:
        """Takes a level above the player's highest as its highest."""
        self.game = game
        self.level = min(level, len(self.temperatures))
        self.temperature = self.temperatures[self.level - 1]

    @abstractmethod
    def candidates(self, state: S, limit: Limit = no_limit, earlier: frozenset[S] = frozenset()) -> list[Candidate[A]]:
        """Returns whole turns of the side to act, the best first: at least one, all different and legal.

        A seat acts in ``state``. Where the cube may be turned or a double is answered, the candidates are cube actions.
        ``earlier`` has the positions that have occurred, in a game that is drawn by repetition (see ``REPEATED``).
        """

    def less_repeated(self, state: S, found: list[Candidate[A]], earlier: frozenset[S]) -> list[Candidate[A]]:
        """Returns the candidates, the best first, with those that lead to an ``earlier`` position worth ``REPEATED`` at
        most.
        """
        if not earlier:
            return found

        def value(candidate: Candidate[A]) -> float:
            after = state
            for step in candidate.steps:
                after = self.game.apply(after, step)
            return min(candidate.value, REPEATED) if after in earlier else candidate.value

        return sorted((Candidate(one.steps, value(one)) for one in found), key=lambda one: -one.value)

    def stake(self, state: S) -> float:
        """Returns the unit of temperatures: what the game is about in ``state``, such as the cube's value."""
        del state
        return 1.0

    def resign(self, state: S, value: float) -> int | None:
        """Returns the points that the side to act should resign for, or None to play on; ``value`` is its best
        candidate's.
        """
        del state, value
        return None

    def accept_draw(self, state: S, value: float) -> bool:
        """Returns whether the side to act should accept a draw; ``value`` is its best candidate's."""
        del state
        return value <= 0
