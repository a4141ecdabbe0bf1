"""The bot as the command line runs it, with its pages for monitoring on a real port."""

from __future__ import annotations

import asyncio
import errno
import socket
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import aiohttp
import pytest
import structlog

from bot import app
from bot.health import serve_health
from bot.settings import Settings
from harness.bot import TOKEN
from harness.discord import PATIENT

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from contextlib import AbstractAsyncContextManager

    from bot.sandbox.server import Server

POLL = 0.02
TRIES = 20


class Health(NamedTuple):
    """A bot's pages; `logs`: what it has logged so far."""

    session: aiohttp.ClientSession
    port: int
    logs: list[Any]

    async def ready(self) -> tuple[int, dict[str, Any]]:
        """Returns the status and the content of `/readyz`."""
        async with self.session.get(f"http://127.0.0.1:{self.port}/readyz") as answer:
            return answer.status, await answer.json()

    async def until(self, status: int, *failed: str, seconds: float = PATIENT) -> None:
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
        """Returns the lines of the log with that event."""
        return [line for line in self.logs if line["event"] == event]


def free_port() -> int:
    """Returns a port that is free now; another process may take it at once."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextmanager
def held_port() -> Iterator[int]:
    """Yields a port for a process that is told to serve there. Until then Linux gives it to nobody who asks for any."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # servers set it, too, and may share a port so
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


@asynccontextmanager
async def on_free_port(
    serve: Callable[..., AbstractAsyncContextManager[int]], *given: Any, **options: Any
) -> AsyncIterator[int]:
    """Calls ``serve(port, *given, **options)``, and yields the port. If somebody is faster, it takes another one."""
    async with AsyncExitStack() as stack:
        for tries_left in reversed(range(TRIES)):
            try:
                port = await stack.enter_async_context(serve(free_port(), *given, **options))
                break
            except OSError as error:
                if error.errno != errno.EADDRINUSE or not tries_left:
                    raise
        yield port


@asynccontextmanager
async def serving(server: Server, database_url: str, *, gateway: str = "") -> AsyncIterator[Health]:
    """Runs the bot, connected to `server` and ready. With another `gateway`, it is about to connect there."""
    found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @asynccontextmanager
    async def served(_: int, *given: Any, **options: Any) -> AsyncIterator[int]:
        async with on_free_port(serve_health, *given, **options) as port:
            found.set_result(port)
            yield port

    settings = Settings.load(
        discord_token=TOKEN,
        discord_api_base=server.api_base,
        discord_gateway_url=gateway or server.gateway_url,
        database_url=database_url,
        health_port=1,  # any but 0: ``served`` takes a free one
        rate_limits=False,
        identify_pause=0.0,
    )
    started, stop = asyncio.Event(), asyncio.Event()
    with pytest.MonkeyPatch.context() as patched, structlog.testing.capture_logs() as logs:
        patched.setattr(app, "collect_less", lambda: None)  # it is for the whole process, which is that of the tests
        patched.setattr(app, "serve_health", served)
        running = asyncio.create_task(app._serve(settings, started, stop))
        try:
            await asyncio.wait({running, found}, return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                await running  # this raises the reason
            async with aiohttp.ClientSession() as session:
                health = Health(session, await found, logs)
                if not gateway:
                    await health.until(200)
                yield health
        finally:
            stop.set()
            if not started.is_set():
                running.cancel()  # as on SIGTERM
            await asyncio.gather(running, return_exceptions=not started.is_set())
