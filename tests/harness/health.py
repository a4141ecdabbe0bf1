"""The bot as the command line runs it, with its pages for monitoring on a real port."""

from __future__ import annotations

import asyncio
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import aiohttp
import pytest
import structlog

from bot import app
from bot.settings import Settings
from harness.bot import TOKEN

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server

POLL = 0.02


class Health(NamedTuple):
    """A bot's pages; `logs`: what it has logged so far."""

    session: aiohttp.ClientSession
    port: int
    logs: list[Any]

    async def ready(self) -> tuple[int, dict[str, Any]]:
        """The status and the content of `/readyz`."""
        async with self.session.get(f"http://127.0.0.1:{self.port}/readyz") as answer:
            return answer.status, await answer.json()

    async def until(self, status: int, *failed: str, seconds: float = 30) -> None:
        """Waits until `/readyz` has that status, and until each of these checks has been seen to fail meanwhile."""
        missing = set(failed)
        async with asyncio.timeout(seconds):
            while True:
                found, checks = await self.ready()
                assert (found == 200) == all(checks[name] for name in ("discord", "database", "heartbeat"))
                missing -= {name for name in missing if not checks[name]}
                if found == status and not missing:
                    return
                await asyncio.sleep(POLL)

    def lines(self, event: str) -> list[Any]:
        """The lines of the log with that event."""
        return [line for line in self.logs if line["event"] == event]


@asynccontextmanager
async def serving(server: Server, database_url: str) -> AsyncIterator[Health]:
    """The bot, connected to `server` and ready."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = Settings.load(
        discord_token=TOKEN,
        discord_api_base=server.api_base,
        discord_gateway_url=server.gateway_url,
        database_url=database_url,
        health_port=port,
        rate_limits=False,
        identify_pause=0.0,
    )
    started, stop = asyncio.Event(), asyncio.Event()
    with pytest.MonkeyPatch.context() as patched, structlog.testing.capture_logs() as logs:
        patched.setattr(app, "collect_less", lambda: None)  # it is for the whole process, which is that of the tests
        running = asyncio.create_task(app._serve(settings, started, stop))
        try:
            await asyncio.wait({running, asyncio.ensure_future(started.wait())}, return_when=asyncio.FIRST_COMPLETED)
            await asyncio.sleep(0.1)  # the port is opened a moment after that
            async with aiohttp.ClientSession() as session:
                health = Health(session, port, logs)
                await health.until(200)
                yield health
        finally:
            stop.set()
            await running
