"""The picture of a ladder: the order of its players, and their challenges."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from PIL import Image

from render.canvas.pen import Pen
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, fitted, width
from render.theme import Theme
from render.tournaments.page import (
    EMPTY,
    GAP,
    HEAD,
    INSET,
    LEFT,
    MARGIN,
    SMALL,
    called,
    draw_empty,
    draw_head,
    draw_name,
    draw_row,
    widest,
)
from render.tournaments.signs import draw_gain, gain_width
from render.tournaments.views import LadderChallenge, LadderRow, LadderView, State

_LOW, _HIGH = 78, 110
_BETWEEN: Final = 6
_NAME, _RANK = 40, 40
_LINE: Final = 25
_LANE: Final = 38
"""The width of the lane of a challenge, right of the rows."""
_OFF: Final = 17
"""The distance of a challenge's ends from the middle of its row, so that two of one player do not meet."""
_BEND: Final = 26
"""The distance from a lane to the edge of the rows."""


def lanes_of(challenges: Sequence[LadderChallenge]) -> tuple[int, ...]:
    """Assigns a lane to each challenge, from 0, so that two in one lane do not meet. Short ones are near the rows."""
    found: dict[int, int] = {}
    taken: list[list[tuple[int, int]]] = []
    spans = [tuple(sorted(challenge[:2])) for challenge in challenges]
    for number in sorted(range(len(spans)), key=lambda place: spans[place][1] - spans[place][0]):
        low, high = spans[number]
        free = (lane for lane, held in enumerate(taken) if all(high < other[0] or low > other[1] for other in held))
        lane = next(free, len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append((low, high))
        found[number] = lane
    return tuple(found[number] for number in range(len(spans)))


def draw_ladder(theme: Theme, view: LadderView) -> Image.Image:
    """Draws the page in full colour (RGB)."""
    lanes = lanes_of(view.challenges)
    gutter = (max(lanes) + 1) * _LANE + _BEND - MARGIN // 2 if lanes else 0
    high = _HIGH if any(row.detail or row.moved for row in view.rows) else _LOW
    step, edge = high + _BETWEEN, WIDTH - MARGIN - gutter
    pen = Pen(WIDTH, HEAD + (len(view.rows) * step - _BETWEEN if view.rows else EMPTY) + MARGIN, theme.frame)
    for number, row in enumerate(view.rows):
        above = HEAD + number * step
        draw_row(pen, theme, (MARGIN, above, edge, above + high), number, is_reader=row.is_reader)
    sheet = Sheet(pen.finish())
    draw_head(sheet, theme, view.title, view.about, view.page)
    if not view.rows:
        draw_empty(sheet, theme, view.empty, HEAD + EMPTY / 2)
        return sheet.image
    rank = max(
        widest((row.rank for row in view.rows), _RANK, BOLD), *(gain_width(row.moved, SMALL) for row in view.rows)
    )
    for number, row in enumerate(view.rows):
        _write(sheet, theme, row, LEFT + max(56, rank), edge, HEAD + number * step + high / 2, high)
    for challenge, lane in zip(view.challenges, lanes, strict=True):
        rise = (challenge.challenger - challenge.opponent) * step
        made = _link(theme, abs(rise) - 2 * _OFF, _BEND + lane * _LANE, challenge.state, up=rise > 0)
        middle = HEAD + (challenge.challenger + challenge.opponent) / 2 * step + high / 2
        sheet.put(made, edge + 4 + made.width / 2, middle)
    return sheet.image


def _write(sheet: Sheet, theme: Theme, row: LadderRow, right: int, edge: int, middle: float, high: int) -> None:
    two_lines = high == _HIGH
    off = _LINE if two_lines else 0
    sheet.text(right, middle - off, row.rank, _RANK, theme.faint, anchor="r", weight=BOLD)
    if two_lines:
        draw_gain(sheet, theme, right, middle + _LINE, row.moved, SMALL)
    left, end = right + GAP, edge - INSET
    note = fitted(row.note, SMALL, (end - left) // 2)
    sheet.text(end, middle + (_LINE if two_lines else 0), note, SMALL, theme.faint, anchor="r")
    beside = width(note, SMALL) + GAP if note else 0
    name = called(row.name, row.rank)
    room = end - left - (0 if two_lines else beside)
    draw_name(sheet, theme, left, middle - off, name, _NAME, room, struck=row.withdrawn)
    if row.detail:
        detail = fitted(row.detail, SMALL, end - left - beside)
        sheet.text(left, middle + _LINE, detail, SMALL, theme.faint, anchor="l")


@lru_cache(maxsize=64)
def _link(theme: Theme, high: int, wide: int, state: State, *, up: bool) -> Image.Image:
    """Draws a line from the challenger's row out to a lane and along it, with an arrow to the other row.

    The line is dashed for a challenge that has not been accepted.
    """
    pad, thick = 16, 5
    pen = Pen(wide + thick, high + 2 * pad)
    top, bottom = pad, pad + high
    start, end = (bottom, top) if up else (top, bottom)
    far, colour = wide, theme.ink
    if state is State.PLANNED:
        for y in range(top + 4, bottom - 8, 22):
            pen.panel((far - 2, y, far + 3, y + 12), 1, colour)
    else:
        pen.panel((far - 2, top - 2, far + 3, bottom + 3), 2, colour)
    pen.panel((10, end - 2, far + 3, end + 3), 2, colour)
    pen.panel((0, start - 2, far + 3, start + 3), 2, colour)
    pen.shape([(0, end + 0.5), (18, end - 11), (18, end + 12)], colour)
    return pen.finish()
