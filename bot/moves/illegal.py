"""Marks of an illegal move on the board: a cross on the cell of the refusal, rings on the other cells."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.core.errors import IllegalMove, RuleError
from engine.core.game import Game, Seat

CROSS: Final = "×"  # noqa: RUF001  the multiplication sign is intended
SUBJECT_PARAMS: Final = (("to",), ("higher",), ("point",), ("cell",), ("first", "second"))
"""The parameters of a refusal that name its cell. The first group that is present counts."""
EXAMPLE_PARAM: Final = "play"
"""The parameter with a move that could be played instead."""


def targets(game: Game[Any, Any], seat: Seat, typed: str, error: RuleError) -> tuple[tuple[str, str], ...]:
    """Returns the marks for a move that ``seat`` has typed (see ``View.targets``); empty if no rule of the game forbids
    it.
    """
    if not isinstance(error, IllegalMove) or not error.key.startswith(f"{game.key}."):
        return ()
    named = {name: game.cells_in(seat, str(value)) for name, value in error.params.items()}
    if EXAMPLE_PARAM in named:
        return tuple((cell, "") for cell in dict.fromkeys(named[EXAMPLE_PARAM]))
    tried = game.cells_in(seat, typed)
    crossed = _crossed(named, tried)
    ringed = [cell for cell in (*tried, *named.get("cell", ()), *named.get("point", ())) if cell not in crossed]
    return tuple((dict.fromkeys(ringed, "") | dict.fromkeys(crossed, CROSS)).items())


def _crossed(named: Mapping[str, Sequence[str]], tried: Sequence[str]) -> Sequence[str]:
    for names in SUBJECT_PARAMS:
        if found := [cell for name in names for cell in named.get(name, ())]:
            return found
    return (named.get("step") or tried)[-1:]
