"""Thin numbered arrows: the steps of a play in their order.

An arrow is a light line in a dark casing, or a dark line in a light one, so that it is visible on any ground. A small
disc at its tail has the number of the step, or the number of equal steps that it stands for. On a phone, where a
picture has a third of its width, the line is three pixels wide and more, and the number nine high.

A long arrow would be one large and nearly empty sprite. It is drawn as narrow tiles, so that a picture stays fast.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import atan2, ceil, cos, floor, hypot, pi, sin
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from engine.core.sized_cache import remembered
from render.canvas.cache_budgets import BESIDES, BUDGET, size_of
from render.canvas.marks import CHOSEN, casing, colour_of
from render.canvas.pen import HARD, Pen, Point
from render.canvas.sheet import Sheet
from render.canvas.text import BOLD
from render.theme import Theme

DISC: Final = 44
"""The size of the disc of a label."""
_DIGIT: Final = 37
_TWO_DIGITS: Final = 34
_LINE: Final = {CHOSEN: 11.0}
_THIN: Final = 9.0
"""The width of an arrow's line, of a draft and of the last play, without the casing."""
_CASING: Final = 2.0
_HEAD: Final = 16.0
"""Half of the width of an arrow's head."""
_TILE: Final = 120
"""The rows of a tile."""
_SCALE: Final = 3
_PARTS: Final = 20
"""The number of straight parts of a bowed arrow."""


class Step(NamedTuple):
    """An arrow from one point of the sheet to another; without a ``label``, such as a number, it has no disc."""

    start: Point
    end: Point
    label: str = ""
    bow: float = 0.0
    """The bend of the arrow's middle to its left, in pixels; negative to its right."""


class _Tile(NamedTuple):
    casing: Image.Image
    line: Image.Image
    """Masks (L)."""
    x: float
    y: float
    """The middle, from the arrow's start."""


def draw_steps(sheet: Sheet, theme: Theme, layer: str, taken: Sequence[Step], *, short: float = 0.0) -> None:
    """Draws the arrows of a play, then all discs with their labels, so that no arrow covers a number.

    Arrows end ``short`` pixels before their ends: at the rim of a piece that stands there. ``layer``: as for marks.
    """
    for step in taken:
        draw_arrow(sheet, theme, layer, step, short=short)
    for step in taken:
        if step.label:
            draw_label(sheet, theme, layer, step.start, step.label)


def draw_arrow(sheet: Sheet, theme: Theme, layer: str, step: Step, *, short: float = 0.0) -> None:
    """Draws an arrow without its label."""
    (x, y), end = step.start, step.end
    across, down = round(end[0] - x), round(end[1] - y)
    if hypot(across, down) < short + 1:
        return
    for tile in _arrow(_LINE.get(layer, _THIN), across, down, round(step.bow), round(short)):
        for mask, colour in ((tile.casing, casing(theme, layer)), (tile.line, colour_of(theme, layer))):
            sheet.put(mask, round(x) + tile.x, round(y) + tile.y, colour)


def draw_label(sheet: Sheet, theme: Theme, layer: str, at: Point, label: str) -> None:
    """Draws the disc of a step with its label."""
    sheet.put(_disc(theme, layer), *at)
    size = _DIGIT if len(label) == 1 else _TWO_DIGITS
    sheet.text(*at, label, size, casing(theme, layer), weight=BOLD, edges=HARD)


@lru_cache(maxsize=16)
def _disc(theme: Theme, layer: str) -> Image.Image:
    pen, middle = Pen(DISC, DISC, edges=HARD), DISC / 2
    pen.disc(middle, middle, middle, casing(theme, layer))
    pen.disc(middle, middle, middle - 2.5, colour_of(theme, layer))
    return pen.finish()


@remembered(BUDGET["arrows"], lambda tiles: BESIDES + sum(2 * size_of(tile.line) + BESIDES for tile in tiles))
def _arrow(wide: float, across: int, down: int, bow: int, short: int) -> tuple[_Tile, ...]:
    """Draws the tiles of an arrow; ``across`` and ``down`` are the distances from its start to its end."""
    line = _cut(_line(across, down, bow), short)
    (near_x, near_y), end = line[-2], line[-1]
    angle = atan2(end[1] - near_y, end[0] - near_x)
    back = _HEAD * 1.7
    neck = (end[0] - back * cos(angle), end[1] - back * sin(angle))
    shaft = [*[point for point in line[:-1] if hypot(point[0] - end[0], point[1] - end[1]) > back], neck]
    head = [(neck[0] + _HEAD * cos(angle + turn), neck[1] + _HEAD * sin(angle + turn)) for turn in (pi / 2, -pi / 2)]
    tip = [head[0], end, head[1]]
    margin = _HEAD + _CASING + 2
    top, bottom = (edge([y for _, y in line]) for edge in (min, max))
    tiles = []
    for upper in range(floor(top - margin), ceil(bottom + margin), _TILE):
        lower = min(upper + _TILE, ceil(bottom + margin))
        found = _across(line, upper - margin, lower + margin)
        if found is None:
            continue
        left, right = floor(found[0] - margin), ceil(found[1] + margin)
        tile = _part((left, upper, right, lower), shaft, tip, wide)
        box = tile.getbbox()
        if box is not None:
            cut = tile.crop(box)
            masks = cut.point([0, *[255] * 255]), cut.point([0, 0, *[255] * 254])
            tiles.append(_Tile(*masks, left + box[0] + cut.width / 2, upper + box[1] + cut.height / 2))
    return tuple(tiles)


def _line(across: int, down: int, bow: int) -> list[Point]:
    """Returns the points of an arrow's line: two, or those of a quadratic Bézier curve."""
    if not bow:
        return [(0, 0), (across, down)]
    length = hypot(across, down)
    # a curve's middle is half as far from its chord as its control point
    bent = (across / 2 + 2 * bow * down / length, down / 2 - 2 * bow * across / length)
    found = []
    for part in range(_PARTS + 1):
        t = part / _PARTS
        first, last = 2 * t * (1 - t), t * t
        found.append((first * bent[0] + last * across, first * bent[1] + last * down))
    return found


def _cut(line: list[Point], short: int) -> list[Point]:
    """Cuts the last ``short`` pixels, as the crow flies, off a line."""
    end = line[-1]
    far = [point for point in line if hypot(point[0] - end[0], point[1] - end[1]) > short]
    if len(far) == len(line) or not far:
        return line
    first, last = far[-1], line[len(far)]
    low, high = 0.0, 1.0
    for _ in range(10):
        share = (low + high) / 2
        x, y = first[0] + (last[0] - first[0]) * share, first[1] + (last[1] - first[1]) * share
        low, high = (share, high) if hypot(x - end[0], y - end[1]) > short else (low, share)
    return [*far, (x, y)]


def _across(line: Sequence[Point], upper: float, lower: float) -> tuple[float, float] | None:
    """Finds the range in which a line crosses between two heights; None if it is not between them."""
    found: list[float] = []
    for (x, y), (next_x, next_y) in pairwise(line):
        low, high = sorted((y, next_y))
        if high < upper or low > lower:
            continue
        for height in (max(low, upper), min(high, lower)):
            share = (height - y) / (next_y - y) if next_y != y else 0.0
            found.append(x + share * (next_x - x))
        if next_y == y:
            found += [x, next_x]
    return (min(found), max(found)) if found else None


def _part(box: tuple[int, int, int, int], shaft: Sequence[Point], tip: Sequence[Point], wide: float) -> Image.Image:
    """Draws the part of an arrow in a box (L): 1 is its casing, 2 its line.

    Edges are hard: a pixel belongs to the arrow if its middle does.
    """
    left, top, right, bottom = box
    size = (right - left, bottom - top)
    large = Image.new("L", (size[0] * _SCALE, size[1] * _SCALE))
    draw = ImageDraw.Draw(large)
    points = [((x - left) * _SCALE, (y - top) * _SCALE) for x, y in shaft]
    corners = [((x - left) * _SCALE, (y - top) * _SCALE) for x, y in tip]
    low, high = -_HEAD * _SCALE, large.height + _HEAD * _SCALE  # most of an arrow is in other tiles
    segments = [
        ends for ends in pairwise(points) if max(ends[0][1], ends[1][1]) > low and min(ends[0][1], ends[1][1]) < high
    ]
    has_tip = max(y for _, y in corners) > low and min(y for _, y in corners) < high
    for part, more in ((1, _CASING), (2, 0.0)):
        half, around = (wide / 2 + more) * _SCALE, 2 * more * _SCALE
        for (x, y), end in segments:
            draw.line((x, y, *end), fill=part, width=round(2 * half))
            draw.ellipse((x - half, y - half, x + half, y + half), fill=part)
        if has_tip:
            draw.polygon(corners, fill=part)
        if has_tip and more:
            draw.line([*corners, corners[0]], fill=part, width=round(around))
            for x, y in corners:
                draw.ellipse((x - around / 2, y - around / 2, x + around / 2, y + around / 2), fill=part)
    return large.resize(size, Image.Resampling.NEAREST)
