"""The card that ends a game: the last position, and beside it who won and how. All words come from outside."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image

from engine.core.game import Seat
from render.canvas.board import Board
from render.canvas.pen import Pen
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, MEDIUM, fitted, width, wrapped
from render.theme import Colour, Theme
from render.view import Card, View

HEIGHT: Final = 560
_MARGIN: Final = 28
_BOARD: Final = (560, HEIGHT - 2 * _MARGIN)
"""The room of the position."""
_GAP: Final = 30
_INDENT: Final = 84
_OVERHANG: Final = 14
"""How far the winner's plate reaches beyond the words on either side."""
_STONE, _SMALL = 64, 40
LINES: Final = 3
"""As many lines are shown of how the game ended, and as many facts."""


class Block(NamedTuple):
    """Something in the column of words: its height, and a line of text or a thin line across."""

    height: int
    text: str = ""
    size: int = 0
    colour: Colour = ""
    weight: str = MEDIUM
    stone: Image.Image | None = None
    plate: bool = False
    """On a plate, as the side to move is on a board: the winner."""


def draw_card(theme: Theme, board: Board[object], picture: Image.Image, view: View, card: Card) -> Image.Image:
    """The card; ``picture`` is the position as the board paints it."""
    sheet = Sheet(_ground(theme))
    core = picture.crop(board.core)
    share = min(_BOARD[0] / core.width, _BOARD[1] / core.height)
    core = core.resize((round(core.width * share), round(core.height * share)), Image.Resampling.BOX)
    sheet.lay(core, _MARGIN, (HEIGHT - core.height) // 2)
    left = _MARGIN + core.width + _GAP
    blocks = list(_blocks(theme, board, view, card, WIDTH - _MARGIN - left))
    y = (HEIGHT - sum(block.height for block in blocks)) / 2
    for block in blocks:
        middle = y + block.height / 2
        y += block.height
        if block.plate:
            wide = WIDTH - _MARGIN - left + 2 * _OVERHANG
            sheet.put(_plate(theme, wide, block.height), left + wide / 2 - _OVERHANG, middle)
        if block.stone:
            sheet.put(block.stone, left + _STONE / 2, middle)
        sheet.text(
            left + _INDENT * bool(block.stone),
            middle,
            block.text,
            block.size,
            block.colour,
            anchor="l",
            weight=block.weight,
        )
        if not block.text and block.colour:
            line = Pen(WIDTH - _MARGIN - left, 2, block.colour)
            sheet.lay(line.finish(), round(left), round(middle))
    return sheet.image


@lru_cache(maxsize=4)
def _ground(theme: Theme) -> Image.Image:
    """The empty card."""
    pen = Pen(WIDTH, HEIGHT, theme.frame)
    pen.panel((10, 10, WIDTH - 10, HEIGHT - 10), 18, theme.active)
    pen.panel((12, 12, WIDTH - 12, HEIGHT - 12), 16, theme.frame)
    return pen.finish()


@lru_cache(maxsize=32)
def _plate(theme: Theme, wide: int, high: int) -> Image.Image:
    """What lies below the winner."""
    pen = Pen(wide, high)
    pen.panel((0, 0, wide, high), 14, theme.frame_light)
    pen.panel((2, 2, wide - 2, high - 2), 12, theme.active)
    return pen.finish()


def _blocks(theme: Theme, board: Board[object], view: View, card: Card, wide: int) -> Iterator[Block]:
    """The words from top to bottom: the title, the winner, the result and how; the loser; the facts."""

    def player(
        seat: Seat, sizes: Sequence[int], stone: int, weight: str, *, beside: str = "", plate: bool = False
    ) -> Block:
        """``beside``: another name that has the same size."""
        name, room = view.names[seat], wide - _INDENT
        widest = max((name, beside), key=lambda one: width(one, sizes[0], weight))
        size = next((size for size in sizes if width(widest, size, weight) <= room), sizes[-1])
        shown = fitted(name, size, room, weight)
        high = round(stone * (1.3 if plate else 1.2))
        return Block(high, shown, size, theme.ink, weight, board.emblem(theme, seat, stone), plate)

    for line in wrapped(card.title, 28, wide, 2):
        yield Block(35, line, 28, theme.faint)
    yield Block(8)
    if card.winner is None:
        yield from (player(seat, (42, 36, 30), 52, BOLD, beside=view.names[1 - seat]) for seat in (0, 1))
    else:
        yield player(card.winner, (50, 44, 38, 32), _STONE, BOLD, plate=True)
        yield Block(4)
    if card.result:
        yield Block(58, fitted(card.result, 44, wide, BOLD), 44, theme.ink, BOLD)
    for line in wrapped(card.how, 34, wide, LINES):
        yield Block(42, line, 34, theme.ink)
    yield Block(20, colour=theme.active)
    if card.winner is not None:
        yield player(1 - card.winner, (34, 30), _SMALL, MEDIUM)
        yield Block(8)
    for fact in card.facts[:LINES]:
        yield Block(38, fitted(fact, 30, wide), 30, theme.faint)
