"""The shared parts of the pictures of tournaments: the head of a page, the grounds of rows, and names."""

from collections.abc import Iterable, Sequence
from typing import Final

from render.canvas.card import BETWEEN
from render.canvas.marks import CHOSEN, casing
from render.canvas.pen import Box, Pen
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, MEDIUM, fitted, nameable, width
from render.theme import Theme
from render.tournaments.signs import rule

MARGIN: Final = 24
INSET: Final = 22
"""The distance from the edge of a row to its content."""
LEFT: Final = MARGIN + INSET
RIGHT: Final = WIDTH - LEFT
HEAD: Final = 132
"""The height of the head of a page."""
TITLE, TEXT, SMALL = 46, 38, 36
"""Text sizes. Second lines are small: eleven pixels on a phone whose chat is 330 pixels wide."""
LEAST: Final = 33
"""The smallest text: ten pixels on such a phone."""
GAP: Final = 24
"""The distance between a text and its neighbour."""
EMPTY: Final = 120
"""The height of the words in place of the rows."""
CORNER: Final = 14


def draw_head(sheet: Sheet, theme: Theme, title: str, about: str, page: str = "") -> None:
    """Draws the title; below it the subject of the picture, and the page at the right."""
    room = RIGHT - LEFT
    sheet.text(LEFT, 46, fitted(title, TITLE, room, BOLD), TITLE, theme.ink, anchor="l", weight=BOLD)
    sheet.text(RIGHT, 100, page, SMALL, theme.faint, anchor="r")
    room -= width(page, SMALL) + GAP if page else 0
    sheet.text(LEFT, 100, fitted(shortened(about, room), SMALL, room), SMALL, theme.faint, anchor="l")


def shortened(about: str, room: float) -> str:
    """Leaves out the first parts of a subject that is too wide: the message says them, too. The last is the state."""
    parts = about.split(BETWEEN)
    while len(parts) > 1 and width(BETWEEN.join(parts), SMALL) > room:
        del parts[0]
    return BETWEEN.join(parts)


def draw_empty(sheet: Sheet, theme: Theme, text: str, middle: float) -> None:
    sheet.text(WIDTH / 2, middle, fitted(text, TEXT, RIGHT - LEFT), TEXT, theme.faint)


def draw_row(pen: Pen, theme: Theme, box: Box, number: int, *, is_reader: bool) -> None:
    """Draws the ground of a row: every second one is lighter; the reader's has a frame."""
    if is_reader:
        draw_framed(pen, theme, box, CORNER)
    elif number % 2 == 0:
        pen.panel(box, CORNER, theme.active)


def draw_framed(pen: Pen, theme: Theme, box: Box, corner: float) -> None:
    """Draws the ground of the reader's part. Its frame is light between dark lines, and so visible on any ground."""
    left, top, right, bottom = box
    line = casing(theme, CHOSEN)
    for inset, colour in ((0, line), (2, theme.award), (6, line), (8, theme.active)):
        pen.panel((left + inset, top + inset, right - inset, bottom - inset), max(2, corner - inset), colour)


def draw_end(pen: Pen, theme: Theme, middle: float) -> None:
    """Draws the line below the players who go on."""
    top = round(middle)
    pen.panel((MARGIN, top - 4, WIDTH - MARGIN, top + 4), 4, casing(theme, CHOSEN))
    pen.panel((MARGIN + 2, top - 2, WIDTH - MARGIN - 2, top + 2), 2, theme.award)


def called(name: str, number: str | int) -> str:
    """Returns the name, or ``#`` and the number if no letter of the name can be drawn."""
    return name if name and nameable(name) else f"#{number}"


def draw_name(
    sheet: Sheet,
    theme: Theme,
    left: float,
    middle: float,
    name: str,
    size: int,
    room: float,
    *,
    weight: str = MEDIUM,
    struck: bool = False,
) -> None:
    """Draws a name, cut to its room; ``struck``: faint and with a line through it."""
    shown = fitted(name, size, round(room), weight)
    sheet.text(left, middle, shown, size, theme.faint if struck else theme.ink, anchor="l", weight=weight)
    if struck and shown:
        wide = width(shown, size, weight)
        sheet.put(rule(theme.faint, wide + 12, 3), left + wide / 2, middle + size * 0.08)


def largest(texts: Iterable[str], sizes: Sequence[int], room: float, weight: str = MEDIUM) -> int:
    """Returns the first of the sizes in which every text fits in its room; the last one if none does."""
    every = list(texts)
    return next((size for size in sizes if widest(every, size, weight) <= room), sizes[-1])


def widest(texts: Iterable[str], size: int, weight: str = MEDIUM) -> int:
    """Measures the widest text, in pixels; 0 without texts."""
    return max((width(text, size, weight) for text in texts), default=0)
