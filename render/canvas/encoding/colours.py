"""What half-transparent colours make of a palette's, so that layers are put together a byte for each pixel.

A picture has only the colours of its palette from the beginning, each by its number. A table for each half-transparent
ink says which number becomes which below it. Boards come out as if they were reduced to the palette after all layers
are drawn; many half-transparent layers above one another would not quite.
"""

from collections.abc import Iterable
from itertools import count
from threading import RLock
from typing import Final

from PIL import Image

from render.canvas.sheet import reduced

UNKNOWN: Final = 255
"""What a table says of a number that it has not learned yet. No colour has it, and every table keeps it."""
_serials = count()


class Colours:
    """A palette and its tables. Thread-safe; what is known once stays as it is."""

    def __init__(self, palette: Image.Image) -> None:
        """Raises ValueError for a palette of more than 255 colours."""
        self.palette: Final = palette
        self.inks: Final = list(palette.getpalette() or ())
        """Red, green and blue of each number."""
        if len(self.inks) // 3 > UNKNOWN:
            raise ValueError(f"a palette of {len(self.inks) // 3} colours")
        self._numbers: dict[tuple[int, ...], int] = {}
        for number in range(len(self.inks) // 3):  # ``reduced`` compares few bits and may find another one for them
            self._numbers.setdefault(self._ink(number), number)
        self._tables: dict[tuple[int, ...], bytes] = {}
        self.serial: Final = next(_serials)
        self._learning = RLock()

    def _ink(self, number: int) -> tuple[int, ...]:
        return tuple(self.inks[3 * number : 3 * number + 3])

    def number(self, colour: tuple[int, ...]) -> int:
        """The number of the palette's nearest colour to one (red, green, blue)."""
        found = self._numbers.get(colour)
        if found is None:
            found = self._numbers[colour] = reduced(Image.new("RGB", (1, 1), colour), self.palette).tobytes()[0]
        return found

    def below(self, ink: tuple[int, ...]) -> bytes:
        """What every number becomes below an ink (red, green, blue, opacity), for ``bytes.translate``."""
        return self._tables.get(ink, _NOTHING)

    def learn(self, ink: tuple[int, ...], numbers: Iterable[int]) -> None:
        """Adds these numbers to the table of an ink."""
        with self._learning:
            table = bytearray(self.below(ink))
            for number in numbers:
                if table[number] == UNKNOWN != number:
                    whole = Image.new("RGB", (1, 1), self._ink(number))
                    whole.paste(ink[:3], (0, 0, 1, 1), Image.new("L", (1, 1), ink[3]))
                    table[number] = self.number(tuple(whole.tobytes()))
            self._tables[ink] = bytes(table)


_NOTHING: Final = bytes([UNKNOWN] * 256)
