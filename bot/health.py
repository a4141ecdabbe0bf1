"""HTTP pages for monitoring: ``/healthz`` (the process is alive), ``/readyz`` (it can accept moves), ``/metrics``."""

import asyncio
import errno
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST

PATIENCE: Final = 5.0
"""Seconds that a check may take. A slower one counts as failed."""
TAKEN: Final = "HEALTH_PORT: {port} is taken; another program serves there, or another bot"
Check = Callable[[], Awaitable[bool]]


class NotServed(Exception):
    """The pages cannot be served. The text says why."""


async def check_port(port: int, host: str) -> None:
    """Raises NotServed, before the bot starts anything, if the port is taken, or this program may not use it."""
    if not port:
        return
    try:
        server = await asyncio.get_running_loop().create_server(
            asyncio.Protocol, None if host == "*" else host, port, start_serving=False
        )
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise NotServed(TAKEN.format(port=port)) from error
        why = os.strerror(error.errno) if error.errno else str(error)
        raise NotServed(f"HEALTH_PORT: {port} cannot be served on HEALTH_HOST, {host}: {why}") from error
    server.close()


@asynccontextmanager
async def serve_health(
    port: int,
    checks: Mapping[str, Check],
    metrics: Callable[[], Awaitable[bytes]] | None = None,
    details: Callable[[], Mapping[str, object]] = dict,
    *,
    host: str = "127.0.0.1",
) -> AsyncIterator[int]:
    """Serves the pages on ``port`` until the block ends, and yields the port. Port 0 serves nothing.

    ``host``: the address; ``*`` for all of the machine's. The bot is ready if all ``checks`` pass; a check that raises
    has failed. ``metrics`` makes its page; without it there is none. ``details`` are shown beside the checks. Raises
    OSError if the port is taken.
    """
    if not port:
        yield 0
        return
    from aiohttp import web  # loaded only here, as it takes 2 MB

    async def alive(_: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def ready(_: web.Request) -> web.Response:
        results = {name: await passes(check) for name, check in checks.items()}
        return web.json_response({**results, **details()}, status=200 if all(results.values()) else 503)

    async def measured(_: web.Request) -> web.Response:
        page = b"" if metrics is None else await metrics()
        return web.Response(body=page, headers={"Content-Type": CONTENT_TYPE_LATEST})

    app = web.Application()
    app.add_routes([web.get("/healthz", alive), web.get("/readyz", ready)])
    if metrics is not None:
        app.add_routes([web.get("/metrics", measured)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, None if host == "*" else host, port).start()
    try:
        yield port
    finally:
        await runner.cleanup()


async def passes(check: Check) -> bool:
    try:
        async with asyncio.timeout(PATIENCE):
            return await check()
    except Exception:  # noqa: BLE001  # any exception means not ready
        return False
