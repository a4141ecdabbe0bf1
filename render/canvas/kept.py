"""A cache limited by bytes, which drops the least recently used things."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

V = TypeVar("V")


class Kept(Generic[V]):
    """Things by key, with at most ``room`` bytes in all. Thread-safe."""

    def __init__(self, room: int) -> None:
        self._room, self._used = room, 0
        self._things: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> V | None:
        with self._lock:
            found = self._things.get(key)
            if found is None:
                return None
            self._things.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, thing: V, size: int) -> None:
        """``size`` in bytes."""
        with self._lock:
            if key in self._things:
                self._used -= self._things.pop(key)[1]
            self._things[key] = (thing, size)
            self._used += size
            while self._used > self._room:
                self._used -= self._things.popitem(last=False)[1][1]

    def clear(self) -> None:
        with self._lock:
            self._things.clear()
            self._used = 0

    def __len__(self) -> int:
        return len(self._things)
