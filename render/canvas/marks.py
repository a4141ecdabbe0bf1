"""Marks on a board: the last play, the draft, and the targets that may be chosen.

Every mark has a dark and a light line, so that it is visible on any ground. One colour has one meaning: the last play
is amber, a draft green, and a white glow surrounds movable pieces. Their targets are squares, as no piece is one. The
other marks stand around pieces, never on them. The last play has thin lines, a draft thicker ones; empty outlines mark
the places that pieces left.
"""

from functools import lru_cache
from typing import Final

from PIL import Image

from render.canvas.pen import HARD, Pen, Point, star
from render.canvas.sheet import Sheet
from render.canvas.text import BOLD
from render.theme import Colour, Theme

LAST: Final = "last"
CHOSEN: Final = "chosen"
DOT: Final = "\u2022"
"""The text of a target that is chosen by the name of its cell."""
REFUSED: Final = "×"  # noqa: RUF001  the multiplication sign is intended
"""The text of the target of a refusal."""
_BESIDE: Final = 0.4
"""The distance of a small cross from the middle of a piece, to the right and upwards, as a share of its size."""

_LETTERS: Final = {1: 0.72, 2: 0.6, 3: 0.46}
"""The size of a text on a badge, by its number of letters, as a share of the badge."""


def colour_of(theme: Theme, layer: str) -> Colour:
    return theme.chosen if layer == CHOSEN else theme.last


def casing(theme: Theme, layer: str) -> Colour:
    """Returns the colour of the line around a mark: dark around a light colour, light around a dark one."""
    red, green, blue = (int(colour_of(theme, layer)[i : i + 2], 16) for i in (1, 3, 5))
    return "#12161a" if 0.3 * red + 0.59 * green + 0.11 * blue > 128 else "#ffffff"


@lru_cache(maxsize=128)
def outline(theme: Theme, layer: str, size: int) -> Image.Image:
    """Draws a thin ring around a piece of ``size`` pixels, outside its rim."""
    line = 6 if layer == CHOSEN else 4
    whole = size + 2 * (line + 3)
    pen, middle = Pen(whole, whole, edges=HARD), whole / 2
    pen.ring(middle, middle, middle, line + 3, casing(theme, layer))
    pen.ring(middle, middle, middle - 1.5, line, colour_of(theme, layer))
    return pen.finish()


@lru_cache(maxsize=128)
def ghost(theme: Theme, layer: str, size: int) -> Image.Image:
    """Draws the empty outline of a piece of ``size`` pixels at its former place."""
    middle, line = size / 2, 6 if layer == CHOSEN else 4
    pen = Pen(size, size, edges=HARD)
    pen.ring(middle, middle, middle, line + 3, casing(theme, layer))
    pen.ring(middle, middle, middle - 1.5, line, colour_of(theme, layer))
    return pen.finish()


@lru_cache(maxsize=32)
def choosable(theme: Theme, size: int) -> Image.Image:
    """Draws the white glow around a movable piece of ``size`` pixels, outside its rim; a dark line bounds it."""
    glow, line = 5, 4
    whole = size + 2 * (glow + line)
    pen, middle = Pen(whole, whole, edges=HARD), whole / 2
    pen.ring(middle, middle, middle, line + 1, theme.target)
    pen.ring(middle, middle, middle - line, glow, theme.target_ink)
    return pen.finish()


@lru_cache(maxsize=32)
def badge(theme: Theme, size: int) -> Image.Image:
    """Draws the square behind a target's letter."""
    return _square(theme, size).finish()


def _square(theme: Theme, size: int) -> Pen:
    pen, corner = Pen(size, size, edges=HARD), size * 0.22
    for inset, colour in ((0, theme.target), (2, theme.target_ink), (6, theme.target)):
        pen.panel((inset, inset, size - inset, size - inset), corner - inset * 0.6, colour)
    return pen


@lru_cache(maxsize=32)
def refused(theme: Theme, size: int) -> Image.Image:
    """Draws the badge of a refusal, with a cross of lines: a letter of its size would be too thin."""
    pen, low, high = _square(theme, size), size * 0.32, size * 0.68
    for line in ([(low, low), (high, high)], [(low, high), (high, low)]):
        pen.line(line, size * 0.12, theme.target_ink)
    return pen.finish()


def draw_target(sheet: Sheet, theme: Theme, at: Point, text: str, size: int, *, held: bool, name: str = "") -> None:
    """Draws a target: without ``text`` a ring around a piece of ``size`` pixels, otherwise a badge with the text.

    The badge is smaller on an occupied place (``held``), so that the rim of the piece stays visible all around. A dot
    means that the choice has the name of its cell: on a board without names, the badge has its ``name``. A refusal is
    about the piece in its cell: the cross stands at its upper right, so that the piece stays visible.
    """
    if text == REFUSED:
        beside = _BESIDE * size if held else 0
        sheet.put(refused(theme, round(size * (0.52 if held else 0.84))), at[0] + beside, at[1] - beside)
        return
    if not text:
        sheet.put(choosable(theme, size), *at)
        return
    shown = name if name and text == DOT else text[:2]
    wide = round(size * (0.7 if held and len(shown) < 3 else 0.84))
    sheet.put(badge(theme, wide), *at)
    sheet.text(*at, shown, round(wide * _LETTERS[min(len(shown), 3)]), theme.target_ink, weight=BOLD)


@lru_cache(maxsize=32)
def burst(theme: Theme, size: int) -> Image.Image:
    """Draws a small star for a hit."""
    pen, middle = Pen(size, size, edges=HARD), size / 2
    pen.shape(star(middle, middle, middle, middle * 0.56, 8), "#ffffff")
    pen.shape(star(middle, middle, middle * 0.82, middle * 0.42, 8), theme.hit)
    return pen.finish()


@lru_cache(maxsize=32)
def cross(theme: Theme, size: int) -> Image.Image:
    """Draws a small cross for a piece that left the board."""
    pen, low, high = Pen(size, size, edges=HARD), size * 0.26, size * 0.74
    pen.disc(size / 2, size / 2, size / 2, "#ffffff")
    pen.disc(size / 2, size / 2, size / 2 - 2, theme.hit)
    for line in ([(low, low), (high, high)], [(low, high), (high, low)]):
        pen.line(line, size * 0.12, "#ffffff")
    return pen.finish()


@lru_cache(maxsize=32)
def lock(theme: Theme, size: int) -> Image.Image:
    """Draws a small padlock for a trapped piece."""
    pen, middle = Pen(size, size, edges=HARD), size / 2
    pen.disc(middle, middle, middle, "#ffffff")
    pen.disc(middle, middle, middle - 2, theme.hit)
    pen.ring(middle, size * 0.42, size * 0.18, size * 0.08, "#ffffff")
    pen.panel((size * 0.26, size * 0.42, size * 0.74, size * 0.76), size * 0.06, "#ffffff")
    return pen.finish()


@lru_cache(maxsize=8)
def pill(theme: Theme, layer: str, wide: int, high: int) -> Image.Image:
    """Draws the background of a number that has just changed."""
    pen = Pen(wide, high, edges=HARD)
    pen.panel((0, 0, wide, high), high / 2, casing(theme, layer))
    pen.panel((2, 2, wide - 2, high - 2), high / 2 - 2, colour_of(theme, layer))
    return pen.finish()
