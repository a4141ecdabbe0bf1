"""The signs on pictures of tournaments: tiles of results, states, gains of places. None is told by its colour alone."""

from functools import lru_cache
from typing import Final

from PIL import Image

from render.canvas.pen import Pen, Point, ink, mix
from render.canvas.sheet import Sheet
from render.canvas.text import BOLD, MEDIUM, fitted, width
from render.theme import Colour, Theme
from render.tournaments.views import Cell, Outcome, State

_EDGE: Final = 3
_WITHOUT_TEXT: Final = frozenset({Outcome.NONE, Outcome.SELF})


@lru_cache(maxsize=256)
def tile(theme: Theme, outcome: Outcome, wide: int, high: int) -> Image.Image:
    """The ground of a result. What was won is round, what was drawn has two round corners, what was lost has none.

    Tiles of games are filled; those of forfeits are empty with a thick edge (of the lost ones a part of it),
    those of byes with a thin one. A game that
    goes on has no tile but three dots.
    """
    pen = Pen(wide, high)
    box, inner = (0, 0, wide, high), (_EDGE, _EDGE, wide - _EDGE, high - _EDGE)
    corner = high * 0.42
    won, drawn, lost = theme.results()
    if outcome is Outcome.WON:
        pen.panel(box, corner, theme.white.edge)
        pen.panel(inner, corner - _EDGE, won)
    elif outcome is Outcome.DRAWN:
        _leaf(pen, box, corner, theme.white.edge)
        _leaf(pen, inner, corner - _EDGE, mix(drawn, theme.odd, 0.25))
    elif outcome is Outcome.LOST:
        pen.panel(box, 4, theme.black.edge)
        pen.panel(inner, 2, lost)
    elif outcome is Outcome.FORFEIT_WON:
        pen.outline(box, corner, 6, theme.ink)
    elif outcome is Outcome.FORFEIT_LOST:
        end = max(10, round(wide * 0.2))
        for left, right, bar in ((0, end, 0), (wide - end, wide, wide - 6)):
            pen.panel((bar, 0, bar + 6, high), 0, theme.ink)
            for top in (0, high - 5):
                pen.panel((left, top, right, top + 5), 0, theme.ink)
    elif outcome is Outcome.BYE:
        pen.outline(box, corner, 2, theme.faint)
    elif outcome is Outcome.NONE:
        pen.disc(wide / 2, high / 2, 4, mix(theme.frame, theme.faint, 0.5))
    elif outcome is Outcome.SELF:
        pen.panel((wide * 0.16, high * 0.16, wide * 0.84, high * 0.84), 2, mix(theme.frame, theme.ink, 0.25))
    return pen.finish()


def _leaf(pen: Pen, box: tuple[float, float, float, float], corner: float, colour: Colour) -> None:
    """A panel with the upper left and the lower right corner round."""
    left, top, right, bottom = box
    pen.panel(box, corner, colour)
    for x, y in ((right - corner, top), (left, bottom - corner)):
        pen.panel((x, y, x + corner, y + corner), 3, colour)


def draw_cell(sheet: Sheet, theme: Theme, at: Point, cell: Cell, size: tuple[int, int], letters: int) -> None:
    """A result with its middle at a point; ``letters`` is the size of its text."""
    x, y = at
    if cell.outcome is Outcome.RUNNING:
        sheet.put(_dots(theme), x, y + size[1] / 2 - 5 if cell.text else y)
        y -= 4
    else:
        sheet.put(tile(theme, cell.outcome, *size), x, y)
    if cell.outcome in _WITHOUT_TEXT:
        return
    inks = {
        Outcome.WON: theme.white.ink,
        Outcome.DRAWN: theme.white.ink,
        Outcome.LOST: theme.black.ink,
        Outcome.ABSENT: theme.faint,
        Outcome.BYE: theme.faint,
    }
    weight = MEDIUM if cell.outcome in {Outcome.ABSENT, Outcome.BYE} else BOLD
    shown = fitted(cell.text, letters, size[0], weight)
    sheet.text(x, y, shown, letters, inks.get(cell.outcome, theme.ink), weight=weight)


@lru_cache(maxsize=8)
def _dots(theme: Theme) -> Image.Image:
    pen = Pen(36, 8)
    for place in range(3):
        pen.disc(4 + 14 * place, 4, 4, theme.ink)
    return pen.finish()


@lru_cache(maxsize=64)
def state_sign(theme: Theme, state: State, size: int) -> Image.Image:
    """A disc with a tick for what is done, a ring around a dot for what goes on, an empty ring for what is planned."""
    pen, middle = Pen(size, size), size / 2
    if state is State.DONE:
        pen.disc(middle, middle, middle, theme.ink)
        _tick(pen, size, theme.frame)
        return pen.finish()
    pen.disc(middle, middle, middle, theme.ink if state is State.RUNNING else theme.faint)
    pen.disc(middle, middle, middle - max(2, size / 11), theme.frame)
    if state is State.RUNNING:
        pen.disc(middle, middle, size * 0.27, theme.ink)
        pen.disc(middle, middle, size * 0.22, theme.award)
    return pen.finish()


@lru_cache(maxsize=16)
def tick(theme: Theme, size: int) -> Image.Image:
    pen = Pen(size, size)
    _tick(pen, size, theme.ink)
    return pen.finish()


def _tick(pen: Pen, size: int, colour: Colour) -> None:
    pen.line([(size * 0.27, size * 0.53), (size * 0.43, size * 0.69), (size * 0.73, size * 0.34)], size * 0.11, colour)


@lru_cache(maxsize=32)
def _gain(colour: Colour, size: int, *, up: bool) -> Image.Image:
    """A triangle upwards or downwards."""
    pen = Pen(size, size)
    tip, base = (size * 0.12, size * 0.84) if up else (size * 0.88, size * 0.16)
    pen.shape([(size / 2, tip), (size, base), (0, base)], colour)
    return pen.finish()


def draw_gain(sheet: Sheet, theme: Theme, right: float, middle: float, moved: int, size: int) -> None:
    """How many places a player gained or lost: a triangle up or down and the number, up to a right edge."""
    if not moved:
        return
    colour, text = (theme.ink if moved > 0 else theme.faint), str(abs(moved))
    sheet.text(right, middle, text, size, colour, anchor="r")
    sheet.put(_gain(colour, size - 10, up=moved > 0), right - width(text, size) - 5 - (size - 10) / 2, middle)


def gain_width(moved: int, size: int) -> int:
    """How wide ``draw_gain`` draws."""
    return width(str(abs(moved)), size) + size - 5 if moved else 0


@lru_cache(maxsize=256)
def rule(colour: Colour, wide: int, thick: int) -> Image.Image:
    """A straight line."""
    return Image.new("RGBA", (wide, thick), ink(colour))
