"""Tools that number the features of a position."""

from collections.abc import Sequence
from typing import Final

from engine.ai.chances import Features


class Numbering:
    def __init__(self) -> None:
        self.count = 0

    def take(self, size: int) -> int:
        """Reserves the next free numbers for a group of ``size`` features, and returns the first."""
        first = self.count
        self.count += size
        return first


class Scale:
    """Turns a quantity into two neighbouring features: their weighted sum is a broken line through the ``knots``."""

    def __init__(self, numbering: Numbering, knots: Sequence[float], groups: int = 1) -> None:
        """Reserves numbers for so many ``groups``, each a line of its own."""
        self._knots: Final = knots
        self._first = numbering.take(len(knots) * groups)

    def add(self, to: Features, value: float, group: int = 0) -> None:
        knots = self._knots
        first = self._first + len(knots) * group
        if value <= knots[0]:
            to.append((first, 1.0))
            return
        for number in range(1, len(knots)):
            above = knots[number]
            if value < above:
                below = knots[number - 1]
                part = (value - below) / (above - below)
                to.append((first + number - 1, 1 - part))
                to.append((first + number, part))
                return
        to.append((first + len(knots) - 1, 1.0))
