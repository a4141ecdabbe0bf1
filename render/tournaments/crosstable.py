"""The picture of a crosstable: every player's result in each round, or against each opponent."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from PIL import Image

from render.canvas.pen import Pen
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, fitted, width
from render.theme import Theme
from render.tournaments.page import (
    EMPTY,
    GAP,
    HEAD,
    LEAST,
    LEFT,
    MARGIN,
    RIGHT,
    called,
    draw_empty,
    draw_end,
    draw_head,
    draw_name,
    draw_row,
    widest,
)
from render.tournaments.signs import cell_width, draw_cell
from render.tournaments.views import Cell, CrosstableRow, CrosstableView

_HEADS: Final = 44
_NAME, _POINTS, _RANK = 36, 38, 34
_SIZES: Final = (34, 32, 30, 28)
"""Text sizes of the cells; the first one in which all texts fit is used."""
_HIGH: Final = 46
"""The height of a cell."""
_BETWEEN: Final = 4
_SPARE: Final = 12
"""The width of a cell beyond its text."""
_WIDEST: Final = 100
_ONE_LINE, _TWO_LINES = 66, 106
"""The height of a row with the cells behind the name, and with the cells below it."""
_LEAST_NAME: Final = 225
"""The width that a name needs beside the cells."""


class Layout(NamedTuple):
    """The places of the cells."""

    two_lines: bool
    name: int
    """The left edge of the names."""
    points: int
    """The width of the points."""
    first: float
    """The middle of the first cell."""
    step: float
    """The distance from one cell to the next."""
    letters: int
    """The text size of the cells."""


def layout_of(view: CrosstableView) -> Layout:
    """Places the cells behind the name if that leaves room for it, and below it otherwise."""
    cells = [cell for row in view.rows for cell in row.cells]
    count = len(view.heads)
    name = LEFT + max(40, widest((row.rank for row in view.rows), _RANK, BOLD)) + 18
    points = max(widest((row.points for row in view.rows), _POINTS, BOLD), width(view.points, LEAST))
    needed = max(_widest(cells, _SIZES[1]) + _SPARE, widest(view.heads, LEAST) + _SPARE, _HIGH) + _BETWEEN
    room = RIGHT - points - GAP - name - _LEAST_NAME
    if count * needed <= room:
        wide = min(_WIDEST, max(needed, room // max(count, 1)))
        edge = RIGHT - points - GAP
        return Layout(False, name, points, edge - wide * (count - 0.5), wide, _SIZES[1])
    step = (RIGHT - LEFT + _BETWEEN) / count
    inside = step - _BETWEEN - 6
    letters = next((size for size in _SIZES if _widest(cells, size) <= inside), _SIZES[-1])
    return Layout(True, name, points, LEFT + (step - _BETWEEN) / 2, step, letters)


def _widest(cells: Iterable[Cell], letters: int) -> int:
    return max((cell_width(cell, letters) for cell in cells), default=0)


def draw_crosstable(theme: Theme, view: CrosstableView) -> Image.Image:
    """Draws the page in full colour (RGB)."""
    layout = layout_of(view)
    high = _TWO_LINES if layout.two_lines else _ONE_LINE
    top = HEAD + (_HEADS if view.rows else 0)
    pen = Pen(WIDTH, top + (len(view.rows) * high if view.rows else EMPTY) + MARGIN, theme.frame)
    for number, row in enumerate(view.rows):
        above = top + number * high
        draw_row(pen, theme, (MARGIN, above, WIDTH - MARGIN, above + high), number, is_reader=row.is_reader)
    if 0 < view.qualified < len(view.rows):
        draw_end(pen, theme, top + view.qualified * high)
    sheet = Sheet(pen.finish())
    draw_head(sheet, theme, view.title, view.about, view.page)
    if not view.rows:
        draw_empty(sheet, theme, view.empty, HEAD + EMPTY / 2)
        return sheet.image
    if not layout.two_lines:
        sheet.text(RIGHT, HEAD + 22, view.points, LEAST, theme.faint, anchor="r")
    for number, head in enumerate(view.heads):
        shown = fitted(head, LEAST, round(layout.step))
        sheet.text(layout.first + number * layout.step, HEAD + 22, shown, LEAST, theme.faint)
    for number, row in enumerate(view.rows):
        _write(sheet, theme, row, layout, top + number * high + high / 2)
    return sheet.image


def _write(sheet: Sheet, theme: Theme, row: CrosstableRow, layout: Layout, middle: float) -> None:
    upper, lower = (middle - 26, middle + 20) if layout.two_lines else (middle, middle)
    sheet.text(layout.name - 18, upper, row.rank, _RANK, theme.faint, anchor="r", weight=BOLD)
    sheet.text(RIGHT, upper, row.points, _POINTS, theme.ink, anchor="r", weight=BOLD)
    edge = RIGHT - layout.points if layout.two_lines else layout.first - layout.step / 2
    room = edge - GAP - layout.name
    draw_name(sheet, theme, layout.name, upper, called(row.name, row.rank), _NAME, room, struck=row.withdrawn)
    size = (int(layout.step) - _BETWEEN, _HIGH)
    for number, cell in enumerate(row.cells):
        draw_cell(sheet, theme, (layout.first + number * layout.step, lower), cell, size, layout.letters)
