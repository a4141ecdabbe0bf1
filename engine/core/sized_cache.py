"""Caches limited by the size of all that they hold, which drop the least recently used things."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import update_wrapper
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
V = TypeVar("V")


class SizedCache(Generic[V]):
    """Shared things by key, which measure at most ``capacity`` in all. Thread-safe. Nobody may change them."""

    def __init__(self, capacity: int) -> None:
        self._capacity, self._used = capacity, 0
        self._things: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    @property
    def used(self) -> int:
        """What all things together measure."""
        return self._used

    def get(self, key: Hashable) -> V | None:
        with self._lock:
            found = self._things.get(key)
            if found is None:
                return None
            self._things.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, thing: V, size: int) -> None:
        """``size``: what it measures, in the unit of the capacity."""
        with self._lock:
            if key in self._things:
                self._used -= self._things.pop(key)[1]
            self._things[key] = (thing, size)
            self._used += size
            while self._used > self._capacity:
                self._used -= self._things.popitem(last=False)[1][1]

    def clear(self) -> None:
        with self._lock:
            self._things.clear()
            self._used = 0

    def __len__(self) -> int:
        return len(self._things)


class Remembered(Generic[P, V]):
    """A function whose results are kept."""

    def __init__(self, make: Callable[P, V], capacity: int, size: Callable[[Any], int]) -> None:
        self._make, self._size = make, size
        self.results = SizedCache[V](capacity)
        update_wrapper(self, make)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> V:
        key = (args, *kwargs.items())
        found = self.results.get(key)
        if found is None:
            found = self._make(*args, **kwargs)
            self.results.put(key, found, self._size(found))
        return found

    def cache_clear(self) -> None:
        self.results.clear()


def remembered(capacity: int, size: Callable[[Any], int]) -> Callable[[Callable[P, V]], Remembered[P, V]]:
    """As ``lru_cache``, for results that are never None; limited by what they measure in all, as ``size`` says."""

    def wrap(make: Callable[P, V]) -> Remembered[P, V]:
        return Remembered(make, capacity, size)

    return wrap
