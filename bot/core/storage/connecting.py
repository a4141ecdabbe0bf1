"""Opens connections to SQLite and PostgreSQL, and drops dead ones.

SQLite's driver opens no transactions by itself (``isolation_level`` None): ``Database`` does, and ``begin`` of a
``transactional`` engine.
"""

import time
from functools import partial
from typing import Any, Final

from sqlalchemy import AdaptedConnection, ExceptionContext, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from bot.core.storage.faults.start_errors import READ_ONLY
from bot.settings import POSTGRES_CONNECTIONS

PRAGMAS: Final = """
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;  -- overwrites deleted rows; ``erase_deleted`` removes the rest
PRAGMA synchronous = FULL;  -- a commit is on the disk before it returns, in WAL mode too
PRAGMA cache_size = -500;  -- kB of each connection; the system's cache has the rest
"""
SQLITE_PATIENCE: Final = 8.0
"""Seconds that a writer waits for another process. Before that it may have waited as long for its turn."""
SQLITE_CONNECTIONS: Final = 6
"""Connections to a file that stay open, each with a thread of its own. Further ones open while readers hold these."""
PATIENCE: Final = 5.0
"""Seconds for PostgreSQL to accept a connection, and to answer the check before each transaction."""
LONGEST_QUERY: Final = 3
"""How many times PATIENCE a query may take. Those of play take some milliseconds."""
KEEP_ALIVE: Final = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"}
"""Lets PostgreSQL notice a dead bot, and free its locks."""
SERVER_SETTINGS: Final = {"idle_in_transaction_session_timeout": "30000", **KEEP_ALIVE}
LAST_USED: Final = "abakbot_last_used"
TRUSTED: Final = 10.0
"""Seconds after its last answer in which a connection needs no check: twice the pause between heartbeats."""
STATEMENTS: Final = 500
"""Prepared statements kept for each connection to PostgreSQL. Preparing one takes a round trip."""


def connect(url: str, connections: int = POSTGRES_CONNECTIONS, patience: float = PATIENCE) -> AsyncEngine:
    """Makes an engine, with SQLite connections set up (PRAGMAS). ``connections``: the most to PostgreSQL.

    If a connection to PostgreSQL dies without a word, its queries end after ``patience`` seconds, and it is dropped.
    The server likewise ends the transactions of a dead bot.
    """
    target = make_url(url)
    if target.get_backend_name() == "sqlite":
        engine = create_async_engine(
            target.set(drivername="sqlite+aiosqlite"),
            hide_parameters=True,
            pool_size=SQLITE_CONNECTIONS,
            max_overflow=-1,
            pool_use_lifo=True,  # the last used have read most into their caches
            connect_args={"timeout": SQLITE_PATIENCE},
        )
        event.listen(engine.sync_engine, "connect", _prepare)
        return engine
    # no overflow: each connection is a process of the server, which allows about a hundred
    engine = create_async_engine(
        url,
        hide_parameters=True,
        pool_size=connections,
        max_overflow=0,
        pool_timeout=LONGEST_QUERY * patience,
        pool_use_lifo=True,  # the last used have answered last, and have prepared the most frequent statements
        connect_args={
            "prepared_statement_cache_size": STATEMENTS,
            "timeout": patience,
            "command_timeout": LONGEST_QUERY * patience,
            "server_settings": SERVER_SETTINGS,
        },
    )
    event.listen(engine.sync_engine, "handle_error", _drop_the_dead)
    event.listen(engine.sync_engine.pool, "checkout", partial(_check_out, patience))
    event.listen(engine.sync_engine.pool, "checkin", _check_in)
    return engine


def _check_in(_: object, entry: ConnectionPoolEntry) -> None:
    entry.info[LAST_USED] = time.monotonic()


def _check_out(patience: float, connection: AdaptedConnection, entry: ConnectionPoolEntry, _: object) -> None:
    """Replaces a connection that does not answer, and distrusts all older ones.

    Asks only after TRUSTED seconds without use. SQLAlchemy's own check (``pool_pre_ping``) takes a time-out for an
    error of the caller, not for a dead connection.
    """
    if time.monotonic() - entry.info.get(LAST_USED, -TRUSTED) < TRUSTED:
        return
    try:
        connection.run_async(lambda driver: driver.fetchrow(";", timeout=patience))
    except Exception as error:
        raise InvalidatePoolError from error


def _drop_the_dead(context: ExceptionContext) -> None:
    """Drops a connection whose query has timed out, even before a rollback, and one that takes no writes.

    A setting that forbids writes stays with its connections, even if the database takes writes again, or if the server
    for them is another one by now.
    """
    error = context.original_exception
    if isinstance(error, TimeoutError) or getattr(error, "sqlstate", None) == READ_ONLY:
        context.is_disconnect = True


def _prepare(connection: Any, _: Any) -> None:
    connection.isolation_level = None
    connection.run_async(lambda driver: driver.executescript(PRAGMAS))


def transactional(engine: AsyncEngine) -> AsyncEngine:
    """Returns the same engine, whose ``begin`` opens transactions on SQLite, too."""
    found = engine.execution_options()
    if engine.dialect.name == "sqlite":
        event.listen(found.sync_engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
    return found
