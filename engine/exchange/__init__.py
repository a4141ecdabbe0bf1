"""Games and matches in the formats of other programs (docs/formats.md)."""

from engine.exchange.content import BadLine, Content, Games, Positions
from engine.exchange.formats import FORMATS, Format, detect, extension, has_seal, read, write

__all__ = [
    "FORMATS",
    "BadLine",
    "Content",
    "Format",
    "Games",
    "Positions",
    "detect",
    "extension",
    "has_seal",
    "read",
    "write",
]
