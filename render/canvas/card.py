"""The card that ends a game: who won and how, above the last position in full width. All words come from outside."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image

from engine.core.game import Seat
from render.canvas.board import Board
from render.canvas.pen import Pen
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, MEDIUM, called, fitted, width, wrapped
from render.theme import Theme
from render.view import Card, View

_MARGIN: Final = 24
_INSET: Final = 18
"""From the edge of a plate to what stands in it."""
_TITLE, _HOW, _FACT = 30, 36, 30
"""Sizes of the words above the winner, below, and at the foot."""
_LINE: Final = 46
"""Of how it ended, from one to the next."""
_PLATE, _STONE = 88, 64
_LOSER: Final = 44
_FOOT: Final = 62
_GAP: Final = 24
_LARGE: Final = (52, 46, 40, 34, 30)
"""The sizes of a winner's name, and of what was won: the first in which it fits."""
_LESSER: Final = (34, 30)
LINES: Final = 3
"""As many lines are shown of how the game ended, and as many facts."""
BETWEEN: Final = " · "
"""Stands between facts."""


class Player(NamedTuple):
    """Who stands in a plate, or at the foot."""

    stone: Image.Image
    name: str
    size: int


def draw_card(theme: Theme, board: Board[object], picture: Image.Image, view: View, card: Card) -> Image.Image:
    """The card; ``picture`` is the position as the board paints it."""
    core = picture.crop(board.core)
    if core.width < (wide := WIDTH - 2 * _MARGIN):  # what stands beside it in play is left out
        core = core.resize((wide, round(core.height * wide / core.width)), Image.Resampling.HAMMING)
    told = wrapped(card.how, _HOW, WIDTH - 2 * (_MARGIN + _INSET), LINES)
    top = _MARGIN // 2 + 44 * bool(card.title)
    ending = top + _PLATE + 10
    above = ending + _LINE * len(told) + 14
    below = above + core.height
    foot = _FOOT if card.winner is not None or any(card.facts) else _MARGIN // 2
    sheet = Sheet(_ground(theme, below + foot))
    sheet.lay(core, (WIDTH - core.width) // 2, above)
    left = _MARGIN + _INSET
    title = fitted(card.title, _TITLE, WIDTH - 2 * left)
    sheet.text(left, _MARGIN // 2 + 22, title, _TITLE, theme.faint, anchor="l")
    if card.winner is None:
        _draw_both(sheet, theme, board, view, top)
    else:
        _draw_winner(sheet, theme, _player(theme, board, view, card.winner), card.result, top)
    for number, line in enumerate(told):
        sheet.text(left, ending + _LINE * (number + 0.5), line, _HOW, theme.ink, anchor="l")
    loser = None if card.winner is None else _player(theme, board, view, 1 - card.winner, stone=_LOSER)
    _draw_foot(sheet, theme, loser, card.facts[:LINES], below + foot / 2 - 2)
    return sheet.image


@lru_cache(maxsize=16)
def _ground(theme: Theme, high: int) -> Image.Image:
    """The empty card."""
    return Image.new("RGB", (WIDTH, high), theme.frame)


@lru_cache(maxsize=32)
def _plate(theme: Theme, wide: int) -> Image.Image:
    """What lies below a winner, as it does below the side to move on a board."""
    pen = Pen(wide, _PLATE)
    pen.panel((0, 0, wide, _PLATE), 18, theme.frame_light)
    pen.panel((2, 2, wide - 2, _PLATE - 2), 16, theme.active)
    return pen.finish()


def _player(theme: Theme, board: Board[object], view: View, seat: Seat, *, stone: int = _STONE) -> Player:
    return Player(board.emblem(theme, seat, stone), called(view, seat), stone)


def _size(text: str, sizes: Sequence[int], room: int, weight: str) -> int:
    return next((size for size in sizes if width(text, size, weight) <= room), sizes[-1])


def _draw_winner(sheet: Sheet, theme: Theme, player: Player, result: str, top: int) -> None:
    """One plate from edge to edge: stone and name at the left, what was won at the right."""
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
    """Two plates of one size for a draw, the names in the same size."""
    wide = (WIDTH - 3 * _MARGIN) // 2
    room, middle = wide - 2 * _INSET, top + _PLATE / 2
    players = [_player(theme, board, view, seat) for seat in (0, 1)]
    longest = max((player.name for player in players), key=lambda name: width(name, _LARGE[0], BOLD))
    for number, player in enumerate(players):
        left = _MARGIN + number * (wide + _MARGIN)
        sheet.put(_plate(theme, wide), left + wide / 2, middle)
        _draw_player(sheet, theme, player, left + _INSET, middle, room, beside=longest)


def _draw_player(
    sheet: Sheet, theme: Theme, player: Player, left: float, middle: float, room: int, *, beside: str = ""
) -> None:
    """A stone and a name in ``room`` pixels; the size is one in which ``beside`` would fit as well."""
    room -= player.size + _INSET
    size = _size(beside or player.name, _LARGE, room, BOLD)
    sheet.put(player.stone, left + player.size / 2, middle)
    name = fitted(player.name, size, room, BOLD)
    sheet.text(left + player.size + _INSET, middle, name, size, theme.ink, anchor="l", weight=BOLD)


def _draw_foot(sheet: Sheet, theme: Theme, loser: Player | None, facts: Sequence[str], middle: float) -> None:
    """Below the position: the loser at the left, the facts at the right."""
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
