"""The card of a finished match: the winner and the reason, then a line for each game."""

from typing import Final, NamedTuple

from PIL import Image

from render.canvas.pen import Pen
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, MEDIUM, fitted, width
from render.people.views import MatchCard, MatchGame
from render.theme import Theme

_MARGIN: Final = 24
_INSET: Final = 24
"""The distance from the edge of a plate to its content."""
_TITLE, _SMALL, _TEXT = 34, 30, 36
_NAME: Final = (56, 48, 40, 34)
"""Text sizes of a player's name; the first that fits is used."""
_PLATE: Final = 92
_TOP: Final = 76
"""The middle of the first player's plate is half a plate below this."""
_ROW: Final = 58
_FOOT: Final = 18
ONE_COLUMN: Final = 18
"""The most games in one column of rows; more take two columns, without the reason of each game's end."""
_NUMBER, _POINTS, _CUBE, _SCORE = 56, 92, 92, 120
"""The widths of the columns."""


class Shown(NamedTuple):
    """The columns of the rows. ``brief``: rows stand in two columns, without the reason of each game's end."""

    points: bool
    cube: bool
    brief: bool


def draw_match_card(theme: Theme, card: MatchCard) -> Image.Image:
    """Draws the card in full colour (RGB)."""
    columns = 1 if len(card.games) <= ONE_COLUMN else 2
    rows = -(-len(card.games) // columns)
    told = _TOP + 2 * _PLATE + 26
    head = told + 58
    high = head + 50 + rows * _ROW + _FOOT
    wide = (WIDTH - (columns + 1) * _MARGIN) // columns
    pen = Pen(WIDTH, high, theme.frame)
    for player in (0, 1):
        if card.winner in {None, player}:
            top = _TOP + player * (_PLATE + 8)
            pen.panel((_MARGIN, top, WIDTH - _MARGIN, top + _PLATE), 18, theme.active)
    for number in range(0, rows, 2):
        for column in range(columns):
            left, top = _MARGIN + column * (wide + _MARGIN), head + 50 + number * _ROW
            pen.panel((left, top, left + wide, top + _ROW), 10, theme.active)
    sheet = Sheet(pen.finish())
    room = WIDTH - 2 * (_MARGIN + _INSET)
    sheet.text(_MARGIN + _INSET, 40, fitted(card.title, _TITLE, room), _TITLE, theme.faint, anchor="l")
    for player in (0, 1):
        _write_player(sheet, theme, card, player, _TOP + player * (_PLATE + 8) + _PLATE / 2)
    sheet.text(_MARGIN + _INSET, told + 16, fitted(card.how, _TEXT, room), _TEXT, theme.ink, anchor="l")
    shown = Shown(bool(card.headings.points), bool(card.headings.cube), columns > 1)
    for column in range(columns):
        left = _MARGIN + column * (wide + _MARGIN)
        _write_game(sheet, theme, card.headings, shown, left, wide, head + 26, heading=True)
        for place, game in enumerate(card.games[column * rows : (column + 1) * rows]):
            middle = head + 50 + place * _ROW + _ROW / 2
            _write_game(sheet, theme, game, shown, left, wide, middle, heading=False)
    return sheet.image


def _write_player(sheet: Sheet, theme: Theme, card: MatchCard, player: int, middle: float) -> None:
    right, left = WIDTH - _MARGIN - _INSET, _MARGIN + _INSET
    score, weight = card.scores[player], BOLD if card.winner in {None, player} else MEDIUM
    sheet.text(right, middle, score, _NAME[0], theme.ink, anchor="r", weight=weight)
    rating = card.ratings[player]
    room = right - left - width(score, _NAME[0], weight) - 40 - (width(rating, _TEXT) + 24 if rating else 0)
    name = card.names[player]
    size = next((size for size in _NAME if width(name, size, weight) <= room), _NAME[-1])
    shown = fitted(name, size, room, weight)
    sheet.text(left, middle, shown, size, theme.ink, anchor="l", weight=weight)
    beside = left + width(shown, size, weight) + 24
    sheet.text(beside, middle + 6, rating, _TEXT, theme.faint, anchor="l")


def _write_game(
    sheet: Sheet, theme: Theme, game: MatchGame, shown: Shown, left: int, wide: int, middle: float, *, heading: bool
) -> None:
    """Writes a row: number, winner, reason of the end, points, cube, score. ``heading``: the row has the headings."""
    size, colour = (_SMALL - 4 * shown.brief, theme.faint) if heading else (_TEXT, theme.ink)
    narrow, inset = (0.8, 14) if shown.brief else (1.0, _INSET)
    right = left + wide - inset
    score = game.score.replace(" ", "") if shown.brief else game.score
    cells = ((score, _SCORE, True), (game.cube, _CUBE, shown.cube), (game.points, _POINTS, shown.points))
    for text, room, is_shown in cells:
        if is_shown:
            sheet.text(right, middle, fitted(text, size, room + 20), size, colour, anchor="r")
            right -= room + 6
    begin = left + inset + round(_NUMBER * narrow)
    sheet.text(begin - 16, middle, game.number, size, theme.faint, anchor="r")
    room = right - begin - 12
    winner = fitted(game.winner, size, room if shown.brief or heading else room // 2)
    sheet.text(begin, middle, winner, size, colour, anchor="l")
    if game.how and not shown.brief:
        after = begin + max(width(winner, size), room // 3) + 24
        sheet.text(after, middle, fitted(game.how, _SMALL, right - after - 12), _SMALL, theme.faint, anchor="l")
