"""The sheet that a picture is composed on, and its way into a small PNG.

A board's background is painted once, and so is every sprite. A picture says which sprites lie where; each of these
boxes is reduced to a palette that was prepared once for the game and the theme, and kept for the next picture that
has the same one.
"""

from collections.abc import Hashable, Iterable, Sequence
from io import BytesIO
from math import ceil, sqrt
from typing import Final, NamedTuple

from PIL import Image

from render.canvas.kept import Kept
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
_BESIDES: Final = 2_000
"""Bytes that a kept patch takes besides its pixels."""


class Layer(NamedTuple):
    """Something on a sheet: ``source`` is a picture or one colour, shown where ``mask`` lets it through."""

    left: int
    top: int
    right: int
    bottom: int
    source: Image.Image | tuple[int, ...]
    mask: Image.Image | None
    key: Hashable
    """Tells it from all other layers that live."""


Patches = Kept[tuple[Image.Image, tuple[Image.Image | None, ...]]]
"""Parts of reduced pictures, with what they were made from: while that lives, nothing else has its ``id``."""


class Sheet:
    """A picture in the making: layers on a ground. Coordinates are pixels; sprites and texts go by their middle."""

    def __init__(self, ground: Image.Image) -> None:
        """``ground`` (RGB) stays as it is."""
        self._ground = ground
        self._layers: list[Layer] = []

    def put(self, sprite: Image.Image, x: float, y: float) -> None:
        """The sprite (RGBA) with its middle at a point."""
        wide, high = sprite.size
        left, top = round(x - wide / 2), round(y - high / 2)
        key = (id(sprite), left, top)
        self._layers.append(Layer(left, top, left + wide, top + high, sprite, sprite, key))

    def lay(self, picture: Image.Image, left: int, top: int) -> None:
        """A picture (RGB) that hides what lies below, with its upper left corner at a point."""
        key = (id(picture), left, top)
        self._layers.append(Layer(left, top, left + picture.width, top + picture.height, picture, None, key))

    def text(
        self, x: float, y: float, text: str, size: int, colour: Colour, *, anchor: str = "m", weight: str = MEDIUM
    ) -> None:
        """A line of text; ``anchor`` says whether ``x`` is its left, middle or right; ``y`` is its middle."""
        if text:
            made = label(text, size, weight, anchor)
            left, top = round(x) - made.x, round(y) - made.y
            key = (id(made.mask), left, top, colour)
            wide, high = made.mask.size
            self._layers.append(Layer(left, top, left + wide, top + high, ink(colour)[:3], made.mask, key))

    @property
    def image(self) -> Image.Image:
        """The picture as it is now, with all its colours (RGB)."""
        whole = self._ground.copy()
        for layer in self._layers:
            whole.paste(layer.source, (layer.left, layer.top), layer.mask)
        return whole

    def reduced(self, name: Hashable, empty: Image.Image, palette: Image.Image, patches: Patches) -> Image.Image:
        """The picture in the colours of ``palette``: the same as if ``image`` were reduced, but sooner.

        Every layer's box is reduced by itself, with all that shows in it up to that layer. Most boxes look as they did
        on another picture, for stones lie in the same places again and again: they are taken from ``patches``.
        ``name`` tells the ground and the palette from all others; ``empty`` is the ground reduced.
        """
        whole = empty.copy()
        done: list[Layer] = []
        for layer in self._layers:
            left, top, right, bottom, *_ = layer
            shown = [one for one in done if one[0] < right and left < one[2] and one[1] < bottom and top < one[3]]
            shown.append(layer)
            done.append(layer)
            key = (name, *[one.key for one in shown])
            kept = patches.get(key)
            if kept is None:
                kept = self._patch(shown, palette), tuple([one.mask for one in shown])
                patches.put(key, kept, (right - left) * (bottom - top) + _BESIDES)
            whole.paste(kept[0], (left, top))
        return whole

    def _patch(self, shown: Sequence[Layer], palette: Image.Image) -> Image.Image:
        """The box of the last of the layers."""
        left, top, right, bottom, *_ = shown[-1]
        part = self._ground.crop((left, top, right, bottom))
        for layer in shown:
            part.paste(layer.source, (layer.left - left, layer.top - top), layer.mask)
        patch = part.quantize(palette=palette, dither=Image.Dither.NONE)
        patch.palette = None  # a copy, which only the whole picture needs
        return patch


def png(reduced: Image.Image, *, quick: bool = False) -> bytes:
    """A picture with a palette as a PNG; ``quick``: larger, and sooner done."""
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
