"""What the classes of Abak are called, in message keys.

In a message ``stone`` is the key of a class's name (in refusals of a position text its letter).
"""

from typing import Final

from engine.core.errors import Translated
from engine.games.abak.board import CLASSES

NAMES: Final = {letter: f"abak.stone.{letter}" for letter in CLASSES}
"""The key of each class's name."""


def named(letter: str) -> str:
    """The message parameter for a class, given its letter in either colour."""
    return Translated(f"@{NAMES[letter.upper()]}") if letter.upper() in NAMES else letter
