"""What has become of what a user asked for: whether anything of it was written, as far as the bot knows."""

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
    """Commits of which nobody knows whether they were carried out: the connection was lost meanwhile."""


_current: Final[ContextVar[CommitStatus | None]] = ContextVar("commit_status", default=None)


def watch() -> CommitStatus:
    """Counts the transactions of the present task from now on."""
    status = CommitStatus()
    _current.set(status)
    return status


@contextmanager
def apart() -> Iterator[None]:
    """What is written here was not asked for by the user, and is not counted."""
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
    """It is known now what has become of the last unknown commit."""
    if (status := _current.get()) is not None and status.unknown:
        status.unknown -= 1
        status.committed += stored
