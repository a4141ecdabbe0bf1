"""Abak's stones: each class has a symbol and a colour (abak.md, Classes). A soldier is a plain checker."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from PIL import Image

from engine.core.game import Seat
from render.canvas.pen import HARD, Pen, Point, bend, shadowed
from render.canvas.pieces import blank, checker, side_of
from render.theme import Colour, Theme

ORDER: Final = "GKDEO"
"""The classes in the order of ``Theme.classes``: guard, general (king), druid, even and odd wounded."""


def accent(theme: Theme, letter: str) -> Colour:
    """Returns the colour of a class on its side's stones; a soldier has none."""
    return theme.classes[ORDER.index(letter.upper())][letter.islower()]


def _shield(pen: Pen, x: float, y: float, unit: float, colour: Colour, ground: Colour) -> None:
    top, foot = y - 0.92 * unit, y + 1.05 * unit
    wide = 0.82 * unit
    right = bend(
        (x + wide, top + 0.1 * unit), (x + wide * 1.02, y + 0.3 * unit), (x + wide * 0.55, y + 0.75 * unit), (x, foot)
    )
    left = bend(
        (x, foot), (x - wide * 0.55, y + 0.75 * unit), (x - wide * 1.02, y + 0.3 * unit), (x - wide, top + 0.1 * unit)
    )
    pen.shape([(x, top - 0.06 * unit), *right, *left], colour)
    pen.line([(x, top + 0.3 * unit), (x, foot - 0.36 * unit)], 0.2 * unit, ground)
    pen.line([(x - wide * 0.62, y - 0.2 * unit), (x + wide * 0.62, y - 0.2 * unit)], 0.2 * unit, ground)


def _crown(pen: Pen, x: float, y: float, unit: float, colour: Colour, ground: Colour) -> None:
    def at(across: float, down: float) -> Point:
        return x + across * unit, y + down * unit

    peaks = [(-1.0, -0.55), (-0.48, 0.0), (0.0, -0.85), (0.48, 0.0), (1.0, -0.55), (0.8, 0.8), (-0.8, 0.8)]
    pen.shape([at(*peak) for peak in peaks], colour)
    for across, down in ((-1.0, -0.55), (0.0, -0.85), (1.0, -0.55)):
        pen.disc(*at(across, down), 0.17 * unit, colour)
    pen.line([at(-0.66, 0.44), at(0.66, 0.44)], 0.16 * unit, ground)


def _leaf(pen: Pen, x: float, y: float, unit: float, colour: Colour, ground: Colour) -> None:
    tip, stem = (x + 0.86 * unit, y - 0.9 * unit), (x - 0.66 * unit, y + 0.66 * unit)
    over = bend(stem, (x - 1.25 * unit, y - 0.62 * unit), (x - 0.1 * unit, y - 1.02 * unit), tip)
    under = bend(tip, (x + 1.02 * unit, y + 0.1 * unit), (x + 0.62 * unit, y + 1.25 * unit), stem)
    pen.shape([*over, *under], colour)
    pen.line([(x - 0.98 * unit, y + 0.98 * unit), stem], 0.2 * unit, colour)
    pen.line([(x - 0.5 * unit, y + 0.5 * unit), (x + 0.42 * unit, y - 0.42 * unit)], 0.15 * unit, ground)


def _two(pen: Pen, x: float, y: float, unit: float, colour: Colour, ground: Colour) -> None:
    del ground
    for across in (-0.5, 0.5):
        pen.disc(x + across * unit, y, 0.38 * unit, colour)


def _three(pen: Pen, x: float, y: float, unit: float, colour: Colour, ground: Colour) -> None:
    del ground
    for across, down in ((0.0, -0.52), (-0.55, 0.42), (0.55, 0.42)):
        pen.disc(x + across * unit, y + down * unit, 0.36 * unit, colour)


_SYMBOLS: Final[Mapping[str, Callable[[Pen, float, float, float, Colour, Colour], None]]] = {
    "G": _shield,
    "K": _crown,
    "D": _leaf,
    "E": _two,
    "O": _three,
}


@lru_cache(maxsize=128)
def stone(theme: Theme, letter: str, size: int) -> Image.Image:
    """Draws a stone of a class; upper-case letters are White's."""
    colour: Seat = int(letter.islower())
    if letter.upper() not in _SYMBOLS:
        return checker(theme, colour, size)
    pen, side, middle = Pen(size, size, edges=HARD), side_of(theme, colour), size / 2
    hue = accent(theme, letter)
    blank(pen, theme, colour, size, hue)
    _SYMBOLS[letter.upper()](pen, middle, middle, size * 0.29, hue, side.face)
    return shadowed(pen.finish(), size / 26)


@lru_cache(maxsize=64)
def cage(theme: Theme, letter: str, size: int) -> Image.Image:
    """Draws a prisoner in the place of a stone of ``size`` pixels: smaller, in its own colours, with bars."""
    pen, middle = Pen(size, size, edges=HARD), size / 2
    near, high = middle - size / 16, middle * 0.74
    for colour, wide in ((theme.frame_dark, size / 9), (theme.white.face, size / 22)):
        for side in (-near, near):
            end = middle + side * 0.72
            pen.line([(end, middle - high), (middle + side, middle - high)], wide, colour)
            pen.line([(middle + side, middle - high), (middle + side, middle + high)], wide, colour)
            pen.line([(end, middle + high), (middle + side, middle + high)], wide, colour)
    whole, inner = pen.finish(), stone(theme, letter, round(size * 0.74))
    whole.alpha_composite(inner, ((size - inner.width) // 2, (size - inner.height) // 2))
    return whole


def trapped(column: str) -> tuple[bool, ...]:
    """Returns for each stone of a column, bottom to top, whether it is a prisoner.

    Only a druid can land on an enemy stone (abak.md, Druid), so a stone below an enemy stone is a prisoner.
    """
    return tuple(
        index + 1 < len(column) and letter.islower() != column[index + 1].islower()
        for index, letter in enumerate(column)
    )
