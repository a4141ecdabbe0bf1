"""The cells of a board with 24 points, which each side counts from its own end."""

import re
from typing import Final

from engine.core.game import Seat

POINTS: Final = 24
WORD: Final = re.compile(r"\b(?:bar|off|\d{1,2})\b")
TIMES: Final = re.compile(r"\(\s*\d\s*\)")
"""The repetition count of a play, such as ``(2)``; not a point."""


def cells_in(seat: Seat, text: str) -> tuple[str, ...]:
    """Reads the cells of a text from the view of ``seat``, by their absolute names (see ``Mark``), in order."""
    found = []
    for word in WORD.findall(TIMES.sub("", text.casefold())):
        if not word.isdecimal():
            found.append(f"{word}{seat}")
        elif 1 <= int(word) <= POINTS:
            found.append(str(POINTS + 1 - int(word) if seat else int(word)))
    return tuple(found)
