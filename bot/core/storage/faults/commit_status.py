"""Knows whether anything of a user's command was written."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final


@dataclass(slots=True)
class CommitStatus:
    """Counts the writing transactions of one interaction."""

    committed: int = 0
    unknown: int = 0
    """Commits with an unknown end: the connection was lost meanwhile."""


_current: Final[ContextVar[CommitStatus | None]] = ContextVar("commit_status", default=None)


def watch() -> CommitStatus:
    """Starts to count the transactions of the present task."""
    status = CommitStatus()
    _current.set(status)
    return status


@contextmanager
def apart() -> Iterator[None]:
    """Excludes the block's transactions from the count: the user has not asked for them."""
    token = _current.set(None)
    try:
        yield
    finally:
        _current.reset(token)


def committed() -> None:
    if (status := _current.get()) is not None:
        status.committed += 1


def unknown() -> None:
    if (status := _current.get()) is not None:
        status.unknown += 1


def found_out(*, stored: bool) -> None:
    """Counts the last unknown commit as ``stored`` or not."""
    if (status := _current.get()) is not None and status.unknown:
        status.unknown -= 1
        status.committed += stored
