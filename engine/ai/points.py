"""The player of games of the backgammon family: it estimates the chances after each turn."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, TypeVar

from engine.ai.bearoff import Bearoff, Rolls, first, mean
from engine.ai.chances import WON, WON_BACKGAMMON, WON_GAMMON, Chances, Features, Linear
from engine.ai.contract import Candidate, Limit, Player, no_limit
from engine.ai.cube import CubeValues, Reply, stakes, values, values_by_rolls
from engine.ai.race import rolls, rolls_to_first, surely_less
from engine.core.game import A, Seat
from engine.kits.cube import CubeAction, CubeState
from engine.kits.scoring import BACKGAMMON, GAMMON, SINGLE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.ai.ahead import Ahead
    from engine.ai.networks import Networks

NETWORKS: Final = 6
"""The lowest level at which networks judge."""
REPLIES: Final = 8
"""The lowest level that judges turns by the replies to them."""
RESULTS: Final = {SINGLE: WON, GAMMON: WON_GAMMON, BACKGAMMON: WON_BACKGAMMON}
LIFE: Final = 0.68
"""How alive the cube is in most positions, from 0 to 1 (Janowski's estimate)."""
LIVELY_ROLLS: Final = 8
"""The rolls left from which the cube in a race is as alive as elsewhere. With fewer it is less so, and dead with one.
"""


class PointsState(CubeState, Protocol):
    """The common part of the positions of the family."""

    def __hash__(self) -> int: ...


P = TypeVar("P", bound=PointsState)


class PointsPlayer(Player[P, A]):
    """Values a turn by the position that it leads to, and a cube action by the chances before the roll."""

    model: ClassVar[Linear]
    size: ClassVar[int]
    """The number of features."""
    depth: ClassVar[int]
    """The number of further turns that levels from ``REPLIES`` on look ahead when they choose a play."""

    @abstractmethod
    def features(self, state: P, mover: Seat) -> Features:
        """Returns the features of a position after the turn of ``mover``. The game is not over."""

    @property
    @abstractmethod
    def networks(self) -> "Networks":
        """The networks of the game, for levels from ``NETWORKS`` on."""

    @abstractmethod
    def positions(self, states: Sequence[P]) -> "NDArray[Any]":
        """Returns the states in the form that the networks take, a column for each. A side is to roll in each."""

    @abstractmethod
    def without_cube(self, state: P) -> P:
        """Returns the same position in a single game without a cube."""

    @abstractmethod
    def is_race(self, state: P) -> bool:
        """Returns whether the sides have passed each other."""

    @abstractmethod
    def counts(self, state: P, seat: Seat) -> Sequence[int]:
        """Returns the checkers of the seat on each of its own points. 25 is the bar; the number at 0 has no meaning."""

    @abstractmethod
    def alone(self, state: P, seat: Seat) -> P | None:
        """Returns a race of the seat's checkers alone; None if they are not few and at home.

        They are the first seat's, which is to roll without a cube, and the other side is out of the way. Called in a
        race only.
        """

    @cached_property
    def bearoff(self) -> Bearoff[P, A]:
        return Bearoff(self.game, lambda state: self.alone(state, 0) or state)

    @cached_property
    def ahead(self) -> "Ahead[P, A]":
        from engine.ai.ahead import Ahead

        return Ahead(self)

    def chances(self, state: P, mover: Seat) -> Chances:
        if self.level >= NETWORKS:
            return Chances(*self.ahead.judged([state], mover)[:, 0].tolist())
        known = self.known(state, mover)
        return self.model.chances(self.features(state, mover)) if known is None else known

    def known(self, state: P, mover: Seat) -> Chances | None:
        """Returns the chances of ``mover`` after its turn if they are known exactly: after the end, and in races of few
        checkers.
        """
        if self.game.to_act(state) is None:
            return self.result(state, mover)
        left = self.rolls_left(state)
        return None if left is None else Chances(1 - first(left[1 - mover], left[mover]), 0.0, 0.0)

    def result(self, state: P, mover: Seat) -> Chances:
        outcome = self.game.outcome(self.game.without_score(state))
        won = WON if outcome is None else RESULTS[abs(outcome.points[0]) // state.fields.cube_value]
        return won if outcome is None or outcome.winner == mover else won.turned()

    def rolls_left(self, state: P) -> tuple[Rolls, Rolls] | None:
        """Returns the rolls that each seat needs in a race where both have few checkers left, else None."""
        if not self.is_race(state):
            return None
        white, black = self.alone(state, 0), self.alone(state, 1)
        if white is None or black is None:
            return None
        return self.bearoff.rolls(white), self.bearoff.rolls(black)

    # --- the contract ----------------------------------------------------------------------------------------------

    def candidates(self, state: P, limit: Limit = no_limit, earlier: frozenset[P] = frozenset()) -> list[Candidate[A]]:
        del earlier
        found = self._cube_actions(state) if state.roll is None else self._plays(state, limit)
        return sorted(found, key=lambda candidate: -candidate.value)

    def _plays(self, state: P, limit: Limit) -> list[Candidate[A]]:
        if self.level >= NETWORKS:
            return self.ahead.plays(state, limit, self.depth if self.level >= REPLIES else 0)
        seat = state.turn
        at = stakes(state.fields, seat, state.fields.cube_value)
        found: list[Candidate[A]] = []
        for steps, after in self.game.turns(state):
            found.append(Candidate(steps, at.points * at.equity(self.chances(after, seat))))
            if limit():
                break
        return found

    def _cube_actions(self, state: P) -> list[Candidate[A]]:
        roller = state.turn
        worth = self._cube_values(state, roller)
        sign = 1 if self.game.to_act(state) == roller else -1
        return [
            Candidate((action,), sign * worth.of(action, self._answers(state)))
            for action in self.game.legal(state)
            if isinstance(action, CubeAction)
        ]

    def _cube_values(self, state: P, roller: Seat) -> CubeValues:
        if self.level < NETWORKS or self.known(state, roller) is not None:
            return values(state.fields, roller, self.chances(state, 1 - roller).turned(), self._life(state))
        weights, afters, chances = self.ahead.replies([state], roller, 1, state.fields)
        found = [
            Reply(weight, Chances(*each).turned(), self._life(after))
            for weight, after, each in zip(weights, afters, chances.T.tolist(), strict=True)
        ]
        return values_by_rolls(state.fields, roller, found)

    def _answers(self, state: P) -> list[CubeAction]:
        """Returns the possible answers to the double that is offered or may be offered."""
        for action in self.game.legal(state):
            if action is CubeAction.DOUBLE:
                state = self.game.apply(state, action)
        return [action for action in self.game.legal(state) if isinstance(action, CubeAction)]

    def _life(self, state: P) -> float:
        """Returns how alive the cube is, from 0 to 1."""
        left = self.rolls_left(state)
        if left is None:
            return LIFE
        return LIFE * min(1.0, (min(map(mean, left)) - 1) / (LIVELY_ROLLS - 1))

    def stake(self, state: P) -> float:
        return float(state.fields.cube_value)

    def resign(self, state: P, value: float) -> int | None:
        """Resigns a race that is surely lost, single or as a gammon, if it is sure which of the two."""
        del value
        seat = self.game.to_act(state)
        if seat is None or seat != state.turn or not self.is_race(state):
            return None
        own, other = self.counts(state, seat), self.counts(state, 1 - seat)
        if not surely_less(rolls(other), rolls(own)):
            return None
        points = self.game.resign_values(state, seat)
        if len(points) == 1 or surely_less(rolls_to_first(own), rolls(other)):
            return points[0]
        return points[1] if surely_less(rolls(other), rolls_to_first(own)) else None
