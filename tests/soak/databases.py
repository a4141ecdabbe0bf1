"""The way to the database, for each process its own: it goes dark, breaks, or becomes slow.

Unlike the proxy of the harness it reads nothing of what it carries, so that it may run for hours.
"""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from sqlalchemy.engine import URL, make_url

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

READ: Final = 65536
KEPT: Final = 25.0
"""Seconds until PostgreSQL gives up a client that it no longer reaches, by the keep-alive that the bot asks for."""


class Line:
    """A TCP proxy. What is open when it goes dark never carries anything again, and its client never hears of an end.

    The database gives it up after KEPT seconds: otherwise the dead connections would fill it.
    """

    def __init__(self, url: URL) -> None:
        self._url = url
        self._generation = 0
        self._dark = False
        self.delay = 0.0
        """Seconds that everything takes longer, each way."""
        self.met = 0
        """How many open connections went dark or were broken."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._behind: set[asyncio.StreamWriter] = set()
        """Those of them that lead to the database, and are not given up."""

    def go_dark(self) -> None:
        """Stops carrying data, also on new connections."""
        self.met += self._open
        self._generation += 1
        self._dark = True
        for to in self._behind:
            self._give_up(to)
        self._behind.clear()

    def light(self) -> None:
        """Lets new connections carry data again."""
        self._dark = False

    def reset(self) -> None:
        """Breaks every connection."""
        self.met += self._open
        for writer in self._writers:
            writer.transport.abort()

    @property
    def _open(self) -> int:
        """The connections that are carried, each by two tasks."""
        return len(self._tasks) // 2

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carries a connection; one that the database does not take is broken off."""
        generation = -1 if self._dark else self._generation
        try:
            behind, to = await self._connect()
        except OSError:
            writer.transport.abort()
            return
        if generation != self._generation:  # the dark has met it, also if the line carries again
            self._give_up(to)
        else:
            self._behind.add(to)
        for source, target in ((reader, to), (behind, writer)):
            task = asyncio.create_task(self._carry(generation, source, target))
            self._tasks.add(task)
            self._writers.add(target)
            task.add_done_callback(self._tasks.discard)

    def _give_up(self, to: asyncio.StreamWriter) -> None:
        asyncio.get_running_loop().call_later(KEPT, to.transport.abort)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        port, folder = self._url.port or 5432, self._url.query.get("host")
        if folder:
            return await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.{port}")
        return await asyncio.open_connection(self._url.host, port)

    async def _carry(self, generation: int, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await source.read(READ):
                if generation == self._generation:
                    if self.delay:
                        await asyncio.sleep(self.delay)
                    target.write(data)
                    await target.drain()
        if generation == self._generation:
            target.close()
            self._writers.discard(target)
            self._behind.discard(target)
            with contextlib.suppress(OSError):
                await target.wait_closed()

    async def close(self) -> None:
        """Ends everything."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.reset()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)


@asynccontextmanager
async def line(url: str) -> AsyncIterator[tuple[Line, str]]:
    """Opens a line to the database of that URL, and yields it with the URL that leads over it."""
    target = make_url(url)
    made = Line(target)
    server = await asyncio.start_server(made.accept, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield made, target.set(host="127.0.0.1", port=port, query={}).render_as_string(hide_password=False)
    finally:
        await made.close()
        server.close()
