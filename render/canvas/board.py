"""What every game's board offers to the registry."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import ClassVar, Generic, TypeVar

from PIL import Image

from engine.core.game import Note, Seat
from render.canvas.sheet import Sheet
from render.theme import Theme
from render.view import View

S = TypeVar("S")


class Board(ABC, Generic[S]):
    """Paints one game's positions. Stateless."""

    keys: ClassVar[Mapping[str, tuple[str, ...]]]
    """The message keys of its alternative texts, with the names of their parameters."""

    @abstractmethod
    def ground(self, theme: Theme, below: Seat) -> Image.Image:
        """The empty board (RGB), seen from a seat's side."""

    @abstractmethod
    def paint(self, sheet: Sheet, theme: Theme, state: S, view: View) -> None:
        """Puts the position and the view's marks on a sheet that shows the empty board."""

    @abstractmethod
    def samples(self) -> Iterable[tuple[S, View]]:
        """Positions that together show everything that this board can show: the palette is made from them."""

    @abstractmethod
    def alt(self, state: S, view: View) -> tuple[Note, ...]:
        """What the picture shows, to be said in words: the sentences are joined by spaces."""
