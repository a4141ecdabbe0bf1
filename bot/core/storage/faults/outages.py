"""Whether an error means that the database cannot be used now, and the two lines in the log about it.

A known outage is logged when it begins and when it ends, not with every command that it stops.
"""

import math
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, MutableMapping
from typing import Any, Final

import structlog
from sqlalchemy.exc import DBAPIError, InvalidatePoolError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.core.storage.faults.start_errors import READ_ONLY, explained, reason

UNUSABLE_STATES: Final = ("08", "28", "53", "57", "58", "3D", READ_ONLY)
"""The classes of PostgreSQL's SQLSTATE that mean so: connection, authorisation, resources, operator, system, no such
database; and the state of one that takes no writes, such as a standby (its manual, appendix A)."""
CANCELED: Final = "57014"
"""The server has canceled one statement, for example because of its time limit."""
UNUSABLE_CODES: Final = frozenset(
    {
        *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY),
        *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN),
        *(sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOTADB),
    }
)
"""SQLite's primary result codes that mean so (its documentation, "Result and Error Codes")."""
SETTLED: Final = 1.0
"""Seconds without a failure after which a success ends an outage."""
LONGEST: Final = 300
"""The most characters of an error in the log."""

log = structlog.get_logger(__name__)


class DatabaseReplaced(Exception):
    """The database's file was deleted or replaced while the bot runs: what is written now would be lost."""


class DatabaseUnavailable(Exception):
    """The database cannot be reached, or its turn to write did not come in time."""


class CommitUnknown(Exception):
    """The connection was lost during a commit. It may have been carried out."""


def is_outage(error: BaseException) -> bool:
    """Whether the database, or the way to it, fails: the same request may succeed later."""
    return any(_fails(cause) for cause in _causes(error))


def is_connection_lost(error: BaseException) -> bool:
    """Whether nobody answered: if it was a commit, it may have been carried out."""
    for cause in _causes(error):
        if isinstance(cause, DBAPIError) and cause.connection_invalidated:
            return True
        if isinstance(cause, OSError | TimeoutError):
            return True
        if str(getattr(cause, "sqlstate", None) or "").startswith("08"):
            return True
    return False


def is_write_refused(error: BaseException) -> bool:
    """Whether PostgreSQL says that the transaction may only read: a fault of ours where it was begun so."""
    return any(getattr(cause, "sqlstate", None) == READ_ONLY for cause in _causes(error))


def _fails(error: BaseException) -> bool:
    if isinstance(error, CommitUnknown | DatabaseReplaced | DatabaseUnavailable | PoolTimeout | InvalidatePoolError):
        return True
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", 0) & 0xFF in UNUSABLE_CODES
    if isinstance(error, DBAPIError) and (error.connection_invalidated or isinstance(error.orig, TimeoutError)):
        return True
    state = str(getattr(error, "sqlstate", None) or "")
    return state.startswith(UNUSABLE_STATES) and state != CANCELED


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = (error.orig if isinstance(error, DBAPIError) else None) or error.__cause__


def drop_outages(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor: whatever an outage makes fail is not in the log, since the outage itself is.

    Raises structlog.DropEvent.
    """
    given = event.get("exc_info")
    error = given if isinstance(given, BaseException) else sys.exc_info()[1] if given else None
    if error is not None and is_outage(error):
        raise structlog.DropEvent
    return event


class OutageLog:
    """Knows whether the database is out of order. ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._since: float | None = None
        self._last = 0.0
        """When a transaction last failed."""
        self._ended = -math.inf
        """When the latest outage ended."""
        self._refused = 0
        self._only_reads = False
        """Whether it can still be read, as on a full disk."""

    @property
    def is_over(self) -> bool:
        """Whether the database was in order when it was last used."""
        return self._since is None

    def failed(self, error: BaseException, *, writes: bool = False, began: float | None = None) -> None:
        """A transaction that ``began`` then (by the clock) has failed, perhaps one that ``writes``.

        One from before the end of the latest outage may come to know of that one only now: it begins no other.
        """
        late = began is not None and began <= self._ended and self._since is None
        if late or not is_outage(error):
            return
        self._last = self.clock()
        self._only_reads = writes
        if self._since is None:
            self._since = self._last
            cause = explained(error) or reason(error)[:LONGEST]
            log.error("database_unavailable", cause=cause, error=type(error).__name__)

    def refused(self) -> None:
        """A command could not be carried out."""
        self._refused += self._since is not None

    def succeeded(self, *, wrote: bool = True) -> None:
        """A transaction has succeeded. Others may still come to know that theirs has failed: see SETTLED.

        If one that writes was the last to fail, only another one ends the outage: a full disk can be read.
        """
        if self._since is None or self.clock() - self._last < SETTLED or (self._only_reads and not wrote):
            return
        seconds, refused = round(self.clock() - self._since, 1), self._refused
        self._since, self._refused, self._ended = None, 0, self.clock()
        log.warning("database_available", seconds=seconds, refused=refused)
