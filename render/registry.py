"""All boards, and a cache of finished pictures of them."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import lru_cache
from threading import RLock
from typing import Any, Final

from PIL import Image

from engine.core.game import Note, Seat
from engine.core.sized_cache import SizedCache
from render.canvas.board import Board
from render.canvas.cache_budgets import BESIDES, BUDGET
from render.canvas.card import draw_card
from render.canvas.encoding.film import CAPACITY, film
from render.canvas.encoding.png import decoded, encoded
from render.canvas.legend import PIECE, LegendRow, draw_legend
from render.canvas.pen import Point
from render.canvas.sheet import Sheet, png, reduced
from render.canvas.text import nameable
from render.games import abak, abalone, apb, backgammon
from render.palettes import palette
from render.theme import THEMES, Theme
from render.view import DEFAULT_THEME, Card, View

BOARDS: Final[dict[str, Board[Any]]] = {
    "abak": abak.BOARD,
    "backgammon": backgammon.BOARD,
    "abalone": abalone.BOARD,
    "apb": apb.BOARD,
}
"""Every game's board by its key."""
THUMBNAIL_WIDTH: Final = 540
"""The width, in pixels."""
_cache = SizedCache[Hashable, bytes](BUDGET["pictures"], lambda file: BESIDES + len(file))


def picture(game_key: str, state: Hashable, view: View) -> bytes:
    """Returns the PNG of a position; the same arguments give the same bytes. An unknown theme is drawn as the default
    one.

    A new picture takes some milliseconds, the first of a game and theme more: call it in a thread.
    """
    made = cached(game_key, state, view)
    if made is None:
        made = fresh(game_key, state, view)
        _cache.put((game_key, state, view), made)
    return made


def cached(game_key: str, state: Hashable, view: View) -> bytes | None:
    """Returns the PNG from the cache; None if it is not there. Fast."""
    return _cache.get((game_key, state, view))


def fresh(game_key: str, state: Any, view: View) -> bytes:
    theme = _theme(view)
    return encoded(reduced(_sheet(game_key, theme, state, view).image, _palette(game_key, theme)))


def warm(theme: str = DEFAULT_THEME) -> None:
    """Draws the shared parts of all pictures of a theme, so that the first picture takes no longer than the others."""
    for game_key, board in BOARDS.items():
        state, view = next(iter(board.samples().values()))
        for below in (0, 1):
            picture(game_key, state, replace(view, theme=theme, below=below))
    _ground.cache_clear()  # the games in use here are not known yet


def thumbnail(game_key: str, state: Hashable, view: View, width: int = THUMBNAIL_WIDTH) -> bytes:
    """Draws a position as a small PNG, ``width`` pixels wide; cached as ``picture`` is."""
    key = (game_key, state, view, width)
    made = _cache.get(key)
    if made is None:
        theme = _theme(view)
        image = _smaller(_sheet(game_key, theme, state, view).image, width)
        made = encoded(reduced(image, _palette(game_key, theme)))
        _cache.put(key, made)
    return made


def alt(game_key: str, state: Any, view: View) -> tuple[Note, ...]:
    """Writes the picture's alternative text: notes whose sentences are joined by spaces, at most 1,024 characters."""
    return BOARDS[game_key].alt(state, view)


def legend_keys(game_key: str) -> tuple[str, ...]:
    """Lists the kinds of pieces that a legend of the game explains; none if a glance tells them apart."""
    return tuple(BOARDS[game_key].legend(THEMES[DEFAULT_THEME], PIECE))


def legend(game_key: str, theme: str, words: Sequence[tuple[str, str]]) -> bytes:
    """Draws the PNG of the game's legend. ``words``: the name and the description of each of ``legend_keys``."""
    chosen = THEMES.get(theme, THEMES[DEFAULT_THEME])
    kinds = BOARDS[game_key].legend(chosen, PIECE).values()
    rows = [LegendRow(pieces, *said) for pieces, said in zip(kinds, words, strict=True)]
    return png(draw_legend(chosen, rows), chosen.colours(BOARDS[game_key].classes))


def spot(game_key: str, cell: str, below: Seat) -> Point:
    """Returns the position of a cell, with the seat ``below`` below: pixels from the left and from the top."""
    return BOARDS[game_key].spot(cell, below)


def is_tall(game_key: str) -> bool:
    """Returns whether the board is higher than wide, so that a phone has less room below its picture."""
    left, top, right, bottom = BOARDS[game_key].core
    return bottom - top > right - left


def needs_sides(view: View) -> bool:
    """Returns whether pictures cannot draw a player's name, so that they need the side's name: ``View.sides``."""
    return not all(map(nameable, view.names))


def counts(game_key: str, state: Any) -> tuple[Note, Note] | None:
    """Writes the words of the counts on the players' strips, for ``View.counts``; None if the game has none."""
    return BOARDS[game_key].counts(state)


def text_lines(game_key: str, state: Any, view: View) -> tuple[tuple[Note, ...], ...]:
    """Describes the position for screen readers: a line for each row or point that is not empty.

    Each line is a few notes whose sentences are joined by spaces; at most 1,500 characters in all with line breaks. A
    line begins with its row or point, so that listeners can skip lines. Screen readers would read a drawing in letters
    character by character.
    """
    return BOARDS[game_key].lines(state, view)


def card(game_key: str, state: Hashable, view: View, lines: Card) -> bytes:
    """Draws a result card as PNG: the last position, the winner and the reason.

    It takes some milliseconds: call it in a thread.
    """
    board, theme = BOARDS[game_key], _theme(view)
    plain = replace(view, names=("", ""), ratings=("", ""), clocks=("", ""), targets=(), chosen=())
    position = _sheet(game_key, theme, state, plain).image
    return encoded(reduced(draw_card(theme, board, position, view, lines).image, _palette(game_key, theme)))


def animation(
    game_key: str,
    frames: Sequence[tuple[Hashable, View]],
    *,
    milliseconds: int = 900,
    last: int = 3000,
    capacity: int = CAPACITY,
) -> bytes:
    """Animates a game as WebP of at most ``capacity`` bytes, if possible.

    A frame is shown for ``milliseconds``, the last one for ``last``. Drawing takes about ten milliseconds a frame: call
    it in a thread. Raises ValueError without frames.
    """

    def paint(number: int, width: int) -> Image.Image:
        state, view = frames[number]
        theme = _theme(view)
        small = _smaller(_sheet(game_key, theme, state, view).image, width)
        return reduced(small, _palette(game_key, theme)).convert("RGB")

    return film(paint, [milliseconds] * (len(frames) - 1) + [last] * bool(frames), capacity)


def _smaller(image: Image.Image, width: int) -> Image.Image:
    """Shrinks the picture to a width in pixels."""
    height = round(image.height * width / image.width)
    return image.resize((width, height), Image.Resampling.BOX if image.width % width == 0 else Image.Resampling.HAMMING)


def _theme(view: View) -> Theme:
    return THEMES.get(view.theme, THEMES[DEFAULT_THEME])


def _sheet(game_key: str, theme: Theme, state: Any, view: View) -> Sheet:
    sheet = Sheet(_ground(game_key, theme, view.below))
    BOARDS[game_key].paint(sheet, theme, state, view)
    return sheet


_making = RLock()
"""Held while shared parts are made, so that only one of several threads makes them."""


@lru_cache(maxsize=8)
def _ground(game_key: str, theme: Theme, below: int) -> Image.Image:
    """Returns an empty board (P): a megabyte, decoded in 2 ms. Nobody may change it."""
    with _making:
        file = _packed(game_key, theme, below)
    return decoded(file)


@lru_cache(maxsize=2 * len(BOARDS) * len(THEMES))
def _packed(game_key: str, theme: Theme, below: int) -> bytes:
    """Draws the file of an empty board: a hundredth of its size, drawn in 50 ms."""
    return encoded(reduced(BOARDS[game_key].ground(theme, below), _palette(game_key, theme)))


@lru_cache(maxsize=len(BOARDS) * len(THEMES))
def _palette(game_key: str, theme: Theme) -> Image.Image:
    with _making:
        return palette(game_key, BOARDS[game_key], theme)
