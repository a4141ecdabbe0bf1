"""Text on pictures: one pinned font, never the system's, so that pictures look the same everywhere."""

from functools import lru_cache
from math import ceil
from typing import Final, NamedTuple
from unicodedata import normalize

import font_manrope  # type: ignore[import-untyped]
from PIL import Image, ImageDraw, ImageFont

from engine.core.game import Seat
from engine.core.sized_cache import remembered
from render.canvas.cache_budgets import BESIDES, BUDGET, size_of
from render.canvas.pen import steps
from render.view import View

BOLD: Final = "ManropeExtraBold"
MEDIUM: Final = "ManropeSemiBold"
MORE: Final = "…"
FINE: Final = 4
"""The levels of opacity at the edges of letters: one more than for other shapes, as letters are finer (see
``pen.EDGES``).
"""


@lru_cache(maxsize=64)
def font(size: int, weight: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_manrope.font_files[weight], size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=4096)
def _drawn(letter: str) -> bool:
    """Returns whether the font has a glyph for the letter, other than the glyph for missing letters."""
    face = font(24, MEDIUM)
    return letter == " " or bytes(face.getmask(letter)) not in {b"", bytes(face.getmask("\U0010ffff"))}


@lru_cache(maxsize=1024)
def drawable(text: str) -> str:
    """Removes the letters that the font lacks, and double spaces.

    Variants of letters (bold, circled, wide) are replaced by the plain letter (NFKC) if the font lacks them.
    """
    plain = "".join(letter if _drawn(letter) else normalize("NFKC", letter) for letter in normalize("NFC", text))
    return " ".join("".join(letter for letter in plain if _drawn(letter)).split())


def nameable(name: str) -> bool:
    """Returns whether a picture shows this name: it can draw a letter or digit of it, or all of it.

    Otherwise it shows the side's name.
    """
    shown = drawable(name)
    return any(map(str.isalnum, shown)) or shown == name


def called(view: View, seat: Seat) -> str:
    """Returns the drawable part of a player's name; "" if the view has no name for the player.

    If the name is not ``nameable``, returns the name of the side, or else the number of the seat (1, 2).
    """
    name = view.names[seat]
    return drawable(name) if nameable(name) else drawable(view.sides[seat]) or str(seat + 1)


@lru_cache(maxsize=1024)
def width(text: str, size: int, weight: str = MEDIUM) -> int:
    """Measures the text, in pixels."""
    return ceil(font(size, weight).getlength(text))


@lru_cache(maxsize=512)
def fitted(text: str, size: int, most: int, weight: str = MEDIUM) -> str:
    """Cuts the text with an ellipsis if it is wider than ``most`` pixels."""
    shown = drawable(text)
    if width(shown, size, weight) <= most:
        return shown
    while shown and width(shown + MORE, size, weight) > most:
        shown = shown[:-1].rstrip()
    return shown + MORE if shown else ""


def fitted_name(name: str, rating: str, size: int, most: int, weight: str = MEDIUM) -> str:
    """Joins the name and the rating, in at most ``most`` pixels.

    If they are wider, the name is cut and not the rating. If no letter of the name would fit, the rating is left out.
    """
    tail = f" {drawable(rating)}" if rating else ""
    shown = fitted(name, size, most - width(tail, size, weight), weight) if tail else ""
    return shown + tail if shown.strip(MORE) else fitted(name, size, most, weight)


@lru_cache(maxsize=64)
def wrapped(text: str, size: int, most: int, lines: int, weight: str = MEDIUM) -> tuple[str, ...]:
    """Breaks the text between words into at most ``lines`` lines of ``most`` pixels; too long lines are cut."""
    found: list[str] = []
    for word in drawable(text).split():
        longer = f"{found[-1]} {word}" if found else word
        if found and (len(found) == lines or width(longer, size, weight) <= most):
            found[-1] = longer
        else:
            found.append(word)
    return tuple(fitted(line, size, most, weight) for line in found)


class Label(NamedTuple):
    """A text as a mask, with its anchor point."""

    mask: Image.Image
    x: int
    y: int


@remembered(BUDGET["labels"], lambda label: size_of(label.mask) + BESIDES)
def label(text: str, size: int, weight: str = MEDIUM, anchor: str = "m", edges: int = FINE) -> Label:
    """Draws the text's mask; ``edges``: its levels of opacity.

    The anchor point is at the left, middle or right (``anchor`` l, m, r), at half the height of a capital letter.
    """
    face = font(size, weight)
    _, top, _, base = face.getbbox("H")
    room = ceil(size * 0.4)
    wide = width(text, size, weight)
    mask = Image.new("L", (wide + 2 * room, ceil(base - top) + 2 * room))
    ImageDraw.Draw(mask).text((room, room - top), text, fill=255, font=face)
    mask = mask.point(steps(edges))
    across = {"l": 0, "m": wide // 2, "r": wide}[anchor]
    return Label(mask, room + across, room + round((base - top) / 2))
