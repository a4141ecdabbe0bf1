"""Writes a sheet as a PNG, in horizontal bands that are cached and shared between pictures.

Nearly all the work of a picture is its compression. Deflate allows bands to be compressed separately and joined
(RFC 1951, 3.2.4), and many bands of a board look as before: empty rows, a player's strip, stones that have not moved.
A band's key is made of the layers that reach into it, so a cached band need not even be composed.
"""

from collections.abc import Hashable, Sequence
from itertools import pairwise
from struct import pack
from typing import Final, NamedTuple

from PIL import Image
from zlib_ng.zlib_ng import DEFLATED, MAX_WBITS, Z_SYNC_FLUSH, adler32, compress, compressobj, crc32, decompress

from render.canvas.kept import BESIDES, Kept
from render.canvas.sheet import Layer, Sheet, reduced

BAND: Final = 60
"""Rows of a band. Smaller bands are in the cache more often but need more bytes, as each is compressed alone."""
_EFFORT: Final = 6
"""The compression level; the next one takes a quarter longer and saves a hundredth."""
_QUICK: Final = 2
"""The quick level: a third of the time, three fifths more bytes."""
_MEMORY: Final = 5
"""zlib's memory level: less to allocate for each band than with the usual 8, and no more bytes."""
_HEAD: Final = b"\x78\x9c"
_TAIL: Final = b"\x03\x00"
"""An empty last block of deflate."""
_ADLER: Final = 65521
_UP: Final = b"\x02"
COLOURS: Final = 256
"""The most colours of a ground."""


class Ground(NamedTuple):
    """What all pictures of a board with the same theme and side below share."""

    name: Hashable
    """A unique name."""
    image: Image.Image
    """The empty board (P). Its colours have the numbers that they have in ``palette``, but are exact; of two that are
    one there, the more frequent one stands for both.
    """
    palette: Image.Image


class Packed:
    """A ground with its image compressed: a hundredth of the size, unpacked in about a millisecond."""

    def __init__(self, ground: Ground) -> None:
        self._rest = ground._replace(image=Image.new("P", (1, 1)))
        self._size, self._colours = ground.image.size, ground.image.getpalette() or []
        self._pixels = compress(ground.image.tobytes(), _EFFORT)

    def unpack(self) -> Ground:
        image = Image.frombytes("P", self._size, decompress(self._pixels))
        image.putpalette(self._colours)
        return self._rest._replace(image=image)


class Band(NamedTuple):
    data: bytes
    """The compressed rows."""
    check: int
    """The Adler-32 checksum of the rows."""


class Shelf:
    """The cached parts of pictures: reduced boxes of layers, and compressed bands."""

    def __init__(self, boxes: int, bands: int) -> None:
        """The size of either cache, in bytes."""
        self.boxes = Kept[Image.Image](boxes)
        self.bands = Kept[Band](bands)

    def clear(self) -> None:
        self.boxes.clear()
        self.bands.clear()


def ground_of(name: Hashable, image: Image.Image, palette: Image.Image) -> Ground:
    """The ground of an empty board (RGB), whose pictures have the colours of a palette.

    Raises ValueError for a board of more than 256 colours.
    """
    counted = image.getcolors(COLOURS)
    if counted is None:
        raise ValueError(f"the ground {name} has more than {COLOURS} colours")
    colours = [colour for _, colour in sorted(counted) if isinstance(colour, tuple)]
    one_each = Image.new("RGB", (len(colours), 1))
    one_each.putdata(colours)
    places = reduced(one_each, palette).tobytes()
    found = reduced(image, palette)
    flat = found.getpalette() or []
    for place, colour in zip(places, colours, strict=True):
        flat[3 * place : 3 * place + 3] = colour
    found.putpalette(flat)
    return Ground(name, found, palette)


def png(sheet: Sheet, ground: Ground, shelf: Shelf, *, quick: bool = False) -> bytes:
    """The sheet, which must have ``ground.image`` as its ground, as a PNG in the palette's colours.

    The picture is the same as if the whole sheet were reduced at once. ``quick``: larger and faster.
    """
    level = _QUICK if quick else _EFFORT
    wide, high = ground.image.width + 1, ground.image.height
    reaching: list[list[Layer]] = [[] for _ in range(0, high, BAND)]
    for layer in sheet.layers:
        if layer.right <= 0:  # beyond the left edge; for one above or below the picture the range is empty
            continue
        for number in range(max(0, layer.top) // BAND, min(high - 1, layer.bottom - 1) // BAND + 1):
            reaching[number].append(layer)
    keys = [(level, number, ground.name, *[layer.key for layer in found]) for number, found in enumerate(reaching)]
    bands = [*map(shelf.bands.get, keys)]
    missing = [number for number, band in enumerate(bands) if band is None]
    if missing:
        whole = _whole(sheet, ground, shelf, [reaching[number] for number in missing])
        for number in missing:
            top = number * BAND
            made = _band(whole.crop((0, top, wide, min(high, top + BAND))).tobytes(), level, wide)
            shelf.bands.put(keys[number], made, len(made.data) + BESIDES)
            bands[number] = made
    return _file(ground, [band for band in bands if band])


def _whole(sheet: Sheet, ground: Ground, shelf: Shelf, reaching: Sequence[Sequence[Layer]]) -> Image.Image:
    """The rows of the sheet after a column of zeros; only those of the bands in ``reaching`` are complete.

    Every layer's box is reduced separately, with all layers in it up to that one.
    """
    wide, high = ground.image.size
    rows = Image.new("P", (wide + 1, high))
    rows.paste(ground.image, (1, 0))
    wanted = {layer.key for found in reaching for layer in found}
    done: list[Layer] = []
    for layer in sheet.layers:
        left, top, right, bottom, *_ = layer
        done.append(layer)
        if layer.key not in wanted:
            continue
        shown = [one for one in done if one[0] < right and left < one[2] and one[1] < bottom and top < one[3]]
        key = (ground.name, *[one.key for one in shown])
        kept = shelf.boxes.get(key)
        if kept is None:
            kept = reduced(sheet.part(shown, (left, top, right, bottom)), ground.palette)
            kept.palette = None  # a copy that only the whole picture needs
            shelf.boxes.put(key, kept, (right - left) * (bottom - top) + BESIDES)
        box = kept if left >= 0 else kept.crop((-left, 0, right - left, bottom - top))
        rows.paste(box, (max(0, left) + 1, top))
    return rows


def _band(rows: bytes, level: int, wide: int) -> Band:
    press = compressobj(level, DEFLATED, -MAX_WBITS, _MEMORY)
    rows = _filtered(rows, wide)
    return Band(press.compress(rows) + press.flush(Z_SYNC_FLUSH), adler32(rows))


def _filtered(rows: bytes, wide: int) -> bytes:
    """The rows with those that are like the one above written as no difference to it (PNG filter 2, Up).

    That takes less than a byte in a hundred pixels, and no search. Filters on other rows would only hide how like they
    are. The first row is not filtered, so that a band does not depend on the one above.
    """
    lines = [rows[start : start + wide] for start in range(0, len(rows), wide)]
    same = _UP + bytes(wide - 1)
    return b"".join(lines[:1] + [same if line == above else line for above, line in pairwise(lines)])


def _file(ground: Ground, bands: Sequence[Band]) -> bytes:
    wide, high = ground.image.width + 1, ground.image.height
    check = 1
    for number, band in enumerate(bands):
        check = _joined(check, band.check, wide * min(BAND, high - number * BAND))
    data = b"".join((_HEAD, *[band.data for band in bands], _TAIL, pack(">I", check)))
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", pack(">IIBBBBB", wide - 1, high, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes(ground.palette.getpalette() or ())),
            _chunk(b"IDAT", data),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return b"".join((pack(">I", len(data)), kind, data, pack(">I", crc32(data, crc32(kind)))))


def _joined(first: int, second: int, length: int) -> int:
    """The Adler-32 checksum (RFC 1950) of two joined pieces, from their checksums and the length of the second."""
    low, high = first & 0xFFFF, first >> 16
    return ((high + (second >> 16) + length * (low - 1)) % _ADLER) << 16 | (low + (second & 0xFFFF) - 1) % _ADLER
