"""The pieces on boards: checkers, marbles, dice. Each is painted once per theme and size."""

from functools import lru_cache
from math import cos, pi, sin
from typing import Final

from PIL import Image

from engine.core.game import Seat
from render.canvas.pen import HARD, Pen, faded, mix, paired, shadowed
from render.theme import Colour, Side, Theme

PIPS: Final = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def side_of(theme: Theme, colour: Seat) -> Side:
    """Returns the colours of a side; ``colour`` is 0 for White's stones, 1 for Black's."""
    return theme.black if colour else theme.white


def blank(pen: Pen, theme: Theme, colour: Seat, size: float, rim: Colour = "") -> None:
    """Draws a flat stone without its pattern: a bevelled one, or one with a wide ``rim`` of another colour."""
    side, middle = side_of(theme, colour), size / 2
    pen.disc(middle, middle, middle, side.edge)
    if rim:
        pen.disc(middle, middle, middle - 2, rim)
        pen.disc(middle, middle, middle - size / 10, side.face)
    else:
        # A light edge above is visible on Black's stones, a dark one below on White's.
        tone, shift = (side.shine, 1.5) if colour else (side.groove, -1.5)
        pen.disc(middle, middle, middle - 2, tone)
        pen.disc(middle + shift, middle + shift, middle - 4.2, side.face)


@lru_cache(maxsize=64)
def checker(theme: Theme, colour: Seat, size: int, *, plain: bool = False) -> Image.Image:
    """Draws a flat checker: Black's has a light ring, White's has none. ``plain``: without it, for a text."""
    pen, side, middle = Pen(size, size, edges=HARD), side_of(theme, colour), size / 2
    blank(pen, theme, colour, size)
    if colour and not plain:
        pen.disc(middle, middle, middle * 0.46, side.groove)
        pen.disc(middle, middle, middle * 0.46 - size / 20, side.face)
    return shadowed(pen.finish(), size / 26)


@lru_cache(maxsize=32)
def slab(theme: Theme, colour: Seat, width: int, height: int) -> Image.Image:
    """Draws a checker seen from its edge, as in the tray."""
    pen, side = Pen(width, height, edges=HARD), side_of(theme, colour)
    pen.panel((0, 0, width, height), 3, side.edge)
    pen.panel((1.5, 1.5, width - 1.5, height - 1.5), 2.5, side.face)
    pen.panel((1.5, 1.5, width - 1.5, height * 0.42), 2.5, mix(side.face, side.shine, 0.75))
    if colour:
        pen.line([(8, height / 2), (width - 8, height / 2)], 1.6, side.groove)
    return pen.finish()


@lru_cache(maxsize=64)
def marble(theme: Theme, colour: Seat, size: int, *, plain: bool = False) -> Image.Image:
    """Draws a polished ball, lit from the upper left in a few flat tones. ``plain``: without the light, for a text."""
    pen, side, middle = Pen(size, size), side_of(theme, colour), size / 2
    rim = mix(side.face, "#000000", 0.5) if colour else mix(side.face, side.edge, 0.6)
    if plain:
        pen.disc(middle, middle, middle, rim)
        pen.disc(middle, middle, middle * 0.94, side.face)
        return paired(pen.finish())
    pen.ball(middle, middle, middle, (rim, side.face, mix(side.face, side.shine, 0.4)), (-0.45, -0.5))
    glint = side.shine if not colour else mix(side.shine, "#ffffff", 0.45)
    pen.disc(middle * 0.64, middle * 0.58, middle * 0.15, glint)
    return paired(pen.finish())


@lru_cache(maxsize=128)
def die(theme: Theme, colour: Seat, number: int, size: int, *, used: bool) -> Image.Image:
    """Draws a die with round corners in the colour of its side."""
    pen, side, middle = Pen(size, size, edges=HARD), side_of(theme, colour), size / 2
    margin = size / 24
    pen.panel((0, 0, size, size), size * 0.2, side.edge)
    pen.panel((margin, margin, size - margin, size - margin), size * 0.17, side.face)
    for across, down in PIPS[number]:
        pen.disc(middle + across * size * 0.25, middle + down * size * 0.25, size * 0.092, side.ink)
    made = shadowed(pen.finish(), size / 24)
    return faded(made, 0.38) if used else made


@lru_cache(maxsize=32)
def dial(theme: Theme, size: int, *, stopped: bool = False) -> Image.Image:
    """Draws a small clock face, shown before a time. ``stopped``: filled, with the two bars of a pause sign."""
    pen, middle = Pen(size, size, edges=HARD), size / 2
    if stopped:
        pen.disc(middle, middle, middle, theme.ink)
        for side in (-1, 1):
            x = middle + side * size * 0.15
            pen.line([(x, middle * 0.62), (x, middle * 1.38)], size * 0.14, theme.frame)
        return pen.finish()
    pen.ring(middle, middle, middle - 1, size / 9, theme.ink)
    pen.line([(middle, middle * 0.55), (middle, middle), (middle * 1.36, middle * 1.2)], size / 10, theme.ink)
    return pen.finish()


@lru_cache(maxsize=32)
def pointer(theme: Theme, size: int) -> Image.Image:
    """Draws the sign that marks the side to move."""
    pen, middle = Pen(size, size, edges=HARD), size / 2
    corners = [
        (middle + middle * 0.8 * cos(angle), middle + middle * 0.8 * sin(angle))
        for angle in (0, 2 * pi / 3, -2 * pi / 3)
    ]
    pen.line([*corners, corners[0]], size * 0.16, theme.ink)
    pen.shape(corners, theme.ink)
    return pen.finish()
