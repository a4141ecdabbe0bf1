"""Small charts: the curve of a rating, and bars of results."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from render.canvas.pen import Box, Pen, Point, clear
from render.people.views import Tally
from render.theme import RESULTS, Theme

LEAST_RANGE: Final = 80.0
"""The least rating points that a curve's height stands for, so that small changes look small."""
MOST_POINTS: Final = 120
LINE: Final = 5
GAP: Final = 3


class Scale(NamedTuple):
    """The ratings at the bottom and at the top of a curve."""

    low: float
    high: float


def scale_of(curve: Sequence[float]) -> Scale:
    """Returns the scale on which a curve fills its height, or the middle of it if its range is small."""
    low, high = min(curve), max(curve)
    spare = max(0.0, LEAST_RANGE - (high - low)) / 2
    return Scale(low - spare, high + spare)


def thinned(curve: Sequence[float], most: int = MOST_POINTS) -> list[float]:
    """Thins a curve to at most ``most`` values, evenly spread, with the first and the last one."""
    if len(curve) <= most:
        return list(curve)
    return [curve[round(number * (len(curve) - 1) / (most - 1))] for number in range(most)]


def points_of(curve: Sequence[float], box: Box) -> list[Point]:
    """Places the curve in a box, its scale from bottom to top."""
    shown, (low, high) = thinned(curve), scale_of(curve)
    left, top, right, bottom = box
    across = (right - left) / (len(shown) - 1)
    return [
        (left + number * across, bottom - (value - low) / (high - low) * (bottom - top))
        for number, value in enumerate(shown)
    ]


def draw_curve(pen: Pen, theme: Theme, curve: Sequence[float], box: Box) -> None:
    """Draws the curve over a faint area, and a dot at its end."""
    points = points_of(curve, box)
    pen.shape([*points, (box[2], box[3]), (box[0], box[3])], clear(theme.chart, 0.22))
    pen.line(points, LINE, theme.chart)
    x, y = points[-1]
    pen.disc(x, y, LINE * 2, theme.ink)
    pen.disc(x, y, LINE * 2 - 4, theme.chart)


def shares(tally: Tally, wide: int) -> list[int]:
    """Computes the widths of won, drawn and lost on a bar of ``wide`` pixels without gaps.

    Every count above 0 is visible.
    """
    counts = [count for count in tally if count]
    room = wide - GAP * (len(counts) - 1)
    least = min(14, room // 3)
    spare = room - least * len(counts)
    widths = [least + round(spare * count / tally.total) if count else 0 for count in tally]
    largest = max(range(3), key=lambda number: tally[number])
    widths[largest] += room - sum(widths)
    return widths


def draw_bar(pen: Pen, theme: Theme, tally: Tally, box: Box) -> None:
    """Draws a bar of won, drawn and lost. Their tones differ in lightness, and so are distinct without colour."""
    left, top, right, bottom = box
    if not tally.total:
        pen.panel(box, 6, theme.well)
        return
    for width, colour in zip(shares(tally, round(right - left)), RESULTS, strict=True):
        if width:
            pen.panel((left, top, left + width, bottom), 6, colour)
            left += width + GAP
