"""The picture of a player's profile: each game's rating with its curve and results, the form, and head to head."""

from typing import Final

from PIL import Image

from render.canvas.pen import Pen
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, fitted, width
from render.people.curves import draw_bar, draw_curve, scale_of
from render.people.views import GameRow, Pairing, ProfileView, Result
from render.theme import RESULT_INKS, RESULTS, Theme

_MARGIN: Final = 24
_INSET: Final = 24
_HEAD: Final = 126
_ROW: Final = 252
_GAP: Final = 14
_FORM: Final = 132
_PAIRING: Final = 132
_FACT: Final = 54
_EMPTY: Final = 120
_NAME, _RATING, _TITLE, _TEXT, _SMALL = 56, 60, 38, 34, 30
_LEFT_PART: Final = 330
"""The width of a row's part with the rating."""
_LINES: Final = 3
"""The grid of a curve: its bottom, its middle and its top."""
_RESULT: Final = 81
"""The distance from one result of the form to the next."""
LATEST: Final = 12
"""The most results that the form shows."""


def draw_profile(theme: Theme, view: ProfileView) -> Image.Image:
    """Draws the profile in full colour (RGB)."""
    rows = len(view.rows) * (_ROW + _GAP) if view.rows else _EMPTY
    form = (_FORM + _GAP) * bool(view.form)
    pairing = (_PAIRING + _GAP) * (view.pairing is not None)
    facts = (_FACT * len(view.facts) + 2 * _GAP) * bool(view.facts)
    pen = Pen(WIDTH, _HEAD + rows + form + pairing + facts + _MARGIN - _GAP, theme.frame)
    top, tops = _HEAD, {}
    for row in view.rows:
        _draw_row_ground(pen, theme, row, top)
        tops[id(row)] = top
        top += _ROW + _GAP
    top = _HEAD + rows
    form_top, pairing_top, facts_top = top, top + form, top + form + pairing
    if form:
        _panel(pen, theme, form_top, _FORM)
        _draw_form_ground(pen, view.form[-LATEST:], form_top)
    if view.pairing is not None:
        _panel(pen, theme, pairing_top, _PAIRING)
        draw_bar(pen, theme, view.pairing.tally, _pairing_bar(pairing_top))
    if facts:
        _panel(pen, theme, facts_top, facts - _GAP)
    sheet = Sheet(pen.finish())
    _write_head(sheet, theme, view)
    for row in view.rows:
        _write_row(sheet, theme, row, view.letters, tops[id(row)])
    if not view.rows:
        sheet.text(
            WIDTH / 2, _HEAD + _EMPTY / 2 - _GAP, fitted(view.empty, _TEXT, WIDTH - 4 * _MARGIN), _TEXT, theme.faint
        )
    if form:
        _write_form(sheet, theme, view, form_top)
    if view.pairing is not None:
        _write_pairing(sheet, theme, view.pairing, view.letters, pairing_top)
    for number, (what, much) in enumerate(view.facts):
        _write_fact(sheet, theme, what, much, facts_top + _GAP / 2 + _FACT * (number + 0.5))
    return sheet.image


def _panel(pen: Pen, theme: Theme, top: int, high: int) -> None:
    pen.panel((_MARGIN, top, WIDTH - _MARGIN, top + high), 18, theme.active)


def _chart(top: int) -> tuple[int, int, int, int]:
    return _MARGIN + _LEFT_PART + 90, top + 84, WIDTH - _MARGIN - _INSET - 12, top + 166


def _row_bar(top: int) -> tuple[int, int, int, int]:
    return _MARGIN + _INSET, top + _ROW - 62, WIDTH - _MARGIN - _INSET, top + _ROW - 44


def _pairing_bar(top: int) -> tuple[int, int, int, int]:
    return _MARGIN + _INSET, top + _PAIRING - 44, WIDTH - _MARGIN - _INSET, top + _PAIRING - 24


def _draw_row_ground(pen: Pen, theme: Theme, row: GameRow, top: int) -> None:
    _panel(pen, theme, top, _ROW)
    left, above, right, below = _chart(top)
    if len(row.curve) > 1:
        for number in range(_LINES):
            y = round(above + (below - above) * number / (_LINES - 1))
            pen.panel((left, y - 1, right, y + 1), 0, theme.frame)
        draw_curve(pen, theme, row.curve, (left, above, right, below))
    left, above, right, below = _row_bar(top)
    draw_bar(pen, theme, row.tally, (left, above - 2, right, below + 2))


def _draw_form_ground(pen: Pen, form: tuple[Result, ...], top: int) -> None:
    colours = dict(zip((1, 0, -1), RESULTS, strict=True))
    for number, result in enumerate(form):
        x = _MARGIN + _INSET + number * _RESULT
        pen.panel((x, top + 54, x + 68, top + 114), 12, colours[result.sign])


def _write_head(sheet: Sheet, theme: Theme, view: ProfileView) -> None:
    left, room = _MARGIN + _INSET, WIDTH - 2 * (_MARGIN + _INSET)
    sheet.text(left, 46, fitted(view.name, _NAME, room, BOLD), _NAME, theme.ink, anchor="l", weight=BOLD)
    sheet.text(left, 98, fitted(view.about, _SMALL, room), _SMALL, theme.faint, anchor="l")


def _write_row(sheet: Sheet, theme: Theme, row: GameRow, letters: tuple[str, str, str], top: int) -> None:
    left, right = _MARGIN + _INSET, WIDTH - _MARGIN - _INSET
    sheet.text(right, top + 38, row.pace, _SMALL, theme.faint, anchor="r")
    room = right - left - width(row.pace, _SMALL) - 24
    sheet.text(left, top + 38, fitted(row.title, _TITLE, room), _TITLE, theme.ink, anchor="l")
    sheet.text(left, top + 104, row.rating, _RATING, theme.ink, anchor="l", weight=BOLD)
    sheet.text(left, top + 154, fitted(row.change, _SMALL, _LEFT_PART), _SMALL, theme.faint, anchor="l")
    if len(row.curve) > 1:
        chart, (low, high) = _chart(top), scale_of(row.curve)
        for y, value in ((chart[1], high), (chart[3], low)):
            sheet.text(chart[0] - 12, y, f"{round(value)}", _SMALL, theme.faint, anchor="r")
    _write_tally(sheet, theme, row.tally, letters, top + _ROW - 22)


def _write_tally(
    sheet: Sheet, theme: Theme, tally: tuple[int, int, int], letters: tuple[str, str, str], middle: int
) -> None:
    """Writes the three counts: the won ones at the left, the lost ones at the right."""
    left, right = _MARGIN + _INSET, WIDTH - _MARGIN - _INSET
    texts = [f"{count} {letter}" for count, letter in zip(tally, letters, strict=True)]
    for text, x, anchor in zip(texts, (left, WIDTH / 2, right), "lmr", strict=True):
        sheet.text(x, middle, text, _SMALL, theme.ink, anchor=anchor)


def _write_form(sheet: Sheet, theme: Theme, view: ProfileView, top: int) -> None:
    form = view.form[-LATEST:]
    sheet.text(_MARGIN + _INSET, top + 28, view.form_title, _SMALL, theme.faint, anchor="l")
    inks = dict(zip((1, 0, -1), RESULT_INKS, strict=True))
    for number, result in enumerate(form):
        x = _MARGIN + _INSET + number * _RESULT + 34
        sheet.text(x, top + 84, result.letter, _TEXT, inks[result.sign], weight=BOLD)


def _write_pairing(sheet: Sheet, theme: Theme, pairing: Pairing, letters: tuple[str, str, str], top: int) -> None:
    left, right = _MARGIN + _INSET, WIDTH - _MARGIN - _INSET
    counts = "   ".join(f"{count} {letter}" for count, letter in zip(pairing.tally, letters, strict=True))
    room = right - left - width(counts, _TEXT) - 24
    sheet.text(left, top + 48, fitted(pairing.title, _TEXT, room), _TEXT, theme.ink, anchor="l")
    sheet.text(right, top + 48, counts, _TEXT, theme.ink, anchor="r")


def _write_fact(sheet: Sheet, theme: Theme, what: str, much: str, middle: float) -> None:
    left, right = _MARGIN + _INSET, WIDTH - _MARGIN - _INSET
    room = right - left - width(much, _TEXT, BOLD) - 24
    sheet.text(left, middle, fitted(what, _TEXT, room), _TEXT, theme.faint, anchor="l")
    sheet.text(right, middle, much, _TEXT, theme.ink, anchor="r", weight=BOLD)
