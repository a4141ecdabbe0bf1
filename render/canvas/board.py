"""The contract of a game's board."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from PIL import Image

from engine.core.game import Game, Mark, Note, Seat
from render.canvas.pen import Point
from render.canvas.sheet import Sheet
from render.theme import Theme
from render.view import View

S = TypeVar("S")


class Sample(NamedTuple):
    """An example of a position with its view."""

    state: Any
    view: View


class Board(ABC, Generic[S]):
    """Paints one game's positions, and describes them in words. Stateless."""

    colours: ClassVar[int] = 64
    """The number of colours in a picture. Flat shapes need few, and fewer make a smaller file."""
    classes: ClassVar[Sequence[int]] = ()
    """The indices of the classes that occur on the board, in ``Theme.classes``."""

    core: ClassVar[tuple[int, int, int, int]]
    """The part of a picture that shows the position without the players: left, top, right, bottom."""

    @abstractmethod
    def ground(self, theme: Theme, below: Seat) -> Image.Image:
        """Draws the empty board (RGB), with the seat ``below`` below."""

    @abstractmethod
    def paint(self, sheet: Sheet, theme: Theme, state: S, view: View) -> None:
        """Draws the position and the view's marks on a sheet with the empty board."""

    @abstractmethod
    def spot(self, cell: str, below: Seat) -> Point:
        """Returns the position of a cell on the picture, with the seat ``below`` below.

        Cells of a row are equally far down.
        """

    @abstractmethod
    def samples(self) -> Mapping[str, Sample]:
        """Returns positions by name that together show everything on the board; the palette is made from them.

        One is ``start``, one is ``middle`` with the last play marked.
        """

    @abstractmethod
    def emblem(self, theme: Theme, seat: Seat, size: int) -> Image.Image:
        """Draws a piece that stands for a seat."""

    def legend(self, theme: Theme, size: int) -> Mapping[str, tuple[Image.Image, ...]]:
        """Draws each kind of piece by its key, as pictures of ``size`` pixels; none if the kinds need no explanation.

        Its words are ``<game>.legend.<key>``: a name, a colon, and a description.
        """
        del theme, size
        return {}

    def counts(self, state: S) -> tuple[Note, Note] | None:
        """Writes the words at the end of the players' strips, by seat, for ``View.counts``; None for no words."""
        del state
        return None

    @abstractmethod
    def lines(self, state: S, view: View) -> tuple[tuple[Note, ...], ...]:
        """Describes the position for screen readers, a line for each row or point. A line's notes are joined by spaces.

        At most 1,500 characters in all.
        """

    @abstractmethod
    def alt(self, state: S, view: View) -> tuple[Note, ...]:
        """Writes the picture's alternative text, as notes that are joined by spaces.

        The first names the seat below: ``<game>.alt.from_<seat>``.
        """


def played(game: Game[Any, Any], state: Any, text: str) -> tuple[Any, tuple[Mark, ...]]:
    """Plays a turn or a part of it, given in notation. Returns the position after it and the marks of its steps."""
    marks: list[Mark] = []
    for step in game.parse(state, text):
        marks += game.marks(state, step)
        state = game.apply(state, step)
    return state, tuple(marks)


def movable(game: Game[Any, Any], state: Any) -> tuple[tuple[str, str], ...]:
    """Returns the cells with a piece that has a legal step, as targets without letters."""
    found = {mark.cell: "" for step in game.legal(state) for mark in game.marks(state, step)[:1]}
    return tuple(found.items())


def lettered(game: Game[Any, Any], state: Any, cell: str) -> tuple[tuple[str, str], ...]:
    """Returns the cells that the piece in ``cell`` can reach with one step, as targets with letters."""
    reached: dict[str, None] = {}
    for step in game.legal(state):
        reached |= {mark.to: None for mark in game.marks(state, step)[:1] if mark.cell == cell and mark.to}
    return tuple(zip(reached, ascii_uppercase, strict=False))
