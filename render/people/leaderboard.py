"""The picture of a leaderboard's page: place, name, results and rating of each player."""

from typing import Final

from PIL import Image

from render.canvas.pen import Pen
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, fitted, width
from render.people.views import LeaderboardView, Rank
from render.theme import Theme

_MARGIN: Final = 24
_HEAD: Final = 126
_ROW: Final = 84
_EMPTY: Final = 120
_TITLE, _NAME, _RATING, _SMALL = 46, 40, 44, 30
_PLACE: Final = 110
"""The width of the column of places."""


def draw_leaderboard(theme: Theme, view: LeaderboardView) -> Image.Image:
    """Draws the page in full colour (RGB). Every second row has a different ground; the reader's row has a frame."""
    high = _HEAD + (_ROW * len(view.ranks) or _EMPTY) + _MARGIN
    pen = Pen(WIDTH, high, theme.frame)
    for number, rank in enumerate(view.ranks):
        top = _HEAD + number * _ROW
        if number % 2 == 0 or rank.is_reader:
            pen.panel((_MARGIN, top, WIDTH - _MARGIN, top + _ROW - 6), 14, theme.active)
        if rank.is_reader:
            pen.outline((_MARGIN, top, WIDTH - _MARGIN, top + _ROW - 6), 14, 4, theme.award)
    sheet = Sheet(pen.finish())
    left, room = _MARGIN + 24, WIDTH - 2 * (_MARGIN + 24)
    sheet.text(left, 44, fitted(view.title, _TITLE, room, BOLD), _TITLE, theme.ink, anchor="l", weight=BOLD)
    sheet.text(left, 96, fitted(view.about, _SMALL, room), _SMALL, theme.faint, anchor="l")
    for number, rank in enumerate(view.ranks):
        _write_rank(sheet, theme, rank, _HEAD + number * _ROW + (_ROW - 6) / 2)
    if not view.ranks:
        sheet.text(WIDTH / 2, _HEAD + _EMPTY / 2, fitted(view.empty, _NAME, room), _NAME, theme.faint)
    return sheet.image


def _write_rank(sheet: Sheet, theme: Theme, rank: Rank, middle: float) -> None:
    left, right = _MARGIN + 24, WIDTH - _MARGIN - 24
    sheet.text(left + _PLACE - 30, middle, rank.place, _NAME, theme.faint, anchor="r", weight=BOLD)
    sheet.text(right, middle, rank.rating, _RATING, theme.ink, anchor="r", weight=BOLD)
    right -= 170
    sheet.text(right, middle, rank.detail, _SMALL, theme.faint, anchor="r")
    room = right - width(rank.detail, _SMALL) - 24 - left - _PLACE
    sheet.text(left + _PLACE, middle, fitted(rank.name, _NAME, round(room)), _NAME, theme.ink, anchor="l")
