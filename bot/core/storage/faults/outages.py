"""Recognises outages of the database, and logs when each begins and ends, and what more is learnt of its cause."""

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
"""The classes of PostgreSQL's SQLSTATE that mean an outage (its manual, appendix A).

They are connection, authorisation, resources, operator, system, no such database; and the state of a database that
takes no writes, such as a standby.
"""
CANCELED: Final = "57014"
"""The SQLSTATE of one canceled statement, for example because of its time limit."""
UNUSABLE_CODES: Final = frozenset(
    {
        *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_READONLY),
        *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN),
        *(sqlite3.SQLITE_PROTOCOL, sqlite3.SQLITE_NOTADB),
    }
)
"""SQLite's primary result codes that mean an outage (its documentation, "Result and Error Codes")."""
SETTLED: Final = 1.0
"""Seconds without a failure after which a success ends an outage."""
LONGEST: Final = 300
"""The most characters of an error in the log."""

log = structlog.get_logger(__name__)


class DatabaseReplaced(Exception):
    """Raised if the database's file was deleted or replaced while the bot runs: writes would be lost."""


class DatabaseUnavailable(Exception):
    """Raised if the database cannot be reached, or the turn to write does not come in time."""


class CommitUnknown(Exception):
    """Raised if the connection is lost during a commit, which may have been carried out."""


def is_outage(error: BaseException) -> bool:
    """Returns whether the database, or the way to it, fails: the same request may succeed later."""
    return any(_fails(cause) for cause in _causes(error))


def is_connection_lost(error: BaseException) -> bool:
    """Returns whether the connection was lost: a commit may then have been carried out."""
    for cause in _causes(error):
        if isinstance(cause, DBAPIError) and cause.connection_invalidated:
            return True
        if isinstance(cause, OSError | TimeoutError):
            return True
        if str(getattr(cause, "sqlstate", None) or "").startswith("08"):
            return True
    return False


def is_write_refused(error: BaseException) -> bool:
    """Returns whether PostgreSQL says that the transaction may only read: a fault of ours in ``reading``."""
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
    """Drops events about errors by an outage, a structlog processor: the outage itself is in the log.

    Raises structlog.DropEvent.
    """
    given = event.get("exc_info")
    error = given if isinstance(given, BaseException) else sys.exc_info()[1] if given else None
    if error is not None and is_outage(error):
        raise structlog.DropEvent
    return event


class OutageLog:
    """Knows whether there is an outage. ``clock`` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._since: float | None = None
        self._last = 0.0
        """The time of the last failure."""
        self._ended = -math.inf
        self._refused = 0
        self._only_reads = False
        """Whether reading still works, as on a full disk."""
        self._told: set[str | None] = set()
        """The sentences that are in the log for this outage: often it begins with a connection that only breaks."""

    @property
    def is_over(self) -> bool:
        """Whether the last use of the database succeeded."""
        return self._since is None

    def failed(self, error: BaseException, *, writes: bool = False, began: float | None = None) -> None:
        """Notes that a transaction has failed. ``writes``: whether it writes; ``began``: when, by the clock.

        A transaction from before the end of the latest outage may fail only now: it begins no other outage.
        """
        late = began is not None and began <= self._ended and self._since is None
        if late or not is_outage(error):
            return
        self._last = self.clock()
        self._only_reads = writes
        known = explained(error)
        if self._since is None or (known and known not in self._told):
            self._since = self._last if self._since is None else self._since
            self._told.add(known)
            log.error("database_unavailable", cause=known or reason(error)[:LONGEST], error=type(error).__name__)

    def refused(self) -> None:
        """Counts a command that an outage has stopped."""
        self._refused += self._since is not None

    def succeeded(self, *, wrote: bool = True) -> None:
        """Notes that a transaction has succeeded. It ends an outage after SETTLED seconds without a failure.

        If the last failure was of a writer, only another writer ends the outage: a full disk can be read.
        """
        if self._since is None or self.clock() - self._last < SETTLED or (self._only_reads and not wrote):
            return
        seconds, refused = round(self.clock() - self._since, 1), self._refused
        self._since, self._refused, self._ended = None, 0, self.clock()
        self._told.clear()
        log.warning("database_available", seconds=seconds, refused=refused)
