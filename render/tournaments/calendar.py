"""The picture of a tournament's calendar: its rounds down a line, with their dates and their progress."""

from typing import Final

from PIL import Image

from render.canvas.card import BETWEEN
from render.canvas.pen import Pen, mix
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, MEDIUM, fitted, width
from render.theme import Theme
from render.tournaments.page import EMPTY, GAP, HEAD, MARGIN, RIGHT, SMALL, draw_empty, draw_head
from render.tournaments.signs import state_sign
from render.tournaments.views import CalendarRow, CalendarView, State

_LOW, _HIGH = 84, 118
_BETWEEN: Final = 6
_NAME, _DATES = 40, 36
_LINE: Final = 25
_SIGN: Final = 44
_RAIL: Final = MARGIN + 30
"""The middle of the line down."""
_ROWS: Final = MARGIN + 76
"""The left edge of the rows."""
_BAR: Final = 10


def draw_calendar(theme: Theme, view: CalendarView) -> Image.Image:
    """Draws the page in full colour (RGB)."""
    highs = [_HIGH if row.detail or row.share is not None else _LOW for row in view.rows]
    tops = [HEAD + sum(highs[:number]) + number * _BETWEEN for number in range(len(highs))]
    pen = Pen(WIDTH, (tops[-1] + highs[-1] if tops else HEAD + EMPTY) + MARGIN, theme.frame)
    middles = [top + high / 2 for top, high in zip(tops, highs, strict=True)]
    for number in range(len(tops) - 1):
        is_done = view.rows[number].state is State.DONE
        colour = theme.ink if is_done else mix(theme.faint, theme.frame, 0.4)
        pen.panel((_RAIL - 3, round(middles[number]), _RAIL + 3, round(middles[number + 1])), 0, colour)
    for row, top, high in zip(view.rows, tops, highs, strict=True):
        if row.state is State.RUNNING:
            pen.panel((_ROWS, top, WIDTH - MARGIN, top + high), 14, theme.active)
        if row.share is not None:
            _draw_bar(pen, theme, row.share, top + high - 20, is_running=row.state is State.RUNNING)
    sheet = Sheet(pen.finish())
    draw_head(sheet, theme, view.title, view.about, BETWEEN.join(filter(None, (view.zone, view.page))))
    if not view.rows:
        draw_empty(sheet, theme, view.empty, HEAD + EMPTY / 2)
    for row, middle in zip(view.rows, middles, strict=True):
        sheet.put(state_sign(theme, row.state, _SIGN), _RAIL, middle)
        _write(sheet, theme, row, middle)
    return sheet.image


def _draw_bar(pen: Pen, theme: Theme, share: float, top: int, *, is_running: bool) -> None:
    """Draws the finished share of a round."""
    left, right = _ROWS + GAP, RIGHT
    pen.panel((left, top, right, top + _BAR), _BAR / 2, theme.frame if is_running else theme.active)
    if share > 0:
        wide = max(_BAR, round((right - left) * min(share, 1.0)))
        pen.panel((left, top, left + wide, top + _BAR), _BAR / 2, theme.ink)


def _write(sheet: Sheet, theme: Theme, row: CalendarRow, middle: float) -> None:
    left = _ROWS + GAP
    bar = row.share is not None
    weight = BOLD if row.state is State.RUNNING else MEDIUM
    colour = theme.faint if row.state is State.PLANNED else theme.ink
    room = RIGHT - left
    two_lines = bool(row.detail)
    upper = middle - (_LINE if two_lines else 0) - (6 if bar else 0)
    dates = fitted(row.dates, _DATES, room * 3 // 5)
    sheet.text(RIGHT, upper, dates, _DATES, colour, anchor="r")
    name = fitted(row.name, _NAME, room - width(dates, _DATES) - GAP, weight)
    sheet.text(left, upper, name, _NAME, colour, anchor="l", weight=weight)
    if two_lines:
        lower = upper + 2 * _LINE - (6 if bar else 0)
        sheet.text(left, lower, fitted(row.detail, SMALL, room), SMALL, theme.faint, anchor="l")
