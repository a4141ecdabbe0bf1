"""The result card of a game: the winner and the reason, above the last position in full width.

The caller gives all texts.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image

from engine.core.game import Seat
from render.canvas.board import Board
from render.canvas.pen import Pen, ink
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, MEDIUM, called, fitted, fitted_name, width, wrapped
from render.theme import Theme
from render.view import Card, View

_MARGIN: Final = 24
_INSET: Final = 18
"""The distance from the edge of a plate to its content."""
_TITLE, _HOW, _FACT = 36, 42, 36
"""Text sizes of the title, of the reason of the end, and of the facts at the bottom."""
_LINE: Final = 52
"""The line height of the reason of the end."""
_PLATE, _STONE = 88, 64
_LOSER: Final = 44
_FOOT: Final = 68
_GAP: Final = 24
_LARGE: Final = (52, 46, 40, 34, 30)
"""Text sizes of a winner's name and of the result; the first that fits is used."""
_LESSER: Final = (40, 34)
_RATINGS: Final = 38
"""The text size of the ratings."""
LINES: Final = 3
"""The most lines of the reason of the end, and the most facts."""
BETWEEN: Final = " · "
"""The separator between facts."""


class Player(NamedTuple):
    """A player in a plate or at the bottom."""

    stone: Image.Image
    name: str
    size: int


def draw_card(theme: Theme, board: Board[object], picture: Image.Image, view: View, card: Card) -> Sheet:
    """Draws the card; ``picture`` is that of the position (RGB)."""
    core = picture.crop(board.core)
    told = wrapped(card.how, _HOW, WIDTH - 2 * (_MARGIN + _INSET), LINES)
    top = _MARGIN // 2 + 48 * bool(card.title)
    ending = top + _PLATE + 10
    above = ending + _LINE * (len(told) + any(view.ratings)) + 14
    below = above + core.height
    foot = _FOOT if card.winner is not None or any(card.facts) else _MARGIN // 2
    whole = Image.new("RGB", (WIDTH, below + foot), ink(theme.frame)[:3])
    whole.paste(core, ((WIDTH - core.width) // 2, above))
    sheet = Sheet(whole)
    left = _MARGIN + _INSET
    title = fitted(card.title, _TITLE, WIDTH - 2 * left)
    sheet.text(left, _MARGIN // 2 + 23, title, _TITLE, theme.faint, anchor="l")
    if card.winner is None:
        _draw_both(sheet, theme, board, view, top)
    else:
        _draw_winner(sheet, theme, _player(theme, board, view, card.winner), card.result, top)
    for number, line in enumerate(told):
        sheet.text(left, ending + _LINE * (number + 0.5), line, _HOW, theme.ink, anchor="l")
    _draw_ratings(sheet, theme, view, card.winner or 0, ending + _LINE * (len(told) + 0.5))
    loser = None if card.winner is None else _player(theme, board, view, 1 - card.winner, stone=_LOSER)
    _draw_foot(sheet, theme, loser, card.facts[:LINES], below + foot / 2 - 2)
    return sheet


@lru_cache(maxsize=32)
def _plate(theme: Theme, wide: int) -> Image.Image:
    """Draws the plate behind a winner, like that of the side to move on a board."""
    pen = Pen(wide, _PLATE)
    pen.panel((0, 0, wide, _PLATE), 18, theme.frame_light)
    pen.panel((2, 2, wide - 2, _PLATE - 2), 16, theme.active)
    return pen.finish()


def _player(theme: Theme, board: Board[object], view: View, seat: Seat, *, stone: int = _STONE) -> Player:
    return Player(board.emblem(theme, seat, stone), called(view, seat), stone)


def _size(text: str, sizes: Sequence[int], room: int, weight: str) -> int:
    return next((size for size in sizes if width(text, size, weight) <= room), sizes[-1])


def _draw_winner(sheet: Sheet, theme: Theme, player: Player, result: str, top: int) -> None:
    """Draws a plate of full width: stone and name at the left, the result at the right."""
    wide, middle = WIDTH - 2 * _MARGIN, top + _PLATE / 2
    sheet.put(_plate(theme, wide), WIDTH / 2, middle)
    right = WIDTH - _MARGIN - _INSET - 6
    most = (wide - 2 * _INSET) * 2 // 5
    size = _size(result, _LARGE[1:], most, BOLD)
    shown = fitted(result, size, most, BOLD)
    sheet.text(right, middle, shown, size, theme.ink, anchor="r", weight=BOLD)
    left = _MARGIN + _INSET
    _draw_player(sheet, theme, player, left, middle, right - left - (width(shown, size, BOLD) + _GAP) * bool(shown))


def _draw_both(sheet: Sheet, theme: Theme, board: Board[object], view: View, top: int) -> None:
    """Draws two plates for a draw, with both names in the same size."""
    wide = (WIDTH - 3 * _MARGIN) // 2
    room, middle = wide - 2 * _INSET, top + _PLATE / 2
    players = [_player(theme, board, view, seat) for seat in (0, 1)]
    longest = max((player.name for player in players), key=lambda name: width(name, _LARGE[0], BOLD))
    for number, player in enumerate(players):
        left = _MARGIN + number * (wide + _MARGIN)
        sheet.put(_plate(theme, wide), left + wide / 2, middle)
        _draw_player(sheet, theme, player, left + _INSET, middle, room, beside=longest)


def _draw_ratings(sheet: Sheet, theme: Theme, view: View, first: Seat, middle: float) -> None:
    """Draws both players' ratings in a line, the winner's at the left."""
    half = WIDTH / 2 - _MARGIN - _INSET
    for number, seat in enumerate((first, 1 - first)):
        if view.ratings[seat]:
            text = fitted_name(called(view, seat), view.ratings[seat], _RATINGS, round(half) - _INSET)
            sheet.text(_MARGIN + _INSET + half * number, middle, text, _RATINGS, theme.faint, anchor="l")


def _draw_player(
    sheet: Sheet, theme: Theme, player: Player, left: float, middle: float, room: int, *, beside: str = ""
) -> None:
    """Draws a stone and a name in ``room`` pixels. ``beside``: a longer name that must fit in the same text size."""
    room -= player.size + _INSET
    size = _size(beside or player.name, _LARGE, room, BOLD)
    sheet.put(player.stone, left + player.size / 2, middle)
    name = fitted(player.name, size, room, BOLD)
    sheet.text(left + player.size + _INSET, middle, name, size, theme.ink, anchor="l", weight=BOLD)


def _draw_foot(sheet: Sheet, theme: Theme, loser: Player | None, facts: Sequence[str], middle: float) -> None:
    """Draws the loser at the left and the facts at the right, below the position."""
    left, right = _MARGIN + _INSET, WIDTH - _MARGIN - _INSET
    most = (right - left) * 3 // 5 if loser else right - left
    shown = fitted(BETWEEN.join(filter(None, facts)), _FACT, most)
    sheet.text(right, middle, shown, _FACT, theme.faint, anchor="r")
    if loser is None:
        return
    begin = left + loser.size + _INSET - 4
    room = right - begin - (width(shown, _FACT) + _GAP) * bool(shown)
    size = _size(loser.name, _LESSER, room, MEDIUM)
    sheet.put(loser.stone, left + loser.size / 2, middle)
    sheet.text(begin, middle, fitted(loser.name, size, room), size, theme.ink, anchor="l")
