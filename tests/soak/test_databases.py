"""The lines to the database that the soak disturbs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from harness.discord import until
from sqlalchemy.engine import make_url

from soak import databases
from soak.databases import line

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


class Echo:
    """In the database's place: says everything again."""

    def __init__(self) -> None:
        self.accepted = self.open = 0
        """How many connections there have been, and how many of them are left."""

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.accepted += 1
        self.open += 1
        try:
            while data := await reader.read(100):
                writer.write(data)
        except ConnectionResetError:
            pass
        finally:
            self.open -= 1
            writer.close()


@pytest.fixture
async def echo() -> AsyncIterator[tuple[Echo, str]]:
    made = Echo()
    async with await asyncio.start_server(made.accept, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        yield made, f"postgresql+asyncpg://ana@127.0.0.1:{port}/games"


async def test_what_is_dark_is_given_up_by_the_database_and_silent_to_the_client(
    echo: tuple[Echo, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the connections of bots that were killed meanwhile would fill the database."""
    monkeypatch.setattr(databases, "KEPT", 0.3)
    database, url = echo
    async with line(url) as (made, through):
        before = await connected(through)
        await said(before)
        made.go_dark()
        during = await connected(through)
        await until(lambda: database.accepted == 2, "both are connected")
        await until(lambda: database.open == 0, "both are given up")
        for reader, writer in (before, during):
            writer.write(b"a")
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(reader.read(1), 0.1)
        made.light()
        after = await connected(through)
        await asyncio.sleep(0.5)
        await said(after)
        for _, writer in (before, during, after):
            writer.close()


@pytest.mark.parametrize("dark", [True, False], ids=["begun in the dark", "begun before"])
async def test_what_the_dark_met_on_its_way_to_the_database_is_given_up(
    echo: tuple[Echo, str], monkeypatch: pytest.MonkeyPatch, dark: bool
) -> None:
    """Also if the line carries again when the database takes the connection."""
    monkeypatch.setattr(databases, "KEPT", 0.3)
    database, url = echo
    async with line(url) as (made, through):
        connect = made._connect

        async def connect_late() -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
            if not dark:
                made.go_dark()
            made.light()
            return await connect()

        monkeypatch.setattr(made, "_connect", connect_late)
        if dark:
            made.go_dark()
        reader, writer = await connected(through)
        await until(lambda: database.accepted == 1, "it is connected")
        writer.write(b"a")
        await until(lambda: database.open == 0, "it is given up")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), 0.1)
        writer.close()


async def connected(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", make_url(url).port)


async def said(connection: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
    reader, writer = connection
    writer.write(b"a")
    assert await asyncio.wait_for(reader.read(1), 10) == b"a"
