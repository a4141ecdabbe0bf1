"""The last values read from the database, believed for a short while."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
SIZE: Final = 4096
LIFETIME: Final = 60.0
"""Seconds: how long another process may go on with a value that this one has changed."""


class Cache(Generic[K, V]):
    """Keeps at most ``size`` values, each for ``seconds``; those longest unused go first.

    A value that was being read while another was dropped may be older than that change, so it is not kept: ask for
    the ``moment`` before reading, and give it back with the value.
    """

    def __init__(
        self, size: int = SIZE, seconds: float = LIFETIME, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._size = size
        self._seconds = seconds
        self._clock = clock
        self._kept: OrderedDict[K, tuple[float, V]] = OrderedDict()
        self.moment = 0
        """Counts what was dropped."""

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: K) -> V | None:
        until, value = self._kept.get(key, (0.0, None))
        if value is None or until <= self._clock():
            return None
        self._kept.move_to_end(key)
        return value

    def keep(self, key: K, value: V, moment: int) -> None:
        """Keeps what was read since ``moment``."""
        if moment != self.moment:
            return
        self._kept[key] = (self._clock() + self._seconds, value)
        self._kept.move_to_end(key)
        if len(self._kept) > self._size:
            self._kept.popitem(last=False)

    def drop(self, key: K) -> None:
        """Forgets a value that has changed, or may have."""
        self._kept.pop(key, None)
        self.moment += 1
