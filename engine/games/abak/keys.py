"""The names of Abak's classes, as message keys.

In a message ``stone`` is the key of a class's name (in refusals of a position text its letter).
"""

from typing import Final

from engine.core.errors import Translated
from engine.games.abak.board import CLASSES

NAMES: Final = {letter: f"abak.stone.{letter}" for letter in CLASSES}


def named(letter: str) -> str:
    """Returns the message parameter for a class, given its letter in either colour."""
    return Translated(f"@{NAMES[letter.upper()]}") if letter.upper() in NAMES else letter
