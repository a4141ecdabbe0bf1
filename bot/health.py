"""Two pages for whoever watches the process: ``/healthz``, it is alive; ``/readyz``, it can take moves."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from aiohttp import web

Check = Callable[[], Awaitable[bool]]


@asynccontextmanager
async def served(port: int, checks: Mapping[str, Check]) -> AsyncIterator[int]:
    """Serves both pages on ``port`` while the block lasts, and gives the port; 0 serves nothing.

    ``checks`` are what readiness needs, by name; one that raises has failed. Raises OSError if the port is taken.
    """
    if not port:
        yield 0
        return

    async def alive(_: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    async def ready(_: web.Request) -> web.Response:
        found = {name: await holds(check) for name, check in checks.items()}
        return web.json_response(found, status=200 if all(found.values()) else 503)

    app = web.Application()
    app.add_routes([web.get("/healthz", alive), web.get("/readyz", ready)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, port=port).start()
    try:
        yield port
    finally:
        await runner.cleanup()


async def holds(check: Check) -> bool:
    try:
        return await check()
    except Exception:  # noqa: BLE001  # whatever it is, the thing is not ready
        return False
