"""The machine that plays backgammon."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final

from engine.ai.backgammon.evaluation import COUNT, features
from engine.ai.chances import Features, Linear
from engine.ai.points import PointsPlayer
from engine.ai.race import HOME
from engine.core.game import Seat
from engine.games.backgammon import Action, State
from engine.games.backgammon.board import BAR, farthest, unpack
from engine.kits.xgid import NO_MATCH

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.ai.networks import Networks

FEW: Final = 5
"""The most checkers of a side with exact chances in a race."""
FAR: Final = 1 << 4
"""The other side in a race of one side alone: one checker, on its own last point."""


@cache
def _networks() -> "Networks":
    from engine.ai.backgammon.inputs import SIGHT
    from engine.ai.networks import Networks

    return Networks(SIGHT, __name__)


class BackgammonPlayer(PointsPlayer[State, Action]):
    temperatures: ClassVar[tuple[float, ...]] = (0.12, 0.087, 0.064, 0.0455, 0.029, 0.15, 0.085, 0.0)
    model: ClassVar[Linear] = Linear.load(__name__)
    size: ClassVar[int] = COUNT
    depth: ClassVar[int] = 2

    def features(self, state: State, mover: Seat) -> Features:
        sides = (state.white, state.black)
        return features(sides[mover], sides[1 - mover])

    @property
    def networks(self) -> "Networks":
        return _networks()

    def positions(self, states: Sequence[State]) -> "NDArray[Any]":
        from engine.ai.backgammon.inputs import positions

        return positions([(state.black, state.white) if state.turn else (state.white, state.black) for state in states])

    def without_cube(self, state: State) -> State:
        return state._replace(fields=NO_MATCH)

    def is_race(self, state: State) -> bool:
        return farthest(state.white) + farthest(state.black) < BAR

    def counts(self, state: State, seat: Seat) -> Sequence[int]:
        return unpack(state.black if seat else state.white)

    def alone(self, state: State, seat: Seat) -> State | None:
        side = (state.white, state.black)[seat]
        if farthest(side) > HOME or sum(unpack(side)[1:]) > FEW:
            return None
        return State(side, FAR, 0)
