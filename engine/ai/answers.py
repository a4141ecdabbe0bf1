"""Answers of machine players to positions, as other programs read them (``docs/machine.md``)."""

from functools import lru_cache
from typing import Any, Final

from engine.ai.choice import choose
from engine.ai.contract import Limit
from engine.ai.players import player
from engine.ai.questions import Question
from engine.kits.cube import CubeAction

_player: Final = lru_cache(maxsize=64)(player)


def answer(question: Question, top: int, limit: Limit) -> dict[str, Any]:
    """Returns the turn or cube action to play and the ``top`` best ones, as JSON values.

    A seat must be to act in the position. Raises RuleError.
    """
    game = question.game
    machine = _player(game, question.level)
    state = game.decode(question.position, question.options)
    earlier = frozenset(game.decode(text, question.options) for text in question.earlier)
    found = machine.candidates(state, limit, earlier)
    chosen = choose(machine, state, found, question.seed)
    best = found[0].value
    answer: dict[str, Any] = {
        "position": question.position,
        "move": game.format(state, chosen.steps),
        "value": _rounded(chosen.value),
        "moves": [{"move": game.format(state, each.steps), "value": _rounded(each.value)} for each in found[:top]],
        "resign": machine.resign(state, best),
        "accept_draw": machine.accept_draw(state, best),
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
