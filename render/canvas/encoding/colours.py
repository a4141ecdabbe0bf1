"""The exact colours of pictures on one ground, by number, so that layers are put together a byte for each pixel.

A picture is reduced to its palette only after all layers are drawn, since half-transparent ones show what is below
them exactly. There are fewer than a hundred exact colours, so they get numbers. The first numbers are those of the
palette. A table for each half-transparent ink says which number becomes which below it.
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
SAME: Final = bytes(range(256))


class Full(Exception):
    """There are too many exact colours."""


class Colours:
    """The numbers of exact colours. Thread-safe; what is known once stays as it is."""

    def __init__(self, palette: Image.Image) -> None:
        """Raises ValueError for a palette without room for other colours."""
        self.palette: Final = palette
        self.exact: Final = list(palette.getpalette() or ())
        """Red, green and blue of each number."""
        if len(self.exact) // 3 >= UNKNOWN:
            raise ValueError(f"a palette of {len(self.exact) // 3} colours")
        self._numbers: dict[tuple[int, ...], int] = {}
        for number in range(len(self.exact) // 3):
            self._numbers.setdefault(self._colour(number), number)
        self._tables: dict[tuple[int, ...], bytes] = {}
        known = Image.new("RGB", (len(self.exact) // 3, 1))
        known.putdata([self._colour(number) for number in range(known.width)])
        self.final = reduced(known, palette).tobytes() + SAME[known.width :]
        """The number in the palette of each number. The nearest is not always its own: few bits are compared."""
        self.serial: Final = next(_serials)
        self._learning = RLock()

    def _colour(self, number: int) -> tuple[int, ...]:
        return tuple(self.exact[3 * number : 3 * number + 3])

    def number(self, colour: tuple[int, ...]) -> int:
        """The number of an exact colour (red, green, blue), which may be a new one.

        Raises Full.
        """
        with self._learning:
            if colour not in self._numbers:
                found = len(self.exact) // 3
                if found == UNKNOWN:
                    raise Full
                final = reduced(Image.new("RGB", (1, 1), colour), self.palette).tobytes()
                self.final = self.final[:found] + final + self.final[found + 1 :]
                self.exact.extend(colour)
                self._numbers[colour] = found
            return self._numbers[colour]

    def below(self, ink: tuple[int, ...]) -> bytes:
        """What every number becomes below an ink (red, green, blue, opacity), for ``bytes.translate``."""
        return self._tables.get(ink, _NOTHING)

    def learn(self, ink: tuple[int, ...], numbers: Iterable[int]) -> None:
        """Adds these numbers to the table of an ink. Raises Full."""
        with self._learning:
            table = bytearray(self.below(ink))
            for number in numbers:
                if table[number] == UNKNOWN != number:
                    whole = Image.new("RGB", (1, 1), self._colour(number))
                    whole.paste(ink[:3], (0, 0, 1, 1), Image.new("L", (1, 1), ink[3]))
                    table[number] = self.number(tuple(whole.tobytes()))
            self._tables[ink] = bytes(table)


_NOTHING: Final = bytes([UNKNOWN] * 256)
