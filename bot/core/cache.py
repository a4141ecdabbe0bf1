"""A cache of values read from the database; each expires after a short time."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
SIZE: Final = 4096
LIFETIME: Final = 60.0
"""Seconds that a value is used at most, should the announcement of another process's change be missed."""


class Cache(Generic[K, V]):
    """Keeps at most ``size`` values, each for ``seconds``. The least recently used value is evicted first.

    A value may change while it is being read from the database. So read ``generation`` first, and pass it to ``keep``
    with the value: ``keep`` ignores a value if anything was dropped in between.
    """

    def __init__(
        self, size: int = SIZE, seconds: float = LIFETIME, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._size = size
        self._seconds = seconds
        self._clock = clock
        self._kept: OrderedDict[K, tuple[float, V]] = OrderedDict()
        self.generation = 0
        """The number of drops so far."""

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        until, value = self._kept.get(key, (0.0, None))
        if value is None or until <= self._clock():
            return None
        self._kept.move_to_end(key)
        return value

    def keep(self, key: K, value: V, generation: int) -> None:
        """Keeps a value, unless anything was dropped since ``generation`` was read."""
        if generation != self.generation:
            return
        self._kept[key] = (self._clock() + self._seconds, value)
        self._kept.move_to_end(key)
        if len(self._kept) > self._size:
            self._kept.popitem(last=False)

    def drop(self, key: K) -> None:
        """Forgets a value that has changed or may have changed."""
        self._kept.pop(key, None)
        self.generation += 1

    def clear(self) -> None:
        """Forgets every value."""
        self._kept.clear()
        self.generation += 1
