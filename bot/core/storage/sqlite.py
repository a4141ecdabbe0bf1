"""SQLite connections that run statements in the event loop and only commits in a thread.

A statement takes 0.1 ms. A thread would cost more, and far more when the loop is busy: the thread would wait for the
interpreter's lock each time, and all other writers would wait with it. A commit waits for the disk, some 20 ms on a
slow one, and would block the loop. So commits run in a thread, which releases the interpreter's lock while it waits.

SQLAlchemy runs the statements of an asyncio driver in greenlets, so that they can wait. That costs three times as much
as the statement, and these hardly ever wait. So here only ``run_sync``, ``stream`` and commits use greenlets.

A running statement or commit cannot be cancelled, so only a transaction's own code decides how it ends.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

from sqlalchemy import URL, CursorResult, Engine, create_engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.base import SQLiteExecutionContext
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.engine.cursor import FullyBufferedCursorFetchStrategy
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.util.concurrency import await_, in_greenlet

from bot.core.cancellation import finish_despite_cancellation

PATIENCE: Final = 8.0
"""Seconds that a writer waits for a writer in another process. Before that it may have waited as long for its turn."""
PAUSE: Final = 0.01
"""Seconds between two attempts; the event loop runs meanwhile."""
LOCKED: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY)
"""Errors worth a retry. Not SQLITE_BUSY_SNAPSHOT: a reader with an old snapshot that wants to write never succeeds."""
CONNECTIONS: Final = 4
"""Connections kept open. One writes. Reading transactions seldom overlap, because their statements run in the event
loop without a pause. More connections open when code awaits something else between its statements.
"""
DRIVER: Final = "sqlite+in_loop"
Given = ParamSpec("Given")
Result = TypeVar("Result")


class Context(SQLiteExecutionContext):
    """Reads all rows of a result at once: half-read ones would keep a transaction from its commit."""

    def post_exec(self) -> None:
        if self.cursor.description and not self._is_server_side:
            rows = self.cursor.fetchall()
            self.cursor_fetch_strategy = FullyBufferedCursorFetchStrategy(self.cursor, self.cursor.description, rows)

    def create_server_side_cursor(self) -> Any:
        """For ``AsyncConnection.stream``: rows are read one page after the other."""
        return self._dbapi_connection.cursor()


class Dialect(SQLiteDialect_pysqlite):
    """The standard library's sqlite3 under SQLAlchemy's asyncio."""

    driver = "in_loop"
    supports_statement_cache = True
    supports_server_side_cursors = True
    execution_ctx_cls = Context

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        # only one connection writes at a time
        self._commits = ThreadPoolExecutor(1, thread_name_prefix="sqlite-commit")

    def do_execute(self, cursor: Any, statement: str, parameters: Any, _context: Any = None) -> None:
        _run(partial(cursor.execute, statement, parameters))

    def do_executemany(self, cursor: Any, statement: str, parameters: Any, _context: Any = None) -> None:
        _run(partial(cursor.executemany, statement, parameters))

    def do_commit(self, dbapi_connection: Any) -> None:
        """Commits in the thread. Returns only when the commit is done, even if cancelled."""
        if in_greenlet():
            await_(self._commit(dbapi_connection.commit))
        else:
            dbapi_connection.commit()

    async def _commit(self, commit: Callable[[], object]) -> None:
        loop, until = asyncio.get_running_loop(), time.monotonic() + PATIENCE
        while True:
            try:
                await finish_despite_cancellation(loop.run_in_executor(self._commits, commit))
            except sqlite3.OperationalError as error:
                await _pause_or_raise(error, until)
            else:
                return


class InLoopConnection(AsyncConnection):
    """Runs statements without a greenlet."""

    __slots__ = ()

    async def start(self, is_ctxmanager: bool = False) -> AsyncConnection:  # noqa: ARG002 (SQLAlchemy names it)
        self.sync_connection = self._assign_proxied(await patiently(self.sync_engine.connect))
        return self

    async def execute(self, statement: Any, parameters: Any = None, *, execution_options: Any = None) -> Any:
        return await patiently(self._proxied.execute, statement, parameters, execution_options=execution_options)

    async def exec_driver_sql(
        self, statement: str, parameters: Any = None, execution_options: Any = None
    ) -> CursorResult[Any]:
        return await patiently(self._proxied.exec_driver_sql, statement, parameters, execution_options)

    async def rollback(self) -> None:
        self._proxied.rollback()

    async def close(self) -> None:
        self._proxied.close()

    async def __aexit__(self, *_: object) -> None:
        self._proxied.close()


class InLoopEngine(AsyncEngine):
    """An engine of such connections."""

    __slots__ = ()
    _connection_cls = InLoopConnection

    def __init__(self, sync_engine: Engine) -> None:
        # not that of AsyncEngine, which refuses drivers that need no asyncio
        self.sync_engine = self._assign_proxied(sync_engine)

    def execution_options(self, **options: Any) -> "InLoopEngine":
        return InLoopEngine(self.sync_engine.execution_options(**options))


def connect_in_loop(url: URL) -> InLoopEngine:
    """An engine for a database file. It opens as many connections as are asked for, and keeps CONNECTIONS."""
    engine = create_engine(
        url.set(drivername=DRIVER),
        hide_parameters=True,
        module=sqlite3,
        pool_size=CONNECTIONS,
        max_overflow=-1,
        connect_args={"timeout": 0},
    )
    return InLoopEngine(engine)


async def patiently(work: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> Result:
    """Does the work with a connection. While another process locks the file, waits and does it again.

    Raises what the last attempt raises, after PATIENCE at the latest.
    """
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return work(*args, **kwargs)
        except (sqlite3.OperationalError, OperationalError) as error:
            await _pause_or_raise(error, until)


async def _pause_or_raise(error: sqlite3.OperationalError | OperationalError, until: float) -> None:
    """Waits before another attempt, unless another process's lock is not the reason, or it is too late for one.

    A refused attempt has changed nothing.
    """
    refusal = error.orig if isinstance(error, OperationalError) else error
    if getattr(refusal, "sqlite_errorcode", None) not in LOCKED or time.monotonic() > until:
        raise error
    await asyncio.sleep(PAUSE)


def _run(statement: Callable[[], object]) -> None:
    """Runs a statement. In a greenlet it waits for other processes."""
    if in_greenlet():
        await_(patiently(statement))
    else:
        statement()


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


registry.register("sqlite.in_loop", __name__, "Dialect")
