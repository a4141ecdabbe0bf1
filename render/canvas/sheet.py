"""The sheet on which a picture is composed, and the palette to which it is reduced.

A board's background and every sprite are painted once; a sheet lists their places. The palette is made once per game
and theme, which is many times faster than one for every picture.
"""

from collections.abc import Iterable
from math import ceil, sqrt
from typing import Final, NamedTuple

from PIL import Image

from render.canvas.encoding.png import encoded
from render.canvas.pen import ink
from render.canvas.text import FINE, MEDIUM, label
from render.theme import Colour

WIDTH: Final = 1080
"""The width of every board: three times the width of a phone's chat, so that it is scaled down by a whole number."""
FEW: Final = 64
"""The number of colours of a picture without a board."""
_ROW: Final = 1024
_BROAD: Final = 10
"""The number of the most frequent colours that stay exact: the colours of large areas."""
_ROUNDS: Final = 5
"""Rounds of k-means on the other colours of the palette. Without them, half-transparent signs change their hue."""


class Layer(NamedTuple):
    """A layer of a sheet: a sprite (RGBA), or a mask (L) that is filled with a ``colour``."""

    left: int
    top: int
    drawn: Image.Image
    colour: tuple[int, ...] | None

    @property
    def right(self) -> int:
        return self.left + self.drawn.width

    @property
    def bottom(self) -> int:
        return self.top + self.drawn.height


class Sheet:
    """A picture as layers on a ground. Coordinates are pixels; sprites and texts are placed by their middle."""

    def __init__(self, ground: Image.Image) -> None:
        """Starts on ``ground`` (RGB, or P with a palette of its own), which is not changed."""
        self._ground = ground
        self.layers: list[Layer] = []

    def put(self, sprite: Image.Image, x: float, y: float, colour: Colour | None = None) -> None:
        """Adds a sprite (RGBA), or a mask (L) that is filled with a colour, with its middle at a point."""
        wide, high = sprite.size
        shade = ink(colour)[:3] if colour else None
        self.layers.append(Layer(round(x - wide / 2), round(y - high / 2), sprite, shade))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: int,
        colour: Colour,
        *,
        anchor: str = "m",
        weight: str = MEDIUM,
        edges: int = FINE,
    ) -> None:
        """Adds a line of text; ``x`` is its left, middle or right (``anchor`` l, m, r), ``y`` its middle.

        ``edges``: as of ``Pen.disc``. Large letters need no more than hard ones, since pictures are shown smaller.
        """
        if text:
            made = label(text, size, weight, anchor, edges)
            self.layers.append(Layer(round(x) - made.x, round(y) - made.y, made.mask, ink(colour)[:3]))

    @property
    def image(self) -> Image.Image:
        """The picture with all layers so far, in full colour (RGB)."""
        image = self._ground.convert("RGB")
        for layer in self.layers:
            image.paste(layer.drawn if layer.colour is None else layer.colour, (layer.left, layer.top), layer.drawn)
        return image


def reduced(image: Image.Image, palette: Image.Image) -> Image.Image:
    """Reduces the image (RGB) to the nearest colours of a palette."""
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def png(image: Image.Image, colours: Iterable[Colour], size: int = FEW) -> bytes:
    """Encodes the image (RGB) as a PNG file with a palette of its own, which has all of ``colours``."""
    return encoded(reduced(image, palette_of([image], colours, size)))


def palette_of(samples: Iterable[Image.Image], colours: Iterable[Colour], size: int) -> Image.Image:
    """Makes a palette of ``size`` colours for pictures like ``samples``.

    It has all of ``colours``, the most frequent colours of the samples, and averages of the rest. In the averages, a
    colour counts with the square root of its frequency, so that small bright shapes keep their colour. The first of
    ``colours`` gets the index 0. Every row of a PNG begins with a filter byte 0; if the frame has the index 0, too, the
    rows run into one another, and a file is up to a twentieth smaller.
    """
    counts: dict[tuple[int, int, int], int] = {}
    for sample in samples:
        for pixels, colour in sample.getcolors(sample.width * sample.height) or ():
            if isinstance(colour, tuple) and len(colour) == 3:
                counts[colour] = counts.get(colour, 0) + pixels
    broad = sorted(counts, key=lambda colour: (-counts[colour], colour))[:_BROAD]
    named = dict.fromkeys(ink(colour)[:3] for colour in colours)
    kept = {colour for colour in broad if not any(_takes(colour, other) for other in named.keys() - {colour})}
    frame = next(iter(named))
    own = sorted(named.keys() | kept)
    spare = own[0]
    own.remove(frame)
    own.insert(0, frame)
    flat = bytearray()
    for colour, pixels in sorted(counts.items()):
        if colour not in own:
            flat += bytes(colour) * ceil(sqrt(pixels) / 2)
    height = ceil(len(flat) / 3 / _ROW)
    flat += bytes(spare) * (_ROW * height - len(flat) // 3)
    found = Image.frombytes("RGB", (_ROW, height), bytes(flat)).quantize(
        size - len(own), Image.Quantize.MEDIANCUT, kmeans=_ROUNDS, dither=Image.Dither.NONE
    )
    others = list(found.getpalette() or ())[: 3 * (size - len(own))]
    for place in range(0, len(others), 3):
        if any(_takes(tuple(others[place : place + 3]), colour) for colour in own):
            others[place : place + 3] = spare
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for colour in own for value in colour] + others)
    return palette


def _takes(other: tuple[int, ...], own: tuple[int, ...]) -> bool:
    """Returns whether ``reduced`` would show ``other`` instead of ``own``: it compares six bits per channel."""
    coarse = [value & ~3 for value in own]
    far, near = (sum((a - b) ** 2 for a, b in zip(colour, coarse, strict=True)) for colour in (own, other))
    return near < far
