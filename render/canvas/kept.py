"""Caches limited by bytes, which drop the least recently used things; and how many bytes each may have."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Any, Final, Generic, ParamSpec, TypeVar

from PIL import Image

P = ParamSpec("P")
V = TypeVar("V")

BUDGET: Final = {
    "pictures": 2_000_000,  # finished PNGs: the same board for whoever looks at it next
    "bands": 4_000_000,  # compressed bands of PNGs: most of a game's next board is that of the last
    "stamps": 3_000_000,  # sprites in the numbers of a ground's colours
    "grounds": 3_000_000,  # unpacked empty boards: a third of a megabyte each
    "arrows": 1_000_000,
    "labels": 1_000_000,
}
"""The most bytes that each cache of pictures may take. Sprites are not in it: they are few and small."""
BESIDES: Final = 2_000
"""Bytes that a cached thing takes besides its content: its key, and Python's objects around it."""


class Kept(Generic[V]):
    """Things by key, with at most ``room`` bytes in all. Thread-safe."""

    def __init__(self, room: int) -> None:
        self._room, self._used = room, 0
        self._things: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._lock = Lock()

    @property
    def used(self) -> int:
        """Bytes."""
        return self._used

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


def remembered(room: int, size: Callable[[Any], int]) -> Callable[[Callable[P, V]], Callable[P, V]]:
    """As ``lru_cache``, limited by bytes: ``size`` tells those of a result."""

    def wrap(make: Callable[P, V]) -> Callable[P, V]:
        results = Kept[V](room)

        @wraps(make)
        def call(*args: P.args, **kwargs: P.kwargs) -> V:
            key = (args, *kwargs.items())
            found = results.get(key)
            if found is None:
                found = make(*args, **kwargs)
                results.put(key, found, size(found) + BESIDES)
            return found

        return call

    return wrap


def size_of(image: Image.Image) -> int:
    """The bytes of a picture's pixels: Pillow keeps those of several channels in four bytes."""
    return image.width * image.height * (1 if len(image.getbands()) == 1 else 4)
