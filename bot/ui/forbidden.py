"""Where on the board a rule forbids what was tried: a cross on the cell that it is about, rings on what was touched."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.core.errors import IllegalMove, RuleError
from engine.core.game import Game, Seat
from engine.games.abalone.board import CELLS as ABALONE
from engine.games.apb.board import NAMES as APB

CROSS: Final = "×"  # noqa: RUF001  the sign is meant
LETTERED: Final[Mapping[str, frozenset[str]]] = {"abalone": frozenset(ABALONE), "apb": frozenset(APB)}
"""The boards whose cells have names of their own; on the others everybody counts the points from their own side."""
CELL: Final = re.compile(r"[a-z]\d{1,2}")
POINT: Final = re.compile(r"\b(?:bar|off|\d{1,2})\b")
TIMES: Final = re.compile(r"\(\s*\d\s*\)")
POINTS: Final = 24
ABOUT: Final = (("to",), ("higher",), ("point",), ("cell",), ("first", "second"))
"""The parameters of a refusal that name the cell it is about; the first of these that there are."""
EXAMPLE: Final = "play"
EXAMPLES: Final = frozenset({"apb.principal_must_step", "apb.must_make_room"})
"""Refusals whose ``step`` could be played; elsewhere it is the one that was tried."""
BAR_FIRST: Final = frozenset({"abak.bar_first", "backgammon.bar_first"})


def targets(game: Game[Any, Any], seat: Seat, typed: str, error: RuleError) -> tuple[tuple[str, str], ...]:
    """What to mark on the board for ``seat`` who typed this (see ``View.targets``); nothing for what cannot be read."""
    if not isinstance(error, IllegalMove) or not error.key.startswith(f"{game.key}."):
        return ()
    named = {name: cells(game.key, seat, str(value)) for name, value in error.params.items()}
    tried = cells(game.key, seat, typed)
    if EXAMPLE in named or error.key in EXAMPLES:
        return tuple((cell, "") for cell in dict.fromkeys(named.get(EXAMPLE) or named.get("step", [])))
    crossed = _crossed(error.key, named, tried, seat)
    ringed = [cell for cell in (*tried, *named.get("cell", ()), *named.get("point", ())) if cell not in crossed]
    return tuple((dict.fromkeys(ringed, "") | dict.fromkeys(crossed, CROSS)).items())


def cells(key: str, seat: Seat, text: str) -> list[str]:
    """The cells that a text names, by their absolute names (see ``Mark``), in order; what is none is passed over."""
    text = text.casefold()
    if key in LETTERED:
        return [cell for cell in CELL.findall(text) if cell in LETTERED[key]]
    found = []
    for word in POINT.findall(TIMES.sub("", text)):
        if word.isdecimal() and 1 <= int(word) <= POINTS:
            found.append(str(POINTS + 1 - int(word) if seat else int(word)))
        elif not word.isdecimal():
            found.append(f"{word}{seat}")
    return found


def _crossed(key: str, named: Mapping[str, Sequence[str]], tried: Sequence[str], seat: Seat) -> list[str]:
    if key in BAR_FIRST:
        return [f"bar{seat}"]
    for names in ABOUT:
        if found := [cell for name in names for cell in named.get(name, ())]:
            return found
    return list(named.get("step") or tried)[-1:]
