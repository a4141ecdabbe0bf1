"""A TCP proxy before a PostgreSQL database, which counts round trips and can delay them.

It can also drop packets without a word, as a broken route or a fail-over does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

from sqlalchemy.engine import URL, make_url

READ = 65536
HEAD = 5
"""Bytes of a message's type and length."""


class _Trips:
    """The round trips of one connection: each begins with what the client sends after an answer."""

    def __init__(self, statements: list[list[str]]) -> None:
        self._statements = statements
        self._waiting = False
        self._prepared: dict[bytes, str] = {}

    def asked(self, data: bytes) -> bool:
        """Notes data of the client. Returns False: they wait for no answer."""
        if not self._waiting:
            self._waiting = True
            self._statements.append([])
        self._statements[-1] += self._read(data)
        return False

    def answered(self, _: bytes) -> bool:
        """Notes data of the database. Returns whether they are the first part of an answer."""
        first, self._waiting = self._waiting, False
        return first

    def _read(self, data: bytes) -> Iterator[str]:
        """Yields the statements in PostgreSQL's messages (protocol 3.0): a type, the length of the rest, the rest."""
        while len(data) >= HEAD:
            kind, length = data[:1], int.from_bytes(data[1:HEAD])
            body, data = data[HEAD : length + 1], data[length + 1 :]
            if kind == b"Q":
                yield body.rstrip(b"\0").decode()
            elif kind == b"P":
                name, text, *_ = body.split(b"\0")
                self._prepared[name] = text.decode()
                yield f"prepare {self._prepared[name]}"
            elif kind == b"B":
                _, name, *_ = body.split(b"\0", 2)
                yield self._prepared.get(name, "?")


class Proxy:
    """Connections that are open while ``drop`` is called carry nothing any more, and are never closed either."""

    def __init__(self, url: URL) -> None:
        self._url = url
        self._generation = 0
        self.refuses = False
        """Whether new connections carry nothing, too."""
        self.delay = 0.0
        """Seconds that each answer of the database takes on its way."""
        self.statements: list[list[str]] = []
        """For each round trip so far, what was asked in it: SQL, or the name of a message without any."""
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
        trips = _Trips(self.statements)
        for source, target in ((reader, to), (behind, writer)):
            note = trips.asked if source is reader else trips.answered
            task = asyncio.create_task(self._carry(generation, source, target, note))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        port, folder = self._url.port or 5432, self._url.query.get("host")
        if folder:
            return await asyncio.open_unix_connection(f"{folder}/.s.PGSQL.{port}")
        return await asyncio.open_connection(self._url.host, port)

    async def _carry(
        self,
        generation: int,
        source: asyncio.StreamReader,
        target: asyncio.StreamWriter,
        note: Callable[[bytes], bool],
    ) -> None:
        while data := await source.read(READ):
            if generation == self._generation:
                if note(data) and self.delay:
                    await asyncio.sleep(self.delay)
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
    """Runs a proxy before the database of that URL, and yields it with the URL that leads through it."""
    target = make_url(url)
    proxy = Proxy(target)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield proxy, target.set(host="127.0.0.1", port=port, query={}).render_as_string(hide_password=False)
    finally:
        await proxy.close()
        server.close()
