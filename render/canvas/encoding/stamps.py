"""Layers in the numbers of a palette (see ``colours``): what is opaque is pasted, and what is not is looked up."""

from collections.abc import Iterable
from sys import byteorder
from typing import Final, NamedTuple

from PIL import Image

from render.canvas.encoding.colours import Colours
from render.canvas.sheet import Flat, Layer

_OPAQUE: Final = 255
_MOST: Final = 256
"""The most inks of a sprite: a byte for each pixel says which it has."""
_SHOWN: Final = bytes([0]) + bytes([_OPAQUE]) * 255


class Full(Exception):
    """A sprite has too many inks."""


class Blend(NamedTuple):
    """The pixels of a layer in one half-transparent ink."""

    ink: tuple[int, ...]
    left: int
    top: int
    mask: Image.Image


class Stamp(NamedTuple):
    """A layer, ready to be pasted on rows of numbers."""

    picture: Image.Image | int
    mask: Image.Image
    blends: tuple[Blend, ...]
    size: int
    """Bytes."""


def stamp(layer: Layer, colours: Colours) -> Stamp:
    """The stamp of a layer. Raises ``Full``."""
    drawn = layer.drawn
    if isinstance(drawn, Flat):
        return _flat(drawn, colours)
    if layer.colour is not None:
        return _filled(drawn, layer.colour, colours)
    counted = drawn.getcolors(_MOST)
    if counted is None:
        raise Full
    inks = [bytes(ink) for _, ink in counted if isinstance(ink, tuple)]
    places = {int.from_bytes(ink, byteorder): place for place, ink in enumerate(inks)}
    found = bytes(map(places.__getitem__, memoryview(drawn.tobytes()).cast("I").tolist()))
    numbers = bytes(colours.number(tuple(ink[:3])) if ink[3] == _OPAQUE else 0 for ink in inks)
    picture = _shown(drawn.size, found.translate(_table(numbers)))
    mask = _mask(drawn.size, found, [place for place, ink in enumerate(inks) if ink[3] == _OPAQUE])
    partial = [(place, ink) for place, ink in enumerate(inks) if 0 < ink[3] < _OPAQUE]
    blends = [_blend(tuple(ink), _mask(drawn.size, found, [place])) for place, ink in partial]
    return Stamp(picture, mask, tuple(blends), len(found) * 2 + _size(blends))


def _flat(drawn: Flat, colours: Colours) -> Stamp:
    pixels, numbers = drawn.pixels, [colours.number(ink[:3]) for ink in drawn.colours]
    table = _table(bytes([0, *numbers]))
    picture, mask = (_shown(drawn.size, pixels.translate(each)) for each in (table, _SHOWN))
    return Stamp(picture, mask, (), len(pixels) * 2)


def _filled(drawn: Image.Image, colour: tuple[int, ...], colours: Colours) -> Stamp:
    """The stamp of a mask (L) that is filled with a colour."""
    number, levels = colours.number(colour), drawn.histogram()
    partial = [level for level in range(1, _OPAQUE) if levels[level]]
    if not partial:
        return Stamp(number, drawn, (), 0)
    found = drawn.tobytes()
    blends = [_blend((*colour, level), _mask(drawn.size, found, [level])) for level in partial]
    return Stamp(number, _mask(drawn.size, found, [_OPAQUE]), tuple(blends), len(found) + _size(blends))


def _table(numbers: bytes) -> bytes:
    """For ``bytes.translate``: the number of each place."""
    return numbers + bytes(_MOST - len(numbers))


def _mask(size: tuple[int, int], pixels: bytes, shown: Iterable[int]) -> Image.Image:
    """Opaque where a pixel is one of ``shown``."""
    table = bytearray(_MOST)
    for value in shown:
        table[value] = _OPAQUE
    return _shown(size, pixels.translate(table))


def _shown(size: tuple[int, int], pixels: bytes) -> Image.Image:
    """The pixels as an image (L), without a copy of them."""
    return Image.frombuffer("L", size, pixels, "raw", "L", 0, 1)


def _blend(ink: tuple[int, ...], mask: Image.Image) -> Blend:
    box = mask.getbbox() or (0, 0, 1, 1)
    return Blend(ink, box[0], box[1], mask.crop(box))


def _size(blends: Iterable[Blend]) -> int:
    return sum(blend.mask.width * blend.mask.height for blend in blends)


def press(rows: Image.Image, made: Stamp, left: int, top: int, colours: Colours, *, learn: bool = False) -> None:
    """Pastes a stamp on rows of numbers. ``learn``: what its tables lack; else it becomes ``UNKNOWN`` there."""
    if isinstance(made.picture, int):
        rows.paste(made.picture, (left, top, left + made.mask.width, top + made.mask.height), made.mask)
    else:
        rows.paste(made.picture, (left, top), made.mask)
    for ink, across, down, mask in made.blends:
        wide, high = mask.size
        box = (left + across, top + down, left + across + wide, top + down + high)
        if box[3] <= 0 or box[1] >= rows.height:
            continue
        below = rows.crop(box)
        if learn:
            colours.learn(ink, [number for number, count in enumerate(below.histogram(mask)) if count])
        rows.paste(_shown(mask.size, below.tobytes().translate(colours.below(ink))), box, mask)
