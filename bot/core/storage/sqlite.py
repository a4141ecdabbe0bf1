"""SQLite without a thread for its statements: each is done where it is asked for, in the event loop.

A statement takes a tenth of a millisecond. Handing it to a thread and back costs more, and far more where the loop is
busy: the thread then waits for the interpreter's lock at every turn, and all other writers wait with it. A commit is
another matter: it takes as long as the disk takes to write a page, some 20 ms on a slow one, and the loop would stand
still. So the commit of a transaction that has written is done in a thread, which lets the lock go while it waits.

A statement that is under way cannot be cancelled, and neither can a commit, so a transaction ends as its own code says.
"""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable, Generator
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from typing import Any, Final

import aiosqlite

from bot.core.cancellation import to_its_end

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
    """A connection for SQLAlchemy's aiosqlite dialect, made with sqlite3's arguments; ``commits`` runs its commits."""

    def __init__(self, commits: Executor, *args: Any, **given: Any) -> None:
        # the thread of the commits uses it too, and never at the same time as the loop's
        ours = {**given, "timeout": 0, "check_same_thread": False}
        super().__init__(partial(sqlite3.connect, *args, **ours), iter_chunk_size=64)
        self._tx: Any = AtOnce()
        self._commits = commits

    def __await__(self) -> Generator[Any, None, aiosqlite.Connection]:
        return self._connect().__await__()

    async def commit(self) -> None:
        """Commits in the thread, and comes back only when that is done, even if cancelled."""

        async def done() -> None:
            await asyncio.get_running_loop().run_in_executor(self._commits, self._conn.commit)

        await _patiently(lambda: to_its_end(done()))

    async def _execute(self, fn: Callable[..., Any], *args: Any, **given: Any) -> Any:
        plain = super()._execute
        return await _patiently(lambda: plain(fn, *args, **given))  # type: ignore[no-untyped-call]


async def _patiently(attempt: Callable[[], Awaitable[Any]]) -> Any:
    """Does it. Where another process holds the lock, tries again for a while: what was refused has done nothing."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return await attempt()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode not in LOCKED or time.monotonic() > until:
                raise
        await asyncio.sleep(PAUSE)


def creator() -> Callable[..., InPlace]:
    """What makes the connections of one engine: an ``async_creator_fn``. They share a thread, as one writes at a time.

    The thread starts with the first commit, and ends with the connections.
    """
    return partial(InPlace, ThreadPoolExecutor(1, thread_name_prefix="sqlite-commit"))
