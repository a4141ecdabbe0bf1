"""Keeps one connection to PostgreSQL open, to hold locks on and to hear announcements."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

import structlog
from sqlalchemy.engine import make_url

PATIENCE: Final = 4.0
"""Seconds for PostgreSQL to accept the connection, and to answer on it."""
SERVER_SETTINGS: Final = {
    "application_name": "abakbot",
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "3",
    "tcp_keepalives_count": "2",
}

WHO: Final = "SELECT pid, backend_start FROM pg_stat_activity"

log = structlog.get_logger(__name__)


class Link:
    """Opens the connection when it is needed, and again after it was lost. Its locks are lost with it."""

    def __init__(self, url: str, *, patience: float | None = None) -> None:
        self._url = make_url(url)
        self._patience = PATIENCE if patience is None else patience
        self._connection: Any = None
        self._before: Any = None
        """The process of PostgreSQL that served the last connection."""
        self._one_at_a_time = asyncio.Lock()
        self.opened = 0
        self.answered_at = time.monotonic()
        self.on_open: list[Callable[[Any], Awaitable[None]]] = []
        """Take asyncpg's connection after it was opened."""

    async def fetch(self, query: str, *values: object) -> list[Any]:
        """Asks PostgreSQL. Any failure closes the connection, and the next question opens another one.

        If the caller is cancelled, the question still comes to its end, and the connection keeps its locks.
        """
        asking = asyncio.create_task(self._fetch(query, values))
        try:
            return await asyncio.shield(asking)
        except asyncio.CancelledError:
            asking.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise

    async def _fetch(self, query: str, values: tuple[object, ...]) -> list[Any]:
        async with self._one_at_a_time:
            try:
                async with asyncio.timeout(self._patience):
                    if self._connection is None:
                        await self._open()
                    rows: list[Any] = await self._connection.fetch(query, *values)
            except BaseException:
                self._drop()
                raise
            self.answered_at = time.monotonic()
            return rows

    async def _open(self) -> None:
        import asyncpg  # type: ignore[import-untyped]

        _, options = self._url.get_dialect()().create_connect_args(self._url)
        self._connection = await asyncpg.connect(
            **options, server_settings=SERVER_SETTINGS, timeout=self._patience, command_timeout=self._patience
        )
        self._connection.add_termination_listener(self._lost)
        await self._end_predecessor()
        for listener in self.on_open:
            await listener(self._connection)
        self.opened += 1

    async def _end_predecessor(self) -> None:
        """Ends the connection before: PostgreSQL may not have noticed its loss, and may keep its locks."""
        if self._before is not None:
            await self._connection.execute(
                f"SELECT pg_terminate_backend(pid) FROM ({WHO}) AS one WHERE pid = $1 AND backend_start = $2",  # noqa: S608
                *self._before,
            )
        self._before = await self._connection.fetchrow(f"{WHO} WHERE pid = pg_backend_pid()")

    def _lost(self, connection: Any) -> None:
        if connection is self._connection:
            self._drop()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                connection.terminate()

    async def close(self) -> None:
        """Closes the connection, which frees its locks at once."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(Exception):
                await connection.close(timeout=1.0)
