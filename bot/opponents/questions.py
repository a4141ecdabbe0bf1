"""Questions to a machine, and its answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.core.errors import IllegalMove, Refused
from engine.core.game import OptionValue
from engine.core.table import Table

EARLIER: Final = 60
"""The number of latest positions in a question, so that the machine does not repeat them."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question for the best move. A seat must be to act in the position, with no roll and no answer due."""

    game: str
    version: int
    options: Mapping[str, OptionValue]
    """All options, as the record has them."""
    position: str
    level: int
    seed: int
    earlier: tuple[str, ...] = ()
    """Positions that have occurred, in a game that is drawn by repetition."""

    @classmethod
    def about(cls, table: Table[Any, Any], level: int, seed: int) -> "Question":
        """Returns the question for the best move of the seat to act."""
        game, seat = table.game, table.to_act
        reached = [state for state in table.history[-2 * EARLIER :] if game.to_act(state) != seat]
        earlier = tuple(map(game.encode, reached))
        return cls(game.key, game.version, table.options, game.encode(table.state), level, seed, earlier)


@dataclass(frozen=True, slots=True)
class Answer:
    """A machine's answer."""

    position: str
    """The position of the question."""
    move: str
    """The whole turn or the cube action, in the game's notation."""
    value: float
    """The expected result of the side to act: points in games with dice, elsewhere -1 to 1."""
    resign: int | None
    """The points for which the side to act should rather resign."""
    accept_draw: bool
    """Whether the side to act should accept a draw."""


def playable(table: Table[Any, Any]) -> Callable[[Answer], None]:
    """Returns a check that raises RuleError if the seat to act cannot play an answer, or cannot resign for
    its points.
    """

    def check(answer: Answer) -> None:
        game, state, seat = table.game, table.state, table.to_act
        for step in game.parse(state, answer.move):
            state = game.apply(state, step)
        if seat is None or game.to_act(state) == seat:
            raise IllegalMove("table.unfinished", played=answer.move)
        if answer.resign is not None and answer.resign not in game.resign_values(table.state, seat):
            raise Refused("table.resign_points", points=answer.resign, allowed="")

    return check
