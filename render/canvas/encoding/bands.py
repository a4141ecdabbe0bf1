"""Writes a sheet as a PNG, in horizontal bands that are cached and shared between pictures.

Nearly all the work of a picture is its compression. Deflate allows bands to be compressed separately and joined
(RFC 1951, 3.2.4), and many bands of a board look as before: empty rows, a player's strip, stones that have not moved.
A band's key is made of the layers that reach into it, so a cached band need not even be composed.
"""

from array import array
from collections.abc import Sequence
from itertools import count
from struct import pack
from typing import Any, Final, NamedTuple

from PIL import Image, ImageChops
from zlib_ng.zlib_ng import DEFLATED, MAX_WBITS, Z_FULL_FLUSH, adler32, compress, compressobj, crc32, decompress

from engine.core.kept import Kept
from render.canvas.encoding.colours import UNKNOWN, Colours
from render.canvas.encoding.stamps import Full, Stamp, press, stamp
from render.canvas.kept import BESIDES
from render.canvas.sheet import Flat, Layer, Sheet, reduced

BAND: Final = 120
"""Rows of a band. Smaller bands are in the cache more often but need more bytes, as each is compressed alone.
Larger ones do not fit into the processor's cache while they are composed.
"""
EFFORT: Final = 5
"""The usual compression level."""
_QUICK: Final = 2
"""The quick level: a third of the time, a fifth more bytes."""
_MEMORY: Final = 5
"""zlib's memory level: less to allocate for each band than with the usual 8, and no more bytes."""
_HEAD: Final = b"\x78\x9c"
_TAIL: Final = b"\x03\x00"
"""An empty last block of deflate."""
_ADLER: Final = 65521
_names: Final = count()
_UP: Final = 2
"""The number of a PNG filter; a row without one begins with 0."""
_BESIDES: Final = 500
"""Bytes that a cached band takes besides its content and its key."""


class Ground:
    """What all pictures of a board with the same theme and side below share."""

    def __init__(self, name: int, size: tuple[int, int], pixels: bytes, colours: Colours) -> None:
        """``name``: another one for every ground. ``pixels``: the empty board in the numbers of ``colours``."""
        self.name, self.size, self.colours = name, size, colours
        equal: dict[bytes, bytes] = {}
        rows = (b"\0" + pixels[start : start + size[0]] for start in range(0, len(pixels), size[0]))
        self._rows = [equal.setdefault(row, row) for row in rows]
        self.bytes: Final = sum(map(len, equal)) + 8 * len(self._rows)
        """How many bytes of memory it takes."""

    @property
    def image(self) -> Image.Image:
        """The empty board (P)."""
        image = Image.frombytes("P", self.size, b"".join(row[1:] for row in self._rows))
        image.putpalette(self.colours.inks)
        return image

    def rows(self, upper: int, lower: int) -> Image.Image:
        """Rows of the empty board after a column of zeros, in the numbers of its colours (L)."""
        return Image.frombytes("L", (self.size[0] + 1, lower - upper), b"".join(self._rows[upper:lower]))


class Packed:
    """A ground with its pixels compressed: a thirtieth of the size, unpacked in some milliseconds."""

    def __init__(self, size: tuple[int, int], pixels: bytes, colours: Colours) -> None:
        """As of a ground."""
        self._size, self._colours = size, colours
        self._pixels = compress(pixels, EFFORT)
        self._name = next(_names)

    def unpack(self) -> Ground:
        return Ground(self._name, self._size, decompress(self._pixels), self._colours)


class Band(NamedTuple):
    data: bytes
    """The compressed rows."""
    check: int
    """The Adler-32 checksum of the rows."""


class Shelf:
    """The cached parts of pictures: stamps of layers, and compressed bands."""

    def __init__(self, stamps: int, bands: int) -> None:
        """The size of either cache, in bytes."""
        self.stamps = Kept[Stamp](stamps)
        self.bands = Kept[Band](bands)

    def clear(self) -> None:
        self.stamps.clear()
        self.bands.clear()


def ground_of(image: Image.Image, colours: Colours) -> Packed:
    """The ground of an empty board (RGB)."""
    return Packed(image.size, reduced(image, colours.palette).tobytes(), colours)


def new_ground(pixels: Image.Image, colours: Colours) -> Ground:
    """A new ground; ``pixels`` (L) are the numbers of ``colours``."""
    return Ground(next(_names), pixels.size, pixels.tobytes(), colours)


def in_numbers(sheet: Sheet, ground: Ground, shelf: Shelf) -> Image.Image:
    """The sheet, which must have ``ground.image`` as its ground, in the numbers of the ground's colours (L)."""
    wide, high = ground.size
    rows = _composed(sheet, ground, shelf, 0, high)
    return Image.frombytes("L", (wide + 1, high), rows).crop((1, 0, wide + 1, high))


def png(sheet: Sheet, ground: Ground, shelf: Shelf, *, effort: int = EFFORT, quick: bool = False) -> bytes:
    """The sheet, which must have ``ground.image`` as its ground, as a PNG in the palette's colours.

    The picture is the same as if the whole sheet were reduced at once. ``effort``: the compression level, 1 to 9.
    ``quick``: larger and faster; it has the small bands that are there.
    """
    wide, high = ground.size[0] + 1, ground.size[1]
    looks: list[list[int]] = [[] for _ in range(0, high, BAND)]
    for layer in sheet.layers:
        if layer.right <= 0:  # beyond the left edge; for one above or below the picture the range is empty
            continue
        key = layer.key
        for number in range(max(0, layer.top) // BAND, min(high - 1, layer.bottom - 1) // BAND + 1):
            looks[number].append(key)
    keys = [(number, array("Q", [ground.name, *found]).tobytes()) for number, found in enumerate(looks)]
    bands = [shelf.bands.get((*key, effort)) for key in keys]
    level = effort
    if quick:
        level = _QUICK
        bands = [band or shelf.bands.get((*key, level)) for key, band in zip(keys, bands, strict=True)]
    deflate = None  # it takes a quarter of a megabyte, so all bands share one
    for number, band in enumerate(bands):
        if band is None:
            upper = number * BAND
            rows = _filtered(_composed(sheet, ground, shelf, upper, min(high, upper + BAND)), wide)
            deflate = deflate or compressobj(level, DEFLATED, -MAX_WBITS, _MEMORY)
            bands[number] = made = _band(rows, deflate)
            shelf.bands.put((*keys[number], level), made, len(made.data) + len(keys[number][1]) + _BESIDES)
    return _file(ground, [band for band in bands if band])


def _composed(sheet: Sheet, ground: Ground, shelf: Shelf, upper: int, lower: int) -> bytes:
    """Rows of the sheet after a column of zeros, in the palette's numbers."""
    layers = [layer for layer in sheet.layers if layer.top < lower and upper < layer.bottom and layer.right > 0]
    try:
        rows = _stamped(layers, ground, shelf, upper, lower)
        if bytes([UNKNOWN]) in rows:
            rows = _stamped(layers, ground, shelf, upper, lower, learn=True)
    except Full:
        whole = Image.new("P", (ground.size[0] + 1, lower - upper))
        part = sheet.part(layers, (0, upper, ground.size[0], lower))
        whole.paste(reduced(part, ground.colours.palette), (1, 0))
        return whole.tobytes()
    return rows


def _stamped(
    layers: Sequence[Layer], ground: Ground, shelf: Shelf, upper: int, lower: int, *, learn: bool = False
) -> bytes:
    """Rows of the sheet after a column of zeros, made of stamps. Raises ``Full``."""
    rows, colours = ground.rows(upper, lower), ground.colours
    for layer in layers:
        key = (colours.serial, layer.number)
        made = shelf.stamps.get(key)
        if made is None:
            made = stamp(layer, colours)
            if not isinstance(layer.drawn, Flat):  # which is quickly made anew
                shelf.stamps.put(key, made, made.size + BESIDES)
        press(rows, made, layer.left + 1, layer.top - upper, colours, learn=learn)
        if layer.left < 0:
            rows.paste(0, (0, 0, 1, rows.height))
    return rows.tobytes()


def _band(rows: bytes, deflate: Any) -> Band:
    """``deflate``: a compressor, which forgets the rows, so that no other band depends on them."""
    return Band(deflate.compress(rows) + deflate.flush(Z_FULL_FLUSH), adler32(rows))


def _filtered(rows: bytes, wide: int) -> bytes:
    """The rows of a band, each as its difference to the one above (PNG filter 2, Up).

    What is left are the edges of shapes, which takes half as long to compress as the rows themselves. The first row is
    not filtered, so that a band does not depend on the one above.
    """
    size = (wide, len(rows) // wide)
    shown = Image.frombuffer("L", size, rows, "raw", "L", 0, 1)
    above = ImageChops.offset(shown, 0, 1)
    above.paste(0, (0, 0, wide, 1))
    found = ImageChops.subtract_modulo(shown, above)
    found.paste(_UP, (0, 1, 1, size[1]))
    return found.tobytes()


def _file(ground: Ground, bands: Sequence[Band]) -> bytes:
    wide, high = ground.size[0] + 1, ground.size[1]
    check = 1
    for number, band in enumerate(bands):
        check = _joined(check, band.check, wide * min(BAND, high - number * BAND))
    data = b"".join((_HEAD, *[band.data for band in bands], _TAIL, pack(">I", check)))
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            _chunk(b"IHDR", pack(">IIBBBBB", wide - 1, high, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes(ground.colours.palette.getpalette() or ())),
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
