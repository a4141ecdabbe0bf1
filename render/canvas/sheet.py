"""The sheet that a picture is composed on, and its way into a small PNG.

A board's background is painted once; a picture copies it, puts sprites on it, and is reduced to a palette that was
prepared once for the game and the theme, which is many times faster than finding one for every picture.
"""

from collections.abc import Iterable
from io import BytesIO
from math import ceil, sqrt
from typing import Final

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
_EFFORT: Final = 6
"""Of compression: the next level takes three times as long for three parts in a hundred."""
_QUICK: Final = 3
"""A third of that time, and a third more bytes; the levels between take longer without being much smaller."""


class Sheet:
    """A picture in the making. Coordinates are pixels; sprites and texts are put by their middle."""

    def __init__(self, ground: Image.Image) -> None:
        """``ground`` (RGB) is copied."""
        self.image = ground.copy()

    def put(self, sprite: Image.Image, x: float, y: float) -> None:
        """The sprite with its middle at a point."""
        place = (round(x - sprite.width / 2), round(y - sprite.height / 2))
        self.image.paste(sprite, place, sprite)

    def text(
        self, x: float, y: float, text: str, size: int, colour: Colour, *, anchor: str = "m", weight: str = MEDIUM
    ) -> None:
        """A line of text; ``anchor`` says whether ``x`` is its left, middle or right; ``y`` is its middle."""
        if text:
            made = label(text, size, weight, anchor)
            self.image.paste(ink(colour)[:3], (round(x) - made.x, round(y) - made.y), made.mask)

    def png(self, palette: Image.Image, *, quick: bool = False) -> bytes:
        """The picture as a PNG in the colours of ``palette``; ``quick``: larger, and sooner done."""
        reduced = self.image.quantize(palette=palette, dither=Image.Dither.NONE)
        file = BytesIO()
        reduced.save(file, "PNG", compress_level=_QUICK if quick else _EFFORT)
        return file.getvalue()


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
