"""The sheet that a picture is composed on, and the palette that it is reduced to.

A board's background is painted once, and so is every sprite; a sheet says which of them lie where. Its palette was
prepared once for the game and the theme, which is many times faster than finding one for every picture.
"""

from collections.abc import Hashable, Iterable
from math import ceil, sqrt
from typing import Final, NamedTuple

from PIL import Image

from render.canvas.pen import ink
from render.canvas.text import MEDIUM, label
from render.theme import Colour

WIDTH: Final = 1080
"""Of every board: three times the width of a phone's chat, so that it is reduced by a whole number."""
_ROW: Final = 1024
_BROAD: Final = 10
"""So many of the most frequent colours come out exactly: those of whole areas."""
_ROUNDS: Final = 5
"""Of moving the other colours to the middle of those they stand for: without, half-clear signs change their hue."""


class Layer(NamedTuple):
    """Something on a sheet: ``source`` is a picture or one colour, shown where ``mask`` lets it through."""

    left: int
    top: int
    right: int
    bottom: int
    source: Image.Image | tuple[int, ...]
    mask: Image.Image | None
    drawn: Image.Image
    key: Hashable
    """Tells it from all other layers for as long as ``drawn`` lives, whose ``id`` is in it."""


class Sheet:
    """A picture in the making: layers on a ground. Coordinates are pixels; sprites and texts go by their middle."""

    def __init__(self, ground: Image.Image) -> None:
        """``ground`` (RGB) stays as it is."""
        self._ground = ground
        self.layers: list[Layer] = []

    def put(self, sprite: Image.Image, x: float, y: float) -> None:
        """The sprite (RGBA) with its middle at a point."""
        wide, high = sprite.size
        left, top = round(x - wide / 2), round(y - high / 2)
        key = (id(sprite), left, top)
        self.layers.append(Layer(left, top, left + wide, top + high, sprite, sprite, sprite, key))

    def lay(self, picture: Image.Image, left: int, top: int) -> None:
        """A picture (RGB) that hides what lies below, with its upper left corner at a point."""
        key = (id(picture), left, top)
        wide, high = picture.size
        self.layers.append(Layer(left, top, left + wide, top + high, picture, None, picture, key))

    def text(
        self, x: float, y: float, text: str, size: int, colour: Colour, *, anchor: str = "m", weight: str = MEDIUM
    ) -> None:
        """A line of text; ``anchor`` says whether ``x`` is its left, middle or right; ``y`` is its middle."""
        if text:
            made = label(text, size, weight, anchor)
            left, top = round(x) - made.x, round(y) - made.y
            key = (id(made.mask), left, top, colour)
            wide, high = made.mask.size
            self.layers.append(Layer(left, top, left + wide, top + high, ink(colour)[:3], made.mask, made.mask, key))

    @property
    def image(self) -> Image.Image:
        """The picture as it is now, with all its colours (RGB)."""
        whole = self._ground.copy()
        for layer in self.layers:
            whole.paste(layer.source, (layer.left, layer.top), layer.mask)
        return whole

    def part(self, layers: Iterable[Layer], box: tuple[int, int, int, int]) -> Image.Image:
        """A part of the picture with some of its layers."""
        part = self._ground.crop(box)
        for layer in layers:
            part.paste(layer.source, (layer.left - box[0], layer.top - box[1]), layer.mask)
        return part


def reduced(image: Image.Image, palette: Image.Image) -> Image.Image:
    """The image (RGB) in the nearest colours of a palette."""
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def palette_of(samples: Iterable[Image.Image], colours: Iterable[Colour], size: int) -> Image.Image:
    """A palette of ``size`` colours for pictures like these: ``colours``, the broadest, and what stands for all others.

    The first of ``colours`` becomes number 0. Every row of a PNG begins with a 0 that is no pixel: where that is the
    colour of the frame, the rows run into one another, and a file is up to a twentieth smaller.
    A colour counts by the root of how often it occurs, so that small bright things keep theirs.
    """
    counts: dict[tuple[int, int, int], int] = {}
    for sample in samples:
        for count, colour in sample.getcolors(sample.width * sample.height) or ():
            if isinstance(colour, tuple) and len(colour) == 3:
                counts[colour] = counts.get(colour, 0) + count
    broad = sorted(counts, key=lambda colour: (-counts[colour], colour))[:_BROAD]
    named = dict.fromkeys(ink(colour)[:3] for colour in colours)
    kept = {colour for colour in broad if not any(_takes(colour, other) for other in named.keys() - {colour})}
    frame = next(iter(named))
    own = sorted(named.keys() | kept)
    spare = own[0]
    own.remove(frame)
    own.insert(0, frame)
    flat = bytearray()
    for colour, count in sorted(counts.items()):
        if colour not in own:
            flat += bytes(colour) * ceil(sqrt(count) / 2)
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
    """Whether the reduction to a palette would show ``other`` for ``own``: it looks at six bits a channel."""
    coarse = [value & ~3 for value in own]
    far, near = (sum((a - b) ** 2 for a, b in zip(colour, coarse, strict=True)) for colour in (own, other))
    return near < far
