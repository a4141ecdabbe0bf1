"""Caches limited by the total size of their values. They drop the least recently used ones."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import update_wrapper
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SizedCache(Generic[K, V]):
    """Shared values by key, with a total size of at most ``capacity``. Thread-safe. Nobody may change the values."""

    def __init__(self, capacity: int, size: Callable[[V], int]) -> None:
        """Starts empty. ``size`` measures a value, in the unit of the capacity, once, when the value is stored."""
        self._capacity, self._size = capacity, size
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._lock = Lock()
        self.used = 0
        """The total size of all values."""

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def items(self) -> list[tuple[K, V]]:
        with self._lock:
            return [(key, value) for key, (value, _) in self._values.items()]

    def put(self, key: K, value: V) -> None:
        size = self._size(value)
        with self._lock:
            self.used += size - self._values.pop(key, (None, 0))[1]
            self._values[key] = (value, size)
            while self.used > self._capacity:
                self.used -= self._values.popitem(last=False)[1][1]

    def pop(self, key: K) -> None:
        with self._lock:
            self.used -= self._values.pop(key, (None, 0))[1]

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self.used = 0


class Remembered(Generic[P, V]):
    def __init__(self, make: Callable[P, V], capacity: int, size: Callable[[Any], int]) -> None:
        self._make = make
        self.results = SizedCache[Hashable, V](capacity, size)
        update_wrapper(self, make)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> V:
        key = (args, *kwargs.items())
        found = self.results.get(key)
        if found is None:
            found = self._make(*args, **kwargs)
            self.results.put(key, found)
        return found

    def cache_clear(self) -> None:
        self.results.clear()


def remembered(capacity: int, size: Callable[[Any], int]) -> Callable[[Callable[P, V]], Remembered[P, V]]:
    """Caches results as ``lru_cache`` does, up to a total ``size`` of ``capacity``. No result may be None."""

    def wrap(make: Callable[P, V]) -> Remembered[P, V]:
        return Remembered(make, capacity, size)

    return wrap
