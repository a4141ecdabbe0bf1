"""The machine that plays backgammon."""

from collections.abc import Sequence
from typing import ClassVar, Final

from engine.ai.backgammon.evaluation import COUNT, features
from engine.ai.chances import Features, Linear
from engine.ai.points import PointsPlayer
from engine.ai.race import HOME
from engine.core.game import Seat
from engine.games.backgammon import Action, State
from engine.games.backgammon.board import BAR, farthest, unpack

FEW: Final = 5
"""The most checkers of a side whose rolls are counted exactly."""
FAR: Final = 1 << 4
"""A side out of the way: one checker, on its own last point."""


class BackgammonPlayer(PointsPlayer[State, Action]):
    temperatures: ClassVar[tuple[float, ...]] = (0.12, 0.08, 0.055, 0.033, 0.0)
    model: ClassVar[Linear] = Linear.load(__name__)
    size: ClassVar[int] = COUNT

    def features(self, state: State, mover: Seat) -> Features:
        sides = (state.white, state.black)
        return features(sides[mover], sides[1 - mover])

    def is_race(self, state: State) -> bool:
        return farthest(state.white) + farthest(state.black) < BAR

    def counts(self, state: State, seat: Seat) -> Sequence[int]:
        return unpack(state.black if seat else state.white)

    def alone(self, state: State, seat: Seat) -> State | None:
        side = (state.white, state.black)[seat]
        if farthest(side) > HOME or sum(unpack(side)[1:]) > FEW:
            return None
        return State(side, FAR, 0)
