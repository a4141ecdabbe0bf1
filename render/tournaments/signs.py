"""The signs on pictures of tournaments: tiles of results, states, gains of places. All are distinct without colour."""

from functools import lru_cache
from typing import Final

from PIL import Image

from render.canvas.pen import Pen, Point, ink, mix
from render.canvas.pieces import dial
from render.canvas.sheet import Sheet
from render.canvas.text import BOLD, MEDIUM, fitted, width
from render.theme import RESULT_INKS, RESULTS, Colour, Theme
from render.tournaments.views import Cell, Outcome, State

_EDGE: Final = 3
_WITHOUT_TEXT: Final = frozenset({Outcome.NONE, Outcome.SELF})
_INKS: Final = dict(zip((Outcome.WON, Outcome.DRAWN, Outcome.LOST), RESULT_INKS, strict=True))
_CLOCK: Final = 36
_AGAINST: Final = 28
"""The size of the text of a result's opponent."""
_APART: Final = 4
"""The distance between the result and the opponent."""


@lru_cache(maxsize=256)
def tile(theme: Theme, outcome: Outcome, wide: int, high: int) -> Image.Image:
    """Draws the ground of a result. A win has four round corners, a draw two, a loss none.

    Tiles of games are filled. Those of forfeits are empty with a thick edge (for a lost one, with a part of it), those
    of byes with a thin edge. A running game has a clock instead of a tile.
    """
    pen = Pen(wide, high)
    box, inner = (0, 0, wide, high), (_EDGE, _EDGE, wide - _EDGE, high - _EDGE)
    corner = high * 0.42
    won, drawn, lost = RESULTS
    if outcome is Outcome.WON:
        pen.panel(box, corner, mix(won, "#000000", 0.5))
        pen.panel(inner, corner - _EDGE, won)
    elif outcome is Outcome.DRAWN:
        _leaf(pen, box, corner, mix(drawn, "#ffffff", 0.5))
        _leaf(pen, inner, corner - _EDGE, drawn)
    elif outcome is Outcome.LOST:
        pen.panel(box, 4, mix(lost, "#ffffff", 0.5))
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
        pen.panel((wide / 2 - 8, high / 2 - 2, wide / 2 + 8, high / 2 + 2), 0, mix(theme.frame, theme.faint, 0.5))
    elif outcome is Outcome.SELF:
        pen.panel((wide * 0.16, high * 0.16, wide * 0.84, high * 0.84), 2, mix(theme.frame, theme.ink, 0.25))
    return pen.finish()


def _leaf(pen: Pen, box: tuple[float, float, float, float], corner: float, colour: Colour) -> None:
    """Draws a panel with the upper left and the lower right corner round."""
    left, top, right, bottom = box
    pen.panel(box, corner, colour)
    for x, y in ((right - corner, top), (left, bottom - corner)):
        pen.panel((x, y, x + corner, y + corner), 3, colour)


def draw_cell(sheet: Sheet, theme: Theme, at: Point, cell: Cell, size: tuple[int, int], letters: int) -> None:
    """Draws a result with its middle at a point, and its opponent; ``letters`` is the size of its text."""
    x, y = at
    if cell.outcome is not Outcome.RUNNING:
        sheet.put(tile(theme, cell.outcome, *size), x, y)
    if cell.outcome in _WITHOUT_TEXT:
        return
    weight = MEDIUM if cell.outcome in {Outcome.ABSENT, Outcome.BYE} else BOLD
    against = _against(cell)
    more = width(against, _AGAINST) + _APART if against else 0
    room = size[0] - more
    shown = fitted(cell.text, letters, room, weight)
    own = _CLOCK if cell.outcome is Outcome.RUNNING else width(shown, letters, weight)
    left, right = x - (own + more) / 2, x + (own + more) / 2
    ink = _INKS.get(cell.outcome, theme.ink)
    if cell.outcome is Outcome.RUNNING:
        sheet.put(dial(theme, _CLOCK), left + own / 2, y)
    else:
        is_faint = cell.outcome in {Outcome.ABSENT, Outcome.BYE}
        sheet.text(left + own / 2, y, shown, letters, theme.faint if is_faint else ink, weight=weight)
    sheet.text(right, y, against, _AGAINST, ink, anchor="r")


def cell_width(cell: Cell, letters: int) -> int:
    """Measures the texts of a result."""
    own = _CLOCK if cell.outcome is Outcome.RUNNING else width(cell.text, letters, BOLD)
    return own + (_APART + width(_against(cell), _AGAINST) if cell.against else 0)


def _against(cell: Cell) -> str:
    """Returns the opponent in brackets, as a 1 against 5 would read like 15; empty without one."""
    return f"({cell.against})" if cell.against else ""


@lru_cache(maxsize=64)
def state_sign(theme: Theme, state: State, size: int) -> Image.Image:
    """Draws a disc with a tick (done), a ring around a dot (running) or an empty ring (planned)."""
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
    """Draws a triangle upwards or downwards."""
    pen = Pen(size, size)
    tip, base = (size * 0.12, size * 0.84) if up else (size * 0.88, size * 0.16)
    pen.shape([(size / 2, tip), (size, base), (0, base)], colour)
    return pen.finish()


def draw_gain(sheet: Sheet, theme: Theme, right: float, middle: float, moved: int, size: int) -> None:
    """Draws the number of places gained or lost, with a triangle up or down, to the left of ``right``."""
    if not moved:
        return
    colour, text = (theme.ink if moved > 0 else theme.faint), str(abs(moved))
    sheet.text(right, middle, text, size, colour, anchor="r")
    sheet.put(_gain(colour, size - 10, up=moved > 0), right - width(text, size) - 5 - (size - 10) / 2, middle)


def gain_width(moved: int, size: int) -> int:
    """Measures the width of ``draw_gain``."""
    return width(str(abs(moved)), size) + size - 5 if moved else 0


@lru_cache(maxsize=256)
def rule(colour: Colour, wide: int, thick: int) -> Image.Image:
    return Image.new("RGBA", (wide, thick), ink(colour))
