"""The cells of a board with 24 points, which each side counts from its own end."""

import re
from typing import Final

from engine.core.game import Seat

POINTS: Final = 24
WORD: Final = re.compile(r"\b(?:bar|off|\d{1,2})\b")
TIMES: Final = re.compile(r"\(\s*\d\s*\)")
"""The repetition count of a play, such as ``(2)``; not a point."""

NUMBERED: Final = re.compile(r"\([0-9]\)|[0-9]+")
"""A repetition count or the number of a point, in the recorded text of a turn."""


def text_for(text: str, mover: Seat, reader: Seat) -> str:
    """The recorded text of a turn, such as ``13/7(2) bar/20``, with its points counted from the reader's end."""
    if mover == reader:
        return text
    return NUMBERED.sub(lambda found: found[0] if found[0][0] == "(" else str(POINTS + 1 - int(found[0])), text)


def cells_in(seat: Seat, text: str) -> tuple[str, ...]:
    """The cells that a text names from the view of ``seat``, by their absolute names (see ``Mark``), in order."""
    found = []
    for word in WORD.findall(TIMES.sub("", text.casefold())):
        if not word.isdecimal():
            found.append(f"{word}{seat}")
        elif 1 <= int(word) <= POINTS:
            found.append(str(POINTS + 1 - int(word) if seat else int(word)))
    return tuple(found)
