"""The palette of every board in every theme, from ``palettes.txt``.

A search takes a tenth of a second and many megabytes, so ``python scripts/palettes.py`` does it once for all.
"""

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from PIL import Image

from render.canvas.board import Board
from render.canvas.sheet import Sheet, palette_of
from render.theme import Theme

FILE: Final = Path(__file__).with_name("palettes.txt")
"""A line for each palette: the game, the theme, and the colours in hexadecimal."""


def palette(game_key: str, board: Board[Any], theme: Theme) -> Image.Image:
    """Reads the board's palette. Searches for it if the file lacks it, as for a game in development."""
    colours = _ready().get((game_key, theme.name))
    if colours is None:
        return searched(board, theme)
    found = Image.new("P", (1, 1))
    found.putpalette(colours)
    return found


def searched(board: Board[Any], theme: Theme) -> Image.Image:
    """Searches for the best palette for the board's samples."""
    samples = []
    for state, view in board.samples().values():
        sheet = Sheet(board.ground(theme, view.below))
        board.paint(sheet, theme, state, view)
        samples.append(sheet.image)
    return palette_of(samples, theme.colours(board.classes), board.colours)


def line(game_key: str, board: Board[Any], theme: Theme) -> str:
    """Writes the line of the file for a palette, after a new search."""
    return f"{game_key} {theme.name} {bytes(searched(board, theme).getpalette() or ()).hex()}"


@lru_cache(maxsize=1)
def _ready() -> dict[tuple[str, str], bytes]:
    words = (each.split() for each in FILE.read_text(encoding="ascii").splitlines())
    return {(game, theme): bytes.fromhex(colours) for game, theme, colours in words}
