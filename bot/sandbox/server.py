"""Serves a world on the loopback interface: REST, gateway and, if wanted, the page."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from aiohttp import web

from bot.sandbox.api.router import API, BODY_LIMIT, Api
from bot.sandbox.gateway import Gateway
from bot.sandbox.page.routes import add_routes
from bot.sandbox.validation.validator import Validator

if TYPE_CHECKING:
    from aiohttp.typedefs import Handler

    from bot.sandbox.archive import Archive
    from bot.sandbox.page.welcome import Welcome
    from bot.sandbox.world import World


@dataclass
class Server:
    """A served world, with its addresses."""

    world: World
    validator: Validator
    gateway: Gateway
    url: str
    api_base: str
    gateway_url: str
    _runner: web.AppRunner
    _saver: asyncio.Task[None] | None = None

    async def close(self) -> None:
        await self.gateway.close()
        await self._runner.cleanup()
        if self._saver is not None:
            self._saver.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._saver


async def serve(
    world: World,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    strict: bool = False,
    page: bool = True,
    archive: Archive | None = None,
    welcome: Welcome | None = None,
) -> Server:
    """Serves `world`; port 0 takes a free one. `strict` checks every body against Discord's OpenAPI document.

    `archive` saves the world until the server is closed. `welcome`: the page's content for newcomers.

    Raises:
        ValueError: `host` is not a loopback address; the stand-in knows no passwords.
        OSError: The port is taken.
    """
    _require_loopback(host)
    listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    place = f"[{host}]" if ":" in host else host
    place = f"{place}:{listener.getsockname()[1]}"
    world.set_base_url(f"http://{place}")
    validator = Validator(strict=strict)
    gateway_url = f"ws://{place}/gateway"
    gateway = Gateway(world, gateway_url)
    app = web.Application(client_max_size=BODY_LIMIT, middlewares=[_guard])
    Api(world, validator, gateway_url).add_routes(app)
    app.router.add_get("/gateway", gateway.handle)
    app.router.add_get("/gateway/", gateway.handle)
    if page:
        add_routes(app, world, welcome)
    else:
        app.router.add_get("/attachments/{id:[0-9]{1,20}}/{name}", _attachment(world))
    runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1.0)
    await runner.setup()
    await web.SockSite(runner, listener).start()
    url = f"http://{place}"
    saver = asyncio.create_task(archive.save_changes(world)) if archive is not None else None
    return Server(world, validator, gateway, url, url + API, gateway_url, runner, saver)


@lru_cache(64)  # needed for every request
def _is_loopback(host: str | None) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host or "").is_loopback
    except ValueError:
        return False


def _host(url: str) -> str | None:
    """Returns the host of an address; None if it is no address, or its port is no number."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    return None if port == 0 else parts.hostname


@web.middleware
async def _guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuses requests that are not meant for this machine, so that no foreign page reaches it by a name or
    a request.
    """
    origin = request.headers.get("Origin")
    if not all(_is_loopback(_host(place)) for place in (f"http://{request.host}", origin) if place):
        raise web.HTTPForbidden(text="The sandbox answers to this machine only.")
    return await handler(request)


def _require_loopback(host: str) -> None:
    if not _is_loopback(host):
        raise ValueError(f"the sandbox is served on a loopback address only, such as 127.0.0.1; not on {host!r}")


def _attachment(world: World) -> Handler:
    async def handle(request: web.Request) -> web.Response:
        try:
            content, kind = world.attachment(int(request.match_info["id"]))
        except KeyError:
            raise web.HTTPNotFound from None
        return web.Response(body=content, headers={"Content-Type": kind})

    return handle
