"""The machine that plays Abak Evolution Backgammon."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final

from engine.ai.abak.evaluation import COUNT, farthest, features
from engine.ai.chances import Features, Linear
from engine.ai.points import PointsPlayer
from engine.ai.race import HOME
from engine.core.game import Seat
from engine.games.abak import Choice, State
from engine.games.abak.board import BAR, TRAY, letters, seen_from
from engine.kits.xgid import NO_MATCH

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from engine.ai.networks import Networks

FEW: Final = 3
"""The most stones of a side with exact chances in a race."""
AWAY: Final = ("",) * 17 + ("s",)
"""The points beyond the home in a race of one side alone: the other side has one stone, on its own last point."""


@cache
def _networks() -> "Networks":
    from engine.ai.abak.inputs import SIGHT
    from engine.ai.networks import Networks

    return Networks(SIGHT, __name__)


class AbakPlayer(PointsPlayer[State, Choice]):
    temperatures: ClassVar[tuple[float, ...]] = (0.5, 0.28, 0.187, 0.105, 0.0, 0.14, 0.06, 0.0)
    model: ClassVar[Linear] = Linear.load(__name__)
    size: ClassVar[int] = COUNT
    depth: ClassVar[int] = 1

    def features(self, state: State, mover: Seat) -> Features:
        return features(state, mover)

    @property
    def networks(self) -> "Networks":
        return _networks()

    def positions(self, states: Sequence[State]) -> "NDArray[Any]":
        from engine.ai.abak.inputs import positions

        return positions(
            (
                state.turn,
                seen_from(state.columns, state.turn),
                (state.bar[state.turn], state.bar[1 - state.turn]),
                (len(state.off[state.turn]), len(state.off[1 - state.turn])),
            )
            for state in states
        )

    def without_cube(self, state: State) -> State:
        return state._replace(fields=NO_MATCH)

    def is_race(self, state: State) -> bool:
        return farthest(state, 0) + farthest(state, 1) < BAR

    def counts(self, state: State, seat: Seat) -> Sequence[int]:
        own = letters(seat)
        on_board = (sum(stone in own for stone in column) for column in seen_from(state.columns, seat))
        return [*on_board, len(state.bar[seat])]

    def alone(self, state: State, seat: Seat) -> State | None:
        home = [column.upper() for column in seen_from(state.columns, seat)[: HOME + 1]]
        left = sum(map(len, home))
        if left > FEW or left + len(state.off[seat]) < len(TRAY[seat]):
            return None
        return State((*home, *AWAY), ("", ""), (state.off[seat].upper(), TRAY[1][1:]), 0, None, ())
