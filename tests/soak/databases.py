"""The way to the database, for each process its own: it goes dark, breaks, or becomes slow."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from harness.proxy import READ, Proxy
from sqlalchemy.engine import URL, make_url

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Line(Proxy):
    """A proxy that can also break its connections and hold back what they carry."""

    def __init__(self, url: URL) -> None:
        super().__init__(url)
        self.delay = 0.0
        """Seconds that everything takes longer, each way."""

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carries a connection; one that the database does not take is broken off."""
        try:
            await super().accept(reader, writer)
        except OSError:
            writer.transport.abort()

    def reset(self) -> None:
        """Breaks every connection."""
        writers, self._writers = self._writers, []
        for writer in writers:
            writer.transport.abort()

    async def _carry(self, generation: int, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        try:
            while data := await source.read(READ):
                if generation == self._generation:
                    if self.delay:
                        await asyncio.sleep(self.delay)
                    target.write(data)
                    await target.drain()
        except OSError:
            pass
        if generation == self._generation:
            target.close()


@asynccontextmanager
async def line(url: str) -> AsyncIterator[tuple[Line, str]]:
    """A line to the database of that URL, and the URL that leads over it."""
    target = make_url(url)
    made = Line(target)
    server = await asyncio.start_server(made.accept, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield made, target.set(host="127.0.0.1", port=port, query={}).render_as_string(hide_password=False)
    finally:
        await made.close()
        server.close()
