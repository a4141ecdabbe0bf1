"""The picture of standings: rank, name, latest results, tie-breaks and points of each player."""

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
    SMALL,
    called,
    draw_empty,
    draw_end,
    draw_head,
    draw_name,
    draw_row,
    widest,
)
from render.tournaments.signs import draw_cell, draw_gain, gain_width
from render.tournaments.views import StandingsRow, StandingsView

_HEADS: Final = 44
"""The height of the heads of the columns."""
_LOW, _HIGH = 78, 110
"""The height of a row with one line and with two."""
_BETWEEN: Final = 8
_NAME, _POINTS, _RANK = 40, 46, 38
_TILE: Final = 42
_LETTER: Final = 30
_STEP: Final = _TILE + 5
_FORM: Final = 6
"""The most results of the form."""
_LINE: Final = 25
"""The distance from the middle of a row of two lines to the middle of each line."""


class Layout(NamedTuple):
    """The places of the columns."""

    high: int
    """The height of a row."""
    name: int
    """The left edge of the names."""
    points: int
    """The width of the points."""
    tie_breaks: tuple[int, ...]
    """The right edges of the tie-breaks."""
    lead: int
    """The height of the names and the ranks above the middle of a row."""
    rooms: tuple[int, int]
    """The widths of the name and of the detail below it."""
    form: float
    """The height of the form above the middle of a row."""
    below: float
    """The depth of the tie-breaks below it."""


def layout_of(view: StandingsView) -> Layout:
    """Makes columns as wide as their widest text. The form stands above the tie-breaks if there are both."""
    rows, heads = view.rows, view.heads
    form = max((len(row.form[-_FORM:]) for row in rows), default=0)
    two_lines = any(row.detail for row in rows) or bool(form and heads.tie_breaks)
    rank = max(
        widest((row.rank for row in rows), _RANK, BOLD), max((gain_width(row.moved, SMALL) for row in rows), default=0)
    )
    points = max(widest((row.points for row in rows), _POINTS, BOLD), width(heads.points, LEAST))
    edge = RIGHT - points - GAP - 6
    edges: list[int] = []
    left = edge
    for number in reversed(range(len(heads.tie_breaks))):
        texts = (row.tie_breaks[number] for row in rows if number < len(row.tie_breaks))
        edges.insert(0, left)
        left -= max(widest(texts, SMALL), width(heads.tie_breaks[number], LEAST)) + GAP
    both = form and heads.tie_breaks
    name = LEFT + max(56, rank) + GAP
    ends = (edge - _STEP * form if form else left, left)
    if not two_lines or not both:
        ends = (min(ends), min(ends))
    return Layout(
        _HIGH if two_lines else _LOW,
        name,
        points,
        tuple(edges),
        _LINE if two_lines and any(row.detail or row.moved for row in rows) else 0,
        (ends[0] - GAP - name, ends[1] - GAP - name),
        _LINE if both else 0,
        _LINE if both else 0,
    )


def draw_standings(theme: Theme, view: StandingsView) -> Image.Image:
    """Draws the page in full colour (RGB)."""
    layout = layout_of(view)
    top = HEAD + (_HEADS if view.rows else 0)
    step = layout.high + _BETWEEN
    pen = Pen(WIDTH, top + (len(view.rows) * step - _BETWEEN if view.rows else EMPTY) + MARGIN, theme.frame)
    for number, row in enumerate(view.rows):
        above = top + number * step
        draw_row(pen, theme, (MARGIN, above, WIDTH - MARGIN, above + layout.high), number, is_reader=row.is_reader)
    if 0 < view.qualified < len(view.rows):
        draw_end(pen, theme, top + view.qualified * step - _BETWEEN / 2)
    sheet = Sheet(pen.finish())
    draw_head(sheet, theme, view.title, view.about, view.page)
    if not view.rows:
        draw_empty(sheet, theme, view.empty, HEAD + EMPTY / 2)
        return sheet.image
    sheet.text(RIGHT, HEAD + 22, view.heads.points, LEAST, theme.faint, anchor="r")
    for edge, head in zip(layout.tie_breaks, view.heads.tie_breaks, strict=True):
        sheet.text(edge, HEAD + 22, head, LEAST, theme.faint, anchor="r")
    for number, row in enumerate(view.rows):
        _write(sheet, theme, row, layout, top + number * step + layout.high / 2)
    return sheet.image


def _write(sheet: Sheet, theme: Theme, row: StandingsRow, layout: Layout, middle: float) -> None:
    right = layout.name - GAP
    two_lines = layout.high == _HIGH
    sheet.text(right, middle - layout.lead, row.rank, _RANK, theme.faint, anchor="r", weight=BOLD)
    if two_lines:
        draw_gain(sheet, theme, right, middle + _LINE, row.moved, SMALL)
    sheet.text(RIGHT, middle, row.points, _POINTS, theme.ink, anchor="r", weight=BOLD)
    for edge, text in zip(layout.tie_breaks, row.tie_breaks, strict=False):
        sheet.text(edge, middle + layout.below, text, SMALL, theme.faint, anchor="r")
    form = row.form[-_FORM:]
    edge = RIGHT - layout.points - GAP - 6
    for place, cell in enumerate(form):
        x = edge - _STEP * (len(form) - 1 - place) - _TILE / 2
        draw_cell(sheet, theme, (x, middle - layout.form), cell, (_TILE, _TILE), _LETTER)
    room, beside = layout.rooms
    name = called(row.name, row.rank)
    draw_name(sheet, theme, layout.name, middle - layout.lead, name, _NAME, room, struck=row.withdrawn)
    if row.detail:
        detail = fitted(row.detail, SMALL, beside)
        sheet.text(layout.name, middle + _LINE, detail, SMALL, theme.faint, anchor="l")
