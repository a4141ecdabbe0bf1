"""The legend of a game: each kind of piece, its name and its abilities."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from PIL import Image

from render.canvas.pen import Pen
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, fitted
from render.theme import Theme

PIECE: Final = 88
"""The size of a piece, in pixels."""
_MARGIN: Final = 36
_ROW: Final = 128
_GAP: Final = 14
NAME, ABOUT = 42, 38
"""The text sizes of a name, and of the description."""
_LEFT: Final = _MARGIN + 2 * (PIECE + _GAP) + _GAP
ROOM: Final = WIDTH - _MARGIN - _LEFT
"""The width of a line, at most."""


class LegendRow(NamedTuple):
    """A kind of piece: its pictures (a piece of each side), its name and a few words."""

    pieces: tuple[Image.Image, ...]
    name: str
    about: str


def draw_legend(theme: Theme, rows: Sequence[LegendRow]) -> Image.Image:
    """Draws the picture in full colour (RGB)."""
    pen = Pen(WIDTH, _MARGIN + len(rows) * _ROW, theme.frame)
    pen.panel((_MARGIN / 2, _MARGIN / 2, WIDTH - _MARGIN / 2, _MARGIN / 2 + len(rows) * _ROW), 14, theme.active)
    sheet = Sheet(pen.finish())
    for number, row in enumerate(rows):
        middle = _MARGIN / 2 + (number + 0.5) * _ROW
        for place, piece in enumerate(row.pieces):
            sheet.put(piece, _MARGIN + PIECE / 2 + place * (PIECE + _GAP), middle)
        sheet.text(_LEFT, middle - 27, fitted(row.name, NAME, ROOM, BOLD), NAME, theme.ink, anchor="l", weight=BOLD)
        sheet.text(_LEFT, middle + 27, fitted(row.about, ABOUT, ROOM), ABOUT, theme.ink, anchor="l")
    return sheet.image
