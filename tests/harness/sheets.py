"""A sheet that tells what was drawn on it."""

from render.canvas.sheet import Sheet
from render.registry import BOARDS
from render.theme import WOOD


class Record(Sheet):
    """A sheet that also remembers what was put where."""

    def __init__(self, game: str) -> None:
        super().__init__(BOARDS[game].ground(WOOD, 0))
        self.put_at: list[tuple[int, float, float]] = []
        self.written: list[str] = []

    def put(self, sprite, x, y, colour=None) -> None:  # noqa: ANN001 - as the method that it wraps
        self.put_at.append((id(sprite), x, y))
        super().put(sprite, x, y, colour)

    def text(self, x, y, text, *args, **rest) -> None:  # noqa: ANN001, ANN002, ANN003 - as the method that it wraps
        self.written.append(text)
        super().text(x, y, text, *args, **rest)

    def places(self, sprite: object) -> list[tuple[float, float]]:
        return [(x, y) for what, x, y in self.put_at if what == id(sprite)]
