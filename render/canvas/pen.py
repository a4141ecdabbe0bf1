"""Antialiased shapes: drawn large and reduced, once; then kept as sprites.

Coordinates are in pixels of the finished picture, as floats; the pen multiplies them.
"""

from collections.abc import Callable, Iterator, Sequence
from math import ceil, cos, hypot, pi, sin

from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFilter

from render.theme import Colour

Point = tuple[float, float]
Box = tuple[float, float, float, float]
Ink = tuple[int, int, int, int]

SPRITE_SCALE = 8
"""Sprites are drawn so many times larger than they are shown."""


def ink(colour: Colour) -> Ink:
    """Red, green, blue, opacity."""
    red, green, blue, *opacity = ImageColor.getrgb(colour)
    return red, green, blue, opacity[0] if opacity else 255


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """A colour between two; ``share`` 0 is the first, 1 the second."""
    mixed = (round(a + (b - a) * share) for a, b in zip(ink(first)[:3], ink(second)[:3], strict=True))
    return "#{:02x}{:02x}{:02x}".format(*mixed)


def clear(colour: Colour, opacity: float) -> Colour:
    """The colour, so far opaque (0 to 1)."""
    return f"{colour[:7]}{round(opacity * 255):02x}"


def regular(x: float, y: float, radius: float, corners: int, turned: float = 0.0) -> list[Point]:
    """The corners of a regular polygon; ``turned`` in degrees, 0 with a corner to the right."""
    angles = (2 * pi * corner / corners + turned * pi / 180 for corner in range(corners))
    return [(x + radius * cos(angle), y + radius * sin(angle)) for angle in angles]


def star(x: float, y: float, outer: float, inner: float, rays: int) -> list[Point]:
    """The corners of a star with a ray upwards."""
    tips = regular(x, y, outer, rays, -90)
    dents = regular(x, y, inner, rays, -90 + 180 / rays)
    return [corner for pair in zip(tips, dents, strict=True) for corner in pair]


def bend(start: Point, first: Point, second: Point, end: Point, parts: int = 24) -> list[Point]:
    """A cubic Bézier curve as points."""
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
    """Draws on one large image: a clear one (RGBA), or with a ``ground`` a solid one (RGB).

    Later shapes cover earlier ones; half-clear ink lets them shine through.
    """

    def __init__(self, width: float, height: float, ground: Colour | None = None, scale: int = SPRITE_SCALE) -> None:
        self.scale = scale
        size = (ceil(width) * scale, ceil(height) * scale)
        self._image = Image.new("RGB", size, ground) if ground else Image.new("RGBA", size, (0, 0, 0, 0))

    def finish(self) -> Image.Image:
        """The drawing in the size of the finished picture."""
        return self._image.reduce(self.scale)

    def disc(self, x: float, y: float, radius: float, colour: Colour) -> None:
        self._put((x - radius, y - radius, x + radius, y + radius), colour, lambda d, b: d.ellipse(b, fill=255))

    def ring(self, x: float, y: float, radius: float, width: float, colour: Colour) -> None:
        """A circle's line of ``width``, within ``radius``."""
        line = round(width * self.scale)
        self._put(
            (x - radius, y - radius, x + radius, y + radius),
            colour,
            lambda d, b: d.ellipse(b, outline=255, width=line),
        )

    def dashes(self, x: float, y: float, radius: float, width: float, colour: Colour, parts: int = 10) -> None:
        """A broken circle's line."""
        line, step = round(width * self.scale), 360 / parts

        def draw(mask: ImageDraw.ImageDraw, box: Box) -> None:
            for part in range(parts):
                mask.arc(box, part * step, (part + 0.58) * step, fill=255, width=line)

        self._put((x - radius, y - radius, x + radius, y + radius), colour, draw)

    def ball(self, x: float, y: float, radius: float, rim: Colour, middle: Colour, shine: Colour, at: Point) -> None:
        """A disc whose colour runs from ``shine`` (around ``at``, in radii) through ``middle`` to ``rim``."""
        size = round(2 * radius * self.scale)
        reach = round(size * (1 + max(abs(at[0]), abs(at[1]))))
        fall = Image.radial_gradient("L").resize((reach, reach), Image.Resampling.BICUBIC)
        left = round(reach / 2 - size / 2 * (1 + at[0]))
        top = round(reach / 2 - size / 2 * (1 + at[1]))
        fall = fall.crop((left, top, left + size, top + size))
        tables = [_ramp(a, b, c) for a, b, c in zip(ink(shine), ink(middle), ink(rim), strict=True)]
        colours = Image.merge("RGBA", [fall.point(table) for table in tables])
        mask = Image.new("L", (size, size))
        ImageDraw.Draw(mask).ellipse((0, 0, size - 1, size - 1), fill=255)
        place = (round((x - radius) * self.scale), round((y - radius) * self.scale))
        self._image.paste(colours, place, mask)

    def shape(self, corners: Sequence[Point], colour: Colour) -> None:
        """A filled polygon."""
        self._put(_bounds(corners, 0), colour, lambda d, _: d.polygon(self._moved(corners, 0), fill=255))

    def line(self, corners: Sequence[Point], width: float, colour: Colour) -> None:
        """A line through the corners with round joints and ends."""
        thick, half = round(width * self.scale), width / 2 * self.scale

        def draw(mask: ImageDraw.ImageDraw, _: Box) -> None:
            moved = self._moved(corners, width)
            mask.line(moved, fill=255, width=thick)
            for x, y in moved:
                mask.ellipse((x - half, y - half, x + half, y + half), fill=255)

        self._put(_bounds(corners, width), colour, draw)

    def panel(self, box: Box, radius: float, colour: Colour) -> None:
        """A rectangle with round corners."""
        self._put(box, colour, lambda d, b: d.rounded_rectangle(b, radius * self.scale, fill=255))

    def outline(self, box: Box, radius: float, width: float, colour: Colour) -> None:
        """The line of a rectangle with round corners."""
        line = round(width * self.scale)
        self._put(
            box, colour, lambda d, b: d.rounded_rectangle(b, radius * self.scale, fill=None, outline=255, width=line)
        )

    def _put(self, box: Box, colour: Colour, draw: Callable[[ImageDraw.ImageDraw, Box], None]) -> None:
        """Blends ``colour`` in where ``draw`` sets the mask of the box."""
        left, top, right, bottom = (round(edge * self.scale) for edge in box)
        size = (right - left, bottom - top)
        mask = Image.new("L", size)
        draw(ImageDraw.Draw(mask), (0, 0, size[0] - 1, size[1] - 1))
        colours, opacity = ink(colour)[:3], ink(colour)[3]
        if opacity < 255:
            mask = mask.point([value * opacity // 255 for value in range(256)])
        if opacity == 255 or self._image.mode == "RGB":
            self._image.paste((*colours, 255) if self._image.mode == "RGBA" else colours, (left, top), mask)
        else:
            layer = Image.new("RGBA", size, (*colours, 0))
            layer.putalpha(mask)
            self._image.alpha_composite(layer, (left, top))

    def _moved(self, corners: Sequence[Point], margin: float) -> list[Point]:
        """Corners as the mask of their bounds counts them."""
        left, top, _, _ = (round(edge * self.scale) for edge in _bounds(corners, margin))
        return [(x * self.scale - left, y * self.scale - top) for x, y in corners]


def _bounds(corners: Sequence[Point], margin: float) -> Box:
    across, down = [x for x, _ in corners], [y for _, y in corners]
    return min(across) - margin, min(down) - margin, max(across) + margin, max(down) + margin


def _ramp(shine: int, middle: int, rim: int) -> list[int]:
    """256 values: ``shine`` at 0, ``middle`` at 96, ``rim`` from 224 on."""
    table = []
    for value in range(256):
        if value < 96:
            table.append(round(shine + (middle - shine) * value / 96))
        else:
            table.append(round(middle + (rim - middle) * min(1.0, (value - 96) / 128)))
    return table


def shadowed(sprite: Image.Image, drop: float = 2.5, strength: float = 0.4) -> Image.Image:
    """The sprite with a narrow shadow below it; it grows by the same margin on all sides, so its centre stays."""
    margin = ceil(drop) + 2
    size = (sprite.width + 2 * margin, sprite.height + 2 * margin)
    shade = Image.new("L", size)
    shade.paste(sprite.getchannel("A"), (margin, margin + round(drop)))
    shade = shade.filter(ImageFilter.BoxBlur(1)).point([round(value * strength) for value in range(256)])
    whole = Image.new("RGBA", size, (0, 0, 0, 0))
    whole.putalpha(shade)
    whole.alpha_composite(sprite, (margin, margin))
    return whole


def faded(sprite: Image.Image, opacity: float) -> Image.Image:
    """The sprite, half-clear."""
    whole = sprite.copy()
    whole.putalpha(sprite.getchannel("A").point([round(value * opacity) for value in range(256)]))
    return whole


def grained(ground: Image.Image, strength: int, spared: Sequence[Box] = ()) -> Image.Image:
    """The picture with faint, long streaks along x, as of planed wood; the same streaks every time.

    Each streak is one flat tone, ``strength`` at most lighter or darker, so that it hardly makes a PNG larger.
    """
    if not strength:
        return ground
    luck = _numbers(20_011)
    layer = Image.new("L", ground.size, 128)
    draw = ImageDraw.Draw(layer)
    row = 0
    while row < ground.height:
        start = next(luck) % ground.width - ground.width // 4
        length = 160 + next(luck) % 640
        tone = 128 + (next(luck) % 3 - 1) * strength
        draw.line([(start, row), (start + length, row)], fill=tone, width=1 + next(luck) % 2)
        row += 1 + next(luck) % 5
    for box in spared:
        draw.rectangle(box, fill=128)
    return ImageChops.add(ground, Image.merge("RGB", [layer] * 3), 1, -128)


def _numbers(seed: int) -> Iterator[int]:
    """The same numbers every time, without visible order."""
    while True:
        seed = (seed * 1_103_515_245 + 12_345) % (1 << 31)
        yield seed >> 16


def distance(start: Point, end: Point) -> float:
    return hypot(end[0] - start[0], end[1] - start[1])
