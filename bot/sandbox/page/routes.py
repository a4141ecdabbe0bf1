"""The HTTP routes and the socket of the sandbox's page.

Routes: `/` and `/static/{name}` are the page itself, `/attachments/{id}/{name}` the files the bot sent,
`/welcome/{name}.png` the pictures of the welcome card, `/page/ws` the
socket that carries the page's requests (`operations`) and the events of the world.

Socket protocol, JSON in both directions, every id a string (a snowflake does not fit a JavaScript number):

- page: `{"id": 7, "op": "press", "seat": "…", "message": "…", "custom_id": "…"}`
- server: `{"id": 7, "ok": {…}}` or `{"id": 7, "error": {"code": "timeout", "message": "…"}}`
- server, unasked: `{"event": {"type": "message_create", …}}`; what is for one person alone is sent only to pages that
  watch that person's seat.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet

from aiohttp import WSMsgType, web

from bot.sandbox.page.operations import OPS, PageState, answer, event_for_page, ids_as_text
from bot.sandbox.page.requests import BadRequest
from bot.sandbox.page.welcome import Pictures

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from bot.sandbox.page.welcome import Welcome
    from bot.sandbox.world import World

    Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

STATIC = Path(__file__).parents[1] / "static"
LOOPBACK = re.compile(r"(127(\.[0-9]{1,3}){3}|localhost|\[::1\])(:[0-9]{1,5})?")
TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
# Only these are shown in place: other files of a bot (HTML, SVG) could contain a script.
PICTURES = frozenset({"image/png", "image/apng", "image/gif", "image/jpeg", "image/webp"})
BACKLOG = 5_000  # frames waiting for a page that reads nothing, before it is let go
FRAME = 16 << 20  # bytes of a page's request: a file of 10 MiB in base64, and a little more
RUNNING = 64  # requests of one page under way at once

log = logging.getLogger(__name__)


def add_routes(app: web.Application, world: World, welcome: Welcome | None = None) -> None:
    """Mounts the page for `world`; sockets are closed when the application shuts down."""
    pictures = Pictures(welcome)
    sockets: WeakSet[web.WebSocketResponse] = WeakSet()

    async def static(request: web.Request) -> web.StreamResponse:
        return _file(request, request.match_info.get("name", "index.html"))

    async def attachment(request: web.Request) -> web.StreamResponse:
        return _attachment(world, request.match_info["id"])

    async def picture(request: web.Request) -> web.StreamResponse:
        try:
            content = await pictures.get(request.match_info["value"])
        except KeyError:
            raise web.HTTPNotFound from None
        response = web.Response(body=content, content_type="image/png", headers={"Cache-Control": "no-cache"})
        _harden(response, "sandbox")
        return response

    async def socket(request: web.Request) -> web.StreamResponse:
        ws = web.WebSocketResponse(heartbeat=20, max_msg_size=FRAME)
        await ws.prepare(request)
        sockets.add(ws)
        await _Connection(ws, world, welcome).run()
        return ws

    async def close(_app: web.Application) -> None:
        for ws in set(sockets):
            await ws.close(code=1001)

    app.router.add_get("/", _guarded(static))
    app.router.add_get("/static/{name}", _guarded(static))
    app.router.add_get("/attachments/{id:[0-9]{1,20}}/{name}", _guarded(attachment))
    app.router.add_get("/welcome/{value}.png", _guarded(picture))
    app.router.add_get("/page/ws", _guarded(socket))
    app.on_shutdown.append(close)


def _guarded(handler: Handler) -> Handler:
    """Answers 403 unless the request comes from this machine's browser to a loopback name.

    The server listens on loopback only, yet any web page could point a name of its own at 127.0.0.1 (DNS rebinding) or
    open a socket across origins: the Host must be loopback, and an Origin must be the page's own.
    """

    async def guarded(request: web.Request) -> web.StreamResponse:
        host = request.headers.get("Host", "")
        origin = request.headers.get("Origin")
        if not LOOPBACK.fullmatch(host) or (origin is not None and origin != f"http://{host}"):
            raise web.HTTPForbidden(text="This page answers to its own machine only.")
        return await handler(request)

    return guarded


def _file(request: web.Request, name: str) -> web.Response:
    path = STATIC / name
    if path.parent != STATIC or path.suffix not in TYPES or not path.is_file():
        raise web.HTTPNotFound
    response = web.Response(
        body=path.read_bytes(),
        content_type=TYPES[path.suffix],
        charset="utf-8",
        headers={"Cache-Control": "no-cache"},
    )
    _harden(
        response,
        f"connect-src 'self' ws://{request.headers['Host']}; img-src 'self'; script-src 'self'; style-src 'self'",
    )
    return response


def _attachment(world: World, identity: str) -> web.Response:
    try:
        content, kind = world.attachment(int(identity))
    except LookupError:
        raise web.HTTPNotFound from None
    kind = kind.partition(";")[0].strip().lower()
    shown = kind in PICTURES
    response = web.Response(
        body=content,
        content_type=kind if shown else "application/octet-stream",
        headers={
            "Cache-Control": "private, max-age=31536000, immutable",
            "Content-Disposition": "inline" if shown else "attachment",
        },
    )
    _harden(response, "sandbox")
    return response


def _harden(response: web.Response, policy: str) -> None:
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; {policy}"
    )
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"


class _Connection:
    """The connection of one page: reads its requests, runs them at the same time, and writes answers and events as they
    arise.
    """

    def __init__(self, ws: web.WebSocketResponse, world: World, welcome: Welcome | None = None) -> None:
        self.ws = ws
        self.world = world
        self.page = PageState(welcome=welcome)
        self.frames: asyncio.Queue[str] = asyncio.Queue(BACKLOG)
        self.tasks: set[asyncio.Task[None]] = set()
        self.closing: asyncio.Task[bool] | None = None

    async def run(self) -> None:
        unsubscribe = self.world.subscribe(self._event)
        writer = asyncio.create_task(self._write())
        try:
            async for message in self.ws:
                if message.type is not WSMsgType.TEXT:
                    break
                self._receive(message.data)
        finally:
            unsubscribe()
            for task in (writer, *self.tasks):
                task.cancel()
            await asyncio.gather(writer, *self.tasks, return_exceptions=True)

    def _receive(self, text: str) -> None:
        try:
            request = json.loads(text)
        except ValueError:
            request = None
        request = request if isinstance(request, dict) else {}
        if str(request.get("op")) not in OPS or len(self.tasks) >= RUNNING:
            self._put({"id": request.get("id"), "error": {"code": BadRequest.code, "message": "not understood"}})
            return
        task = asyncio.create_task(self._answer(request))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _answer(self, request: Mapping[str, object]) -> None:
        self._put({"id": request.get("id"), **await answer(self.world, self.page, request)})

    def _event(self, event: Mapping[str, object]) -> None:
        if (told := event_for_page(self.world, self.page, event)) is not None:
            self._put({"event": told})

    def _put(self, frame: Mapping[str, object]) -> None:
        # Serialised at once, as the world goes on changing the same dicts.
        try:
            self.frames.put_nowait(json.dumps(ids_as_text(frame)))
        except asyncio.QueueFull:
            if self.closing is None:
                log.warning("a page reads too slowly and is let go")
                self.closing = asyncio.create_task(self.ws.close(code=1013))

    async def _write(self) -> None:
        with suppress(ConnectionError):
            while True:
                await self.ws.send_str(await self.frames.get())
