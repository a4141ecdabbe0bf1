"""Results that follow from a position, kept for whoever asks next: limited in all, the least recently used go first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """A function whose results are kept, as by ``lru_cache``, but limited by their ``size`` in all. Thread-safe.

    Results are shared, so nobody may change them.
    """

    def __init__(self, find: Callable[[K], V], room: int, size: Callable[[V], int]) -> None:
        """``room``: the most that all results together may measure; ``size`` measures one."""
        self._find, self._room, self._size = find, room, size
        self._results: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._used = 0
        self._lock = Lock()

    def __call__(self, key: K) -> V:
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key][0]
        result = self._find(key)
        self._keep(key, result)
        return result

    def _keep(self, key: K, result: V) -> None:
        size = self._size(result)
        with self._lock:
            _, replaced = self._results.pop(key, (None, 0))
            self._results[key] = result, size
            self._used += size - replaced
            while self._used > self._room:
                _, (_, dropped) = self._results.popitem(last=False)
                self._used -= dropped

    @property
    def used(self) -> int:
        """What all results together measure."""
        return self._used

    def cache_clear(self) -> None:
        with self._lock:
            self._results.clear()
            self._used = 0
