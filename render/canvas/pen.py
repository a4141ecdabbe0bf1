"""Antialiased shapes: each is drawn large and scaled down once, then kept as a sprite.

Coordinates are pixels of the finished picture, as floats; the pen scales them.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import ceil, cos, floor, hypot, pi, sin
from typing import Final

from PIL import Image, ImageColor, ImageDraw

from render.theme import Colour

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Ink = tuple[int, int, int, int]
Mover = Callable[[Sequence[Point]], list[Point]]

SPRITE_SCALE: Final = 8
"""The factor by which shapes are drawn larger than shown."""
EDGES: Final = 3
"""The levels of opacity at the edge of a shape: transparent, half, opaque. With more, pictures look the same even at
twice the size, and files are larger.
"""


HARD: Final = 2
"""The levels of a hard edge: transparent, opaque.

It takes a tenth off the size of a board's file; the difference is visible only in pictures larger than on a phone or in
a chat.
"""


def ink(colour: Colour) -> Ink:
    """Splits a colour into red, green, blue and opacity, 0 to 255."""
    red, green, blue, *opacity = ImageColor.getrgb(colour)
    return red, green, blue, opacity[0] if opacity else 255


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """Mixes two colours; ``share`` 0 gives the first, 1 the second."""
    mixed = (round(a + (b - a) * share) for a, b in zip(ink(first)[:3], ink(second)[:3], strict=True))
    return "#{:02x}{:02x}{:02x}".format(*mixed)


def clear(colour: Colour, opacity: float) -> Colour:
    """Gives the colour an opacity from 0 to 1."""
    return f"{colour[:7]}{round(opacity * 255):02x}"


def regular(x: float, y: float, radius: float, corners: int, turned: float = 0.0) -> list[Point]:
    """Computes the corners of a regular polygon; ``turned`` in degrees, 0 with a corner to the right."""
    angles = (2 * pi * corner / corners + turned * pi / 180 for corner in range(corners))
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def star(x: float, y: float, outer: float, inner: float, rays: int) -> list[Point]:
    """Computes the corners of a star with one ray upwards."""
    tips = regular(x, y, outer, rays, -90)
    dents = regular(x, y, inner, rays, -90 + 180 / rays)
    return [corner for pair in zip(tips, dents, strict=True) for corner in pair]


def bend(start: Point, first: Point, second: Point, end: Point, parts: int = 24) -> list[Point]:
    """Computes the points of a cubic Bézier curve."""
    found = []
    for part in range(parts + 1):
        t = part / parts
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        found.append(
            (
                a * start[0] + b * first[0] + c * second[0] + d * end[0],
                a * start[1] + b * first[1] + c * second[1] + d * end[1],
            )
        )
    return found


class Pen:
    """Draws on one image: a transparent one (RGBA), or with ``ground`` an opaque one (RGB).

    Every shape's mask is drawn large and reduced to few levels of opacity. Later shapes cover earlier ones. These show
    through transparent colours.
    """

    def __init__(
        self,
        width: float,
        height: float,
        ground: Colour | None = None,
        scale: int = SPRITE_SCALE,
        edges: int = EDGES,
    ) -> None:
        """Makes an empty image. ``edges``: the levels of opacity at the edges of shapes, EDGES or HARD."""
        self.scale, self.edges = scale, edges
        size = (ceil(width), ceil(height))
        self._image = Image.new("RGB", size, ground) if ground else Image.new("RGBA", size, (0, 0, 0, 0))

    def finish(self) -> Image.Image:
        return self._image

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        left, top = floor(x - radius), floor(y - radius)
        box = (x - radius - left, y - radius - top, x + radius - left, y + radius - top)
        self._blend(_disc(box, self.scale), left, top, colour)

    def ring(self, x: float, y: float, radius: float, width: float, colour: Colour) -> None:
        """Draws a circle's line of ``width`` pixels, inside ``radius``."""
        line, box = round(width * self.scale), (x - radius, y - radius, x + radius, y + radius)
        self._put(box, colour, lambda d, b, _: d.ellipse(b, outline=255, width=line))

    def ball(self, x: float, y: float, radius: float, tones: Sequence[Colour], at: Point) -> None:
        """Draws a disc lit from one side: ``tones`` from its rim to the highlight at ``at`` (in radii from the
        centre).
        """
        for number, tone in enumerate(tones):
            share = number / len(tones)
            within = radius * (1 - share * 0.12 - share * share * 0.72)
            self.disc(x + at[0] * (radius - within), y + at[1] * (radius - within), within, tone)

    def shape(self, corners: Sequence[Point], colour: Colour) -> None:
        """Draws a filled polygon."""
        self._put(_bounds(corners, 0), colour, lambda d, _, moved: d.polygon(moved(corners), fill=255))

    def wedge(self, base: Point, half: float, tip: float, colour: Colour) -> None:
        """Draws a tall triangle with its tip at the height ``tip``, whose sides have steps of a pixel.

        With steps many rows are equal to the row above, which costs nearly nothing in a PNG.
        """
        x, foot = base
        parts = round(half)
        for part in range(parts):
            rows = sorted((foot + (tip - foot) * part / parts, foot + (tip - foot) * (part + 1) / parts))
            wide = half - part
            self.panel((x - wide, round(rows[0]), x + wide, round(rows[1])), 0, colour)

    def line(self, corners: Sequence[Point], width: float, colour: Colour) -> None:
        """Draws a line through the corners with round joints and ends."""
        thick, half = round(width * self.scale), width / 2 * self.scale

        def draw(mask: ImageDraw.ImageDraw, _: Box, moved: Mover) -> None:
            points = moved(corners)
            mask.line(points, fill=255, width=thick)
            for x, y in points:
                mask.ellipse((x - half, y - half, x + half, y + half), fill=255)

        self._put(_bounds(corners, width), colour, draw)

    def panel(self, box: Box, radius: float, colour: Colour) -> None:
        """Draws a rectangle with round corners."""
        corner = ceil(radius) + 1
        if all(edge == round(edge) for edge in box) and min(box[2] - box[0], box[3] - box[1]) > 2 * corner + 2:
            left, top, right, bottom = (round(edge) for edge in box)
            self._blend(_rounded(right - left, bottom - top, radius, corner, self.scale), left, top, colour)
            return
        self._put(box, colour, lambda d, b, _: d.rounded_rectangle(b, radius * self.scale, fill=255))

    def outline(self, box: Box, radius: float, width: float, colour: Colour) -> None:
        """Draws the line of a rectangle with round corners."""
        line = round(width * self.scale)
        self._put(
            box, colour, lambda d, b, _: d.rounded_rectangle(b, radius * self.scale, fill=None, outline=255, width=line)
        )

    def _put(self, box: Box, colour: Colour, draw: Callable[[ImageDraw.ImageDraw, Box, Mover], None]) -> None:
        """Blends ``colour`` in through the mask that ``draw`` draws."""
        left, top = floor(box[0]), floor(box[1])
        scale = self.scale

        def moved(corners: Sequence[Point]) -> list[Point]:
            return [((x - left) * scale, (y - top) * scale) for x, y in corners]

        mask, drawn = _large((box[0] - left, box[1] - top, box[2] - left, box[3] - top), scale)
        draw(ImageDraw.Draw(mask), drawn, moved)
        self._blend(mask.reduce(scale), left, top, colour)

    def _blend(self, mask: Image.Image, left: int, top: int, colour: Colour) -> None:
        *colours, opacity = ink(colour)
        mask = mask.point(steps(self.edges, opacity))
        if self._image.mode == "RGB":
            self._image.paste(tuple(colours), (left, top), mask)
        else:
            layer = Image.new("RGBA", mask.size, (*colours, 0))
            layer.putalpha(mask)
            self._image.alpha_composite(layer, (max(0, left), max(0, top)), (max(0, -left), max(0, -top)))


def _large(box: Box, scale: int) -> tuple[Image.Image, Box]:
    """Makes an empty, enlarged mask of the pixels that a box touches, and moves the box onto it."""
    mask = Image.new("L", (ceil(box[2]) * scale, ceil(box[3]) * scale))
    left, top, right, bottom = (round(edge * scale) for edge in box)
    return mask, (left, top, right - 1, bottom - 1)


@lru_cache(maxsize=256)
def _disc(box: Box, scale: int) -> Image.Image:
    """Draws the mask of a disc.

    It is cached, since many are equal: pips, hollows, the stones of all classes and themes.
    """
    mask, drawn = _large(box, scale)
    ImageDraw.Draw(mask).ellipse(drawn, fill=255)
    return mask.reduce(scale)


def _rounded(wide: int, high: int, radius: float, corner: int, scale: int) -> Image.Image:
    """Draws the mask of a large panel with edges at whole pixels: only its corners are drawn large.

    An enlarged mask of the whole panel would be huge.
    """
    small, side = _corners(radius, corner, scale), 2 * corner + 2
    mask = Image.new("L", (wide, high), 255)
    for x, across in ((0, 0), (side - corner, wide - corner)):
        for y, down in ((0, 0), (side - corner, high - corner)):
            mask.paste(small.crop((x, y, x + corner, y + corner)), (across, down))
    return mask


@lru_cache(maxsize=64)
def _corners(radius: float, corner: int, scale: int) -> Image.Image:
    """Draws the mask of the smallest panel with such corners."""
    side = (2 * corner + 2) * scale
    small = Image.new("L", (side, side))
    ImageDraw.Draw(small).rounded_rectangle((0, 0, side - 1, side - 1), radius * scale, fill=255)
    return small.reduce(scale)


def step(value: int, edges: int = EDGES) -> int:
    """Rounds to the nearest of the few opacities of edges. A file with few colours is small."""
    return round(value / 255 * (edges - 1)) * 255 // (edges - 1)


@lru_cache(maxsize=64)
def steps(edges: int, opacity: int = 255) -> list[int]:
    """Tabulates ``step`` for all 256 values, for ``Image.point``; ``opacity`` is that of the whole shape."""
    return [step(value, edges) * opacity // 255 for value in range(256)]


def _bounds(corners: Sequence[Point], margin: float) -> Box:
    across, down = [x for x, _ in corners], [y for _, y in corners]
    return min(across) - margin, min(down) - margin, max(across) + margin, max(down) + margin


def shadowed(sprite: Image.Image, drop: float = 2.5, strength: float = 0.3) -> Image.Image:
    """Adds a narrow shadow below the sprite. The margin is the same on all sides, so that the centre stays."""
    margin = round(drop)
    size = (sprite.width + 2 * margin, sprite.height + 2 * margin)
    shade = Image.new("L", size)
    shade.paste(
        sprite.getchannel("A").point([round(step(value, 2) * strength) for value in range(256)]), (margin, 2 * margin)
    )
    whole = Image.new("RGBA", size, (0, 0, 0, 0))
    whole.putalpha(shade)
    whole.alpha_composite(sprite, (margin, margin))
    return whole


def paired(image: Image.Image) -> Image.Image:
    """Makes the height even and every second row like the one above it.

    Equal rows cost nearly nothing in a PNG, so round shapes take about two thirds of their bytes. The difference is
    invisible on a phone or in a chat window, where pictures have half of their height or less.
    """
    half = image.resize((image.width, ceil(image.height / 2)), Image.Resampling.NEAREST)
    return half.resize((half.width, 2 * half.height), Image.Resampling.NEAREST)


def faded(sprite: Image.Image, opacity: float) -> Image.Image:
    """Reduces the opacity of the sprite (0 to 1)."""
    whole = sprite.copy()
    whole.putalpha(sprite.getchannel("A").point([round(value * opacity) for value in range(256)]))
    return whole


def distance(start: Point, end: Point) -> float:
    return hypot(end[0] - start[0], end[1] - start[1])


def toward(start: Point, end: Point, far: float) -> Point:
    """Computes the point ``far`` pixels from the first on the way to the second; the first if they are the same."""
    share = far / (distance(start, end) or far or 1)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
