"""Questions to machine players, as other programs write them (``docs/machine.md``)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.ai.levels import LEVELS
from engine.core.errors import RuleError
from engine.core.game import Game, Options
from engine.registry import find

FIELDS: Final[dict[str, type | tuple[type, ...]]] = {
    "game": str,
    "version": (int, type(None)),
    "options": dict,
    "position": str,
    "earlier": list,
    "level": int,
    "seed": (str, int),
}


@dataclass(frozen=True, slots=True)
class Question:
    game: Game[Any, Any]
    options: Options
    """All options of the game. The position text depends on them."""
    position: str
    level: int
    seed: str
    earlier: tuple[str, ...] = ()
    """Positions that have occurred, in a game that is drawn by repetition."""


def complete(game: Game[Any, Any], given: Options) -> Options:
    """Returns all options of a game, with a cube unless ``given`` says otherwise. Raises RuleError."""
    cube = {"cube": "on"} if any(option.key == "cube" for option in game.options) else {}
    return game.settle_options(cube | dict(given))


def read(line: str, defaults: Mapping[str, Any]) -> Question:
    """Reads a question from a line, which is a JSON object of ``FIELDS``.

    ``defaults`` has values for the fields that the line leaves out. Raises RuleError.
    """
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise RuleError("think.unreadable")
    told = {"version": None, "earlier": [], **defaults, **told}
    wrong = [name for name, kind in FIELDS.items() if not isinstance(told.get(name), kind)]
    wrong += [name for name in told if name not in FIELDS]
    if not wrong:
        wrong += ["options"] * (not all(isinstance(value, str | int) for value in told["options"].values()))
        wrong += ["earlier"] * (not all(isinstance(text, str) for text in told["earlier"]))
        wrong += ["level"] * (told["level"] not in LEVELS)
    if wrong:
        raise RuleError("think.field", field=wrong[0])
    game = find(told["game"], told["version"])
    options = complete(game, told["options"])
    return Question(game, options, told["position"], told["level"], str(told["seed"]), tuple(told["earlier"]))
