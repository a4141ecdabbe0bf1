"""An append-only sequence whose earlier versions stay valid."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Log(Sequence[T], Generic[T]):
    """An immutable sequence with a cheap ``add``: a log and the longer logs made from it share one list.

    So all tables of a game with n entries need memory for n entries together, not for n * n. A second ``add`` to the
    same log copies the list, because the next place is taken. Slices are tuples; a log equals a tuple with the same
    items.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    @classmethod
    def of(cls, items: Sequence[T]) -> "Log[T]":
        return items if isinstance(items, Log) else cls(items)

    def add(self, item: T) -> "Log[T]":
        items, length = self._items, self._length
        if len(items) == length:
            items.append(item)
        if items[length] is not item:  # the place is taken by another add, perhaps in another thread
            items = [*items[:length], item]
        longer: Log[T] = Log.__new__(Log)
        longer._items, longer._length = items, length + 1
        return longer

    def count(self, value: Any) -> int:
        items = self._items
        return (items if len(items) == self._length else items[: self._length]).count(value)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T, ...]: ...
    def __getitem__(self, at: int | slice) -> T | tuple[T, ...]:
        if isinstance(at, slice):
            return tuple(self._items[place] for place in range(*at.indices(self._length)))
        place = at + self._length if at < 0 else at
        if not 0 <= place < self._length:
            raise IndexError(at)
        return self._items[place]

    def __iter__(self) -> Iterator[T]:
        return islice(self._items, self._length)

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, Log | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"Log({list(self)!r})"
