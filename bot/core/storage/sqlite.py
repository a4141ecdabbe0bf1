"""SQLite connections that run statements in the event loop and only commits in a thread.

A statement takes 0.1 ms. A thread would cost more, and far more when the loop is busy: the thread would wait for the
interpreter's lock each time, and all other writers would wait with it. A commit waits for the disk, some 20 ms on a
slow one, and would block the loop. So commits run in a thread, which releases the interpreter's lock while it waits.

A running statement or commit cannot be cancelled, so only a transaction's own code decides how it ends.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Generator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import Any, Final

import aiosqlite

from bot.core.cancellation import finish_despite_cancellation

PATIENCE: Final = 8.0
"""Seconds that a writer waits for a writer in another process. Before that it may have waited as long for its turn."""
PAUSE: Final = 0.01
"""Seconds between two attempts; the event loop runs meanwhile."""
LOCKED: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY)
"""Errors worth a retry. Not SQLITE_BUSY_SNAPSHOT: a reader with an old snapshot that wants to write never succeeds."""


class ImmediateQueue:
    """Replaces aiosqlite's queue to its thread: ``put_nowait`` runs the job before it returns."""

    def put_nowait(self, job: tuple[asyncio.Future[Any] | None, Callable[[], Any]]) -> None:
        future, function = job
        try:
            result = function()
        except Exception as error:
            if future is None:
                raise
            future.set_exception(error)
        else:
            if future is not None:
                future.set_result(result)


class InLoopConnection(aiosqlite.Connection):
    """A connection for SQLAlchemy's aiosqlite dialect. ``commits`` runs its commits; the rest goes to sqlite3."""

    def __init__(self, commits: Executor, *args: Any, **kwargs: Any) -> None:
        # the commit thread uses the connection too, but never at the same time as the event loop's thread
        options = {**kwargs, "timeout": 0, "check_same_thread": False}
        super().__init__(partial(sqlite3.connect, *args, **options), iter_chunk_size=64)
        self._tx: Any = ImmediateQueue()
        self._commits = commits

    def __await__(self) -> Generator[Any, None, aiosqlite.Connection]:
        return self._connect().__await__()

    async def commit(self) -> None:
        """Commits in the thread. Returns only when the commit is done, even if cancelled."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                loop = asyncio.get_running_loop()
                return await finish_despite_cancellation(loop.run_in_executor(self._commits, self._conn.commit))
            except sqlite3.OperationalError as error:
                await _pause_or_raise(error, until)

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if not self._running or not self._connection:
            raise ValueError("Connection closed")
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return fn(*args, **kwargs)
            except sqlite3.OperationalError as error:
                await _pause_or_raise(error, until)


async def _pause_or_raise(error: sqlite3.OperationalError, until: float) -> None:
    """Waits before another attempt, unless another process's lock is not the reason, or it is too late for one.

    A refused attempt has changed nothing.
    """
    if error.sqlite_errorcode not in LOCKED or time.monotonic() > until:
        raise error
    await asyncio.sleep(PAUSE)


def connection_factory() -> Callable[..., InLoopConnection]:
    """Makes the connections of one engine: its ``async_creator_fn``.

    They share one thread for commits, because only one writes at a time. It starts with the first commit and ends with
    the connections.
    """
    return partial(InLoopConnection, ThreadPoolExecutor(1, thread_name_prefix="sqlite-commit"))


def vacuum(path: str) -> None:
    """Rewrites a database file and empties its write-ahead log. Waits for other processes' transactions.

    ``secure_delete`` alone is not enough: SQLite moves rows within a page without overwriting where they were. Raises
    sqlite3.OperationalError if readers hold an old snapshot for too long.
    """
    with closing(sqlite3.connect(path, timeout=PATIENCE, isolation_level=None)) as connection:
        connection.execute("VACUUM")
        until = time.monotonic() + PATIENCE
        while True:
            (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            if not busy:
                return
            if time.monotonic() > until:
                raise sqlite3.OperationalError("the write-ahead log is in use")
            time.sleep(PAUSE)
