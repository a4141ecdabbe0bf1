"""The strip of one player: turn, stone, name, time, count."""

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from render.canvas.pen import HARD, Pen
from render.canvas.pieces import dial, pointer
from render.canvas.sheet import Sheet
from render.canvas.text import BOLD, fitted, fitted_name, width
from render.theme import Theme

HEIGHT = 58
_NAME = 40
"""The text size of a name. On a phone, with a third of the width, letters are twelve pixels high and more."""
_FACT = 40
_SCORE = 36
DIAL = 34
"""The size of the sign before a clock."""


@dataclass(frozen=True, slots=True)
class Strip:
    """The content of a strip. ``count`` is the game's own number, such as ``194 pips``, at the far right."""

    name: str
    clock: str
    count: str
    active: bool
    stopped: bool = False
    """Whether the clock is shown as stopped."""
    rating: str = ""
    """The text behind the name."""
    score: str = ""
    """The player's score in the match, on a badge after the name."""
    sign: Image.Image | None = None
    """A piece before the count, if no words explain it."""


@lru_cache(maxsize=16)
def _plate(theme: Theme, wide: int) -> Image.Image:
    pen = Pen(wide, HEIGHT, edges=HARD)
    pen.panel((0, 0, wide, HEIGHT), 12, theme.frame_light)
    pen.panel((2, 2, wide - 2, HEIGHT - 2), 10, theme.active)
    return pen.finish()


def draw_strip(sheet: Sheet, theme: Theme, left: int, middle: int, wide: int, stone: Image.Image, told: Strip) -> None:
    """Draws a strip of ``wide`` pixels; ``left`` is its left edge, ``middle`` its middle line."""
    if told.active:
        sheet.put(_plate(theme, wide), left + wide / 2, middle)
        sheet.put(pointer(theme, 30), left + 24, middle)
    sheet.put(stone, left + 68, middle)
    right = left + wide - 16
    if told.count:
        sheet.text(right, middle, told.count, _FACT, theme.ink, anchor="r", weight=BOLD, edges=HARD)
        right -= width(told.count, _FACT, BOLD)
        if told.sign:
            right -= 12 + told.sign.width
            sheet.put(told.sign, right + told.sign.width / 2, middle)
        right -= 36
    clock = fitted(told.clock, _FACT, wide // 3)
    if clock:
        sheet.text(right, middle, clock, _FACT, theme.ink, anchor="r", edges=HARD)
        right -= width(clock, _FACT) + 28
        sheet.put(dial(theme, DIAL, stopped=told.stopped), right, middle)
        right -= DIAL
    room = right - left - 102
    badge = width(told.score, _SCORE, BOLD) + 28 if told.score else 0
    name = fitted_name(told.name, told.rating, _NAME, room - (badge + 20 if badge else 0))
    sheet.text(left + 102, middle, name, _NAME, theme.ink, anchor="l", edges=HARD)
    if badge:
        draw_score(sheet, theme, told.score, left + 102 + width(name, _NAME) + 20 + badge / 2, middle)


def draw_score(sheet: Sheet, theme: Theme, score: str, x: float, y: float) -> None:
    """Draws a score on a badge with its middle at a point."""
    sheet.put(_badge(theme, width(score, _SCORE, BOLD) + 28), x, y)
    sheet.text(x, y, score, _SCORE, theme.frame_dark, weight=BOLD, edges=HARD)


@lru_cache(maxsize=64)
def _badge(theme: Theme, wide: int) -> Image.Image:
    pen = Pen(wide, 46, edges=HARD)
    pen.panel((0, 0, wide, 46), 12, theme.ink)
    return pen.finish()
