"""SQLite without a thread of its own: each statement is done where it is asked for, in the event loop.

A statement takes a tenth of a millisecond, a commit as long as the disk takes to write a page. Handing each to a thread
and back costs more, and far more where the loop is busy: the thread then waits for the interpreter's lock at every
turn, a tenth of a second for a transaction, and all other writers wait with it. Who has so many games that the commits
themselves take the loop's time is better served by PostgreSQL.

A statement that is under way cannot be cancelled, so a transaction ends as its own code says.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Generator
from functools import partial
from typing import Any, Final

import aiosqlite

PATIENCE: Final = 30.0
"""Seconds that a writer waits for one in another process."""
PAUSE: Final = 0.01
"""Seconds between two attempts; the loop does other things meanwhile."""
LOCKED: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY)
"""What passes; SQLITE_BUSY_SNAPSHOT, a reader that has fallen behind and wants to write, does not."""


class AtOnce:
    """Stands for the queue to a worker's thread: what is put in is done before ``put_nowait`` comes back."""

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


class InPlace(aiosqlite.Connection):
    """A connection for SQLAlchemy's aiosqlite dialect: what ``async_creator_fn`` makes, with sqlite3's arguments."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(partial(sqlite3.connect, *args, **{**given, "timeout": 0}), iter_chunk_size=64)
        self._tx: Any = AtOnce()

    def __await__(self) -> Generator[Any, None, aiosqlite.Connection]:
        return self._connect().__await__()

    async def _execute(self, fn: Callable[..., Any], *args: Any, **given: Any) -> Any:
        """Does it. Where another process holds the lock, tries again for a while: what was refused has done nothing."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return await super()._execute(fn, *args, **given)  # type: ignore[no-untyped-call]
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode not in LOCKED or time.monotonic() > until:
                    raise
            await asyncio.sleep(PAUSE)
