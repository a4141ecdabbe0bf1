"""Which boards there are, and finished pictures of them, kept for a while."""

from collections.abc import Hashable, Sequence
from dataclasses import replace
from functools import lru_cache
from io import BytesIO
from threading import RLock
from typing import Any, Final

from PIL import Image

from engine.core.game import Note, Seat
from render.canvas.bands import Ground, Shelf, ground_of, png
from render.canvas.board import Board
from render.canvas.card import draw_card
from render.canvas.film import ROOM, film
from render.canvas.kept import Kept
from render.canvas.pen import Point
from render.canvas.sheet import Sheet, palette_of, reduced
from render.canvas.text import nameable
from render.games import abak, abalone, apb, backgammon
from render.theme import THEMES, Theme
from render.view import DEFAULT_THEME, Card, View

BOARDS: Final[dict[str, Board[Any]]] = {
    "abak": abak.BOARD,
    "backgammon": backgammon.BOARD,
    "abalone": abalone.BOARD,
    "apb": apb.BOARD,
}
"""Every game's board by its key."""
CARD_COLOURS: Final = 128
KEPT_BYTES: Final = 16_000_000
"""How much room finished pictures may take."""


BOX_BYTES: Final = 12_000_000
BAND_BYTES: Final = 12_000_000
"""And what they are put together from."""
_kept = Kept[bytes](KEPT_BYTES)
_shelf = Shelf(BOX_BYTES, BAND_BYTES)


def picture(game_key: str, state: Hashable, view: View, *, quick: bool = False) -> bytes:
    """The PNG of a position; the same bytes for the same question. An unknown theme looks like the default one.

    ``quick``: the same picture in three fifths of the time and a third more bytes.

    Takes some milliseconds of work for a new picture, more for the first of a game and theme: not for an event loop.
    """
    made = kept(game_key, state, view, quick=quick)
    if made is None:
        made = fresh(game_key, state, view, quick=quick)
        _kept.put((game_key, state, view, quick), made, len(made))
    return made


def kept(game_key: str, state: Hashable, view: View, *, quick: bool = False) -> bytes | None:
    """The same if it is there already, at once; else None."""
    return _kept.get((game_key, state, view, quick))


def fresh(game_key: str, state: Any, view: View, *, quick: bool = False) -> bytes:
    """The same, made anew."""
    theme = _theme(view)
    with _making:
        ground = _reduced(game_key, theme, view.below)
    return png(_sheet(game_key, theme, state, view), ground, _shelf, quick=quick)


def forget() -> None:
    """Throws away what finished pictures have left for others. The next ones look the same and take longer."""
    _shelf.clear()


def warm(theme: str = DEFAULT_THEME) -> None:
    """Makes what all pictures of a theme share, so that the first one asked for takes no longer than the others."""
    for game_key, board in BOARDS.items():
        state, view = next(iter(board.samples().values()))
        for below in (0, 1):
            picture(game_key, state, replace(view, theme=theme, below=below))


def alt(game_key: str, state: Any, view: View) -> tuple[Note, ...]:
    """What the picture shows, in notes whose sentences are joined by spaces: at most 1,024 characters."""
    return BOARDS[game_key].alt(state, view)


def spot(game_key: str, cell: str, below: Seat) -> Point:
    """Where a cell lies on the picture, seen from a seat's side: how far from the left, how far down."""
    return BOARDS[game_key].spot(cell, below)


def needs_sides(view: View) -> bool:
    """Whether a player's name has no letter that pictures can draw, so that they show the side's: ``View.sides``."""
    return not all(map(nameable, view.names))


def text_lines(game_key: str, state: Any, view: View) -> tuple[tuple[Note, ...], ...]:
    """The position in words, made for screen readers: a line for each row or point that is not empty.

    Each line is a few notes whose sentences are joined by spaces; at most 1,500 characters in all with line breaks.
    Whoever listens can go from line to line, and a line begins with the row or point that it tells about, so that most
    need not be heard to the end; a drawing in letters would be read as a heap of signs.
    """
    return BOARDS[game_key].lines(state, view)


def card(game_key: str, state: Hashable, view: View, lines: Card) -> bytes:
    """The PNG of a result card: the last position, who won and how. Takes longer than a picture: once a game."""
    board, theme = BOARDS[game_key], _theme(view)
    plain = replace(view, names=("", ""), clocks=("", ""), targets=(), chosen=())
    image = draw_card(theme, board, _sheet(game_key, theme, state, plain).image, view, lines)
    palette = palette_of([image], theme.colours(board.classes), CARD_COLOURS)
    file = BytesIO()
    reduced(image, palette).save(file, "PNG")
    return file.getvalue()


def animation(
    game_key: str,
    frames: Sequence[tuple[Hashable, View]],
    *,
    milliseconds: int = 900,
    last: int = 3000,
    room: int = ROOM,
) -> bytes:
    """A game as a moving WebP of at most ``room`` bytes: each frame for so long, the last one longer.

    Takes about ten milliseconds a frame: to be called in a thread. Raises ValueError without frames.
    """

    def paint(number: int, width: int) -> Image.Image:
        state, view = frames[number]
        theme = _theme(view)
        image = _sheet(game_key, theme, state, view).image
        height = round(image.height * width / image.width)
        small = image.resize(
            (width, height), Image.Resampling.BOX if image.width % width == 0 else Image.Resampling.HAMMING
        )
        with _making:
            palette = _palette(game_key, theme)
        return reduced(small, palette).convert("RGB")

    return film(paint, [milliseconds] * (len(frames) - 1) + [last] * bool(frames), room)


def _theme(view: View) -> Theme:
    return THEMES.get(view.theme, THEMES[DEFAULT_THEME])


def _sheet(game_key: str, theme: Theme, state: Any, view: View) -> Sheet:
    board = BOARDS[game_key]
    with _making:
        ground = _ground(game_key, theme, view.below)
    sheet = Sheet(ground)
    board.paint(sheet, theme, state, view)
    return sheet


_making = RLock()
"""Held by whoever asks for what many pictures share: of many threads that want it at once, one makes it."""


@lru_cache(maxsize=2 * len(BOARDS) * len(THEMES))
def _ground(game_key: str, theme: Theme, below: int) -> Image.Image:
    return BOARDS[game_key].ground(theme, below)


@lru_cache(maxsize=2 * len(BOARDS) * len(THEMES))
def _reduced(game_key: str, theme: Theme, below: int) -> Ground:
    palette = _palette(game_key, theme)
    return ground_of((game_key, theme.name, below), _ground(game_key, theme, below), palette)


@lru_cache(maxsize=len(BOARDS) * len(THEMES))
def _palette(game_key: str, theme: Theme) -> Image.Image:
    board = BOARDS[game_key]
    samples = (_sheet(game_key, theme, state, view).image for state, view in board.samples().values())
    return palette_of(samples, theme.colours(board.classes), board.colours)
