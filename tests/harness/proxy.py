"""A TCP proxy before a database, which can drop packets without a word, as a broken route or a fail-over does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.engine import URL, make_url

READ = 65536


class Proxy:
    """Connections that are open while ``drop`` is called carry nothing any more, and are never closed either."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._generation = 0
        self.refuses = False
        """Whether new connections carry nothing, too."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []

    def drop(self, *, new: bool = False) -> None:
        """Drops all packets of the connections that are open now; with ``new`` also those of later ones."""
        self._generation += 1
        self.refuses = new

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        generation = -1 if self.refuses else self._generation
        behind, to = await self._connect()
        self._writers += [writer, to]
        for source, target in ((reader, to), (behind, writer)):
            task = asyncio.create_task(self._carry(generation, source, target))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        port, folder = self._url.port or 5432, self._url.query.get("host")
        if folder:
            return await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.{port}")
        return await asyncio.open_connection(self._url.host, port)

    async def _carry(self, generation: int, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while data := await source.read(READ):
            if generation == self._generation:
                target.write(data)
                await target.drain()
        if generation == self._generation:
            target.close()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)


@asynccontextmanager
async def proxied(url: str) -> AsyncIterator[tuple[Proxy, str]]:
    """A proxy before the database of that URL, and the URL that leads through it."""
    target = make_url(url)
    proxy = Proxy(target)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield proxy, target.set(host="127.0.0.1", port=port, query={}).render_as_string(hide_password=False)
    finally:
        await proxy.close()
        server.close()
