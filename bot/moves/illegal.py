"""Where on the board a rule forbids what was tried: a cross on the cell that it is about, rings on what was touched."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.core.errors import IllegalMove, RuleError
from engine.core.game import Game, Seat

CROSS: Final = "×"  # noqa: RUF001  the sign is meant
ABOUT: Final = (("to",), ("higher",), ("point",), ("cell",), ("first", "second"))
"""The parameters of a refusal that name the cell it is about; the first of these that there are."""
EXAMPLE: Final = "play"
"""The parameter that names what could be played instead."""


def targets(game: Game[Any, Any], seat: Seat, typed: str, error: RuleError) -> tuple[tuple[str, str], ...]:
    """What to mark on the board for ``seat`` who typed this (see ``View.targets``); nothing for what cannot be read."""
    if not isinstance(error, IllegalMove) or not error.key.startswith(f"{game.key}."):
        return ()
    named = {name: game.cells_in(seat, str(value)) for name, value in error.params.items()}
    if EXAMPLE in named:
        return tuple((cell, "") for cell in dict.fromkeys(named[EXAMPLE]))
    tried = game.cells_in(seat, typed)
    crossed = _crossed(named, tried)
    ringed = [cell for cell in (*tried, *named.get("cell", ()), *named.get("point", ())) if cell not in crossed]
    return tuple((dict.fromkeys(ringed, "") | dict.fromkeys(crossed, CROSS)).items())


def _crossed(named: Mapping[str, Sequence[str]], tried: Sequence[str]) -> Sequence[str]:
    for names in ABOUT:
        if found := [cell for name in names for cell in named.get(name, ())]:
            return found
    return (named.get("step") or tried)[-1:]
