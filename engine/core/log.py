"""A sequence that grows at its end, and of which every earlier length stays as it was."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Log(Sequence[T], Generic[T]):
    """An immutable sequence with a cheap ``add``. A log and what was added to it share one list.

    So a game of n entries costs n places and not n * n, however many of its tables are kept. A second ``add`` to the
    same log copies the list, as the place behind it is taken. Slices are tuples; a log equals a tuple of the same.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    @classmethod
    def of(cls, items: Sequence[T]) -> "Log[T]":
        """The same sequence as a log."""
        return items if isinstance(items, Log) else cls(items)

    def add(self, item: T) -> "Log[T]":
        """The sequence with one more item at its end."""
        items, length = self._items, self._length
        if len(items) == length:
            items.append(item)
        if items[length] is not item:  # the place is another's, who may also have come between in a thread
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
