"""The answer of a machine player to a position, as other programs read it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.ai.choice import choose
from engine.ai.contract import Limit, Player
from engine.core.game import OptionValue
from engine.kits.cube import CubeAction


@dataclass(frozen=True, slots=True)
class Thinker:
    """A player with what is the same for all positions that it is asked about."""

    player: Player[Any, Any]
    options: Mapping[str, OptionValue]
    """The options of the game, complete: what a position text leaves out."""
    seed: str
    top: int
    """How many candidates are told, the best first."""

    def answer(self, text: str, limit: Limit) -> dict[str, Any]:
        """The turn to play from a position text, or the cube action. A seat acts there. Raises RuleError."""
        game = self.player.game
        state = game.decode(text, self.options)
        found = self.player.candidates(state, limit)
        chosen = choose(self.player, state, found, self.seed)
        best = found[0].value
        answer: dict[str, Any] = {
            "position": text,
            "move": game.format(state, chosen.steps),
            "value": _rounded(chosen.value),
            "moves": [
                {"move": game.format(state, each.steps), "value": _rounded(each.value)} for each in found[: self.top]
            ],
            "resign": self.player.resign(state, best),
            "accept_draw": self.player.accept_draw(state, best),
        }
        action = chosen.steps[0]
        if action in {CubeAction.ROLL, CubeAction.DOUBLE}:
            answer["double"] = action is CubeAction.DOUBLE
        elif isinstance(action, CubeAction):
            answer["take"] = action is not CubeAction.PASS
            answer["beaver"] = action is CubeAction.BEAVER
        return answer


def _rounded(value: float) -> float:
    return round(value, 4)
