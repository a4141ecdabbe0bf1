"""Caches of values read from the database, limited by bytes, and their capacities."""

import sys
import time
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Final, Generic, TypeVar

from engine.core.sized_cache import SizedCache

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
CAPACITY: Final = {
    "games": 3_000_000,  # a game of thirty turns takes about twenty thousand bytes
    "matches": 2_000_000,
    "values": 1_000_000,  # each cache of names, of preferences, of texts
}
"""The most bytes that each cache may take, by estimate. Those of pictures: ``render/canvas/cache_budgets.py``."""
ENTRY: Final = 300
"""The bytes of a place in a cache besides the value."""
LIFETIME: Final = 60.0
"""The most seconds that a value is used. The announcement of another process's change may be missed."""


def size_of(value: object) -> int:
    """Returns the bytes of a plain value: texts, numbers, and collections of them."""
    inner: Iterable[object] = ()
    if isinstance(value, Mapping):
        inner = (part for pair in value.items() for part in pair)
    elif isinstance(value, tuple | list | frozenset):
        inner = value
    return sys.getsizeof(value) + sum(map(size_of, inner))


class Cache(Generic[K, V]):
    """Keeps plain values of at most ``capacity`` bytes in all, each for ``seconds``. It drops the least recently used
    first.

    A value may change while it is being read from the database. So read ``generation`` first, and pass it to ``keep``
    with the value: ``keep`` ignores the value if anything was dropped in between.
    """

    def __init__(
        self, capacity: int = CAPACITY["values"], seconds: float = LIFETIME, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = seconds
        self._clock = clock
        self._values = SizedCache[K, tuple[float, V]](capacity, lambda kept: ENTRY + size_of(kept))
        self.generation = 0
        """The number of drops so far."""

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        until, value = self._values.get(key) or (0.0, None)
        return value if until > self._clock() else None

    def keep(self, key: K, value: V, generation: int) -> None:
        """Keeps a value, unless anything was dropped since ``generation`` was read."""
        if generation != self.generation:
            return
        self._values.put(key, (self._clock() + self._seconds, value))

    def drop(self, key: K) -> None:
        """Forgets a value that has changed, or may have."""
        self._values.pop(key)
        self.generation += 1

    def clear(self) -> None:
        self._values.clear()
        self.generation += 1
