"""Discord's REST interface: parses a request, applies faults and the validator, and calls the route."""

from __future__ import annotations

import asyncio
import json
import re
import zlib
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from aiohttp import BodyPartReader, hdrs, web

from bot.sandbox.api import accounts, channels, commands, interactions
from bot.sandbox.api.call import Answer, Call, Route
from bot.sandbox.errors import InvalidFormError, WireError
from bot.sandbox.faults import RESET
from bot.sandbox.state.attachments import Upload
from bot.sandbox.world import LoggedRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from aiohttp.web import AbstractResource

    from bot.sandbox.faults import Failure
    from bot.sandbox.validation.validator import Validator
    from bot.sandbox.world import World

API = "/api/v10"
ROUTES = (*accounts.ROUTES, *commands.ROUTES, *channels.ROUTES, *interactions.ROUTES)
BODY_LIMIT = 110 * 1024 * 1024
"""The most bytes of a request: ten files above the limit of a file, so that the validator refuses them."""
_FILE = re.compile(r"files\[([0-9]{1,3})\]")
_API: web.AppKey[Api] = web.AppKey("api")


class Api:
    """The routes over one world."""

    def __init__(self, world: World, validator: Validator, gateway_url: str) -> None:
        self._world = world
        self._validator = validator
        self._gateway_url = gateway_url

    def add_routes(self, app: web.Application) -> None:
        app[_API] = self
        for resource in _resources():
            app.router.register_resource(resource)
        app.router.add_route(hdrs.METH_ANY, API + "/{tail:.*}", self._nowhere)

    async def _nowhere(self, request: web.Request) -> web.Response:
        path = request.path.removeprefix(API)
        self._validator.record(request.method, path, "the stand-in has no such route")
        return self._reply(request.method, path, path, None, (404, {"message": "404: Not Found", "code": 0}))

    async def handle(self, route: Route, request: web.Request) -> web.StreamResponse:
        method, path = request.method, request.path.removeprefix(API)
        try:
            body, files = await _read(request)
        except ValueError:
            self._validator.record(method, path, "the body is no JSON")
            found = {"message": "The request body contains invalid JSON.", "code": 50109}
            return self._reply(method, path, route.path, None, (400, found))
        if pause := self._world.faults.wait(f"{method} {path}"):
            await asyncio.sleep(pause)
        failure = self._world.faults.failure(f"{method} {path}")
        if failure is None or failure.lost:
            query = dict(request.query)
            call = Call(self._world, self._gateway_url, request.match_info, query, body, files)
            answer = self._answer(route, request, call, path)
            if failure is None:
                return self._reply(method, path, route.path, body, answer)
        if failure.status == RESET and request.transport is not None:
            request.transport.abort()
        return self._fail(failure, method, path, route.path, body)

    def _answer(self, route: Route, request: web.Request, call: Call, path: str) -> Answer:
        """Answers a call, or returns Discord's error."""
        try:
            if not route.public:
                self._authorize(request.headers.get(hdrs.AUTHORIZATION, ""))
            problems = self._validator.request(route.method, route.path, call.query, call.body)
            if problems:
                raise InvalidFormError(problems)
            status, body = route.answer(call)
        except WireError as error:
            if error.fault:
                self._validator.record(route.method, path, str(error))
            return error.status, error.body()
        for problem in self._validator.response(route.method, route.path, status, body):
            self._validator.record(route.method, path, f"the stand-in's own answer: {problem}")
        return status, body

    def _authorize(self, header: str) -> None:
        kind, _, token = header.partition(" ")
        if kind != "Bot" or not token or self._world.token not in {None, token}:
            raise WireError(401, 0, "401: Unauthorized")

    def _reply(self, method: str, path: str, template: str, body: Any, answer: Answer) -> web.Response:
        status, found = answer
        self._world.log.append(LoggedRequest(method, path, body, status, found))
        headers = {
            "X-RateLimit-Limit": "50",
            "X-RateLimit-Remaining": "49",
            "X-RateLimit-Reset-After": "1.000",
            "X-RateLimit-Bucket": f"{zlib.crc32(f'{method} {template}'.encode()):08x}",
        }
        if found is None:
            return web.Response(status=status, headers=headers)
        text = json.dumps(found, separators=(",", ":")).encode()
        return web.Response(status=status, body=text, headers=headers, content_type="application/json")

    def _fail(self, failure: Failure, method: str, path: str, template: str, body: Any) -> web.Response:
        found: dict[str, Any] = {"message": failure.message, "code": failure.code}
        if failure.status != 429:
            return self._reply(method, path, template, body, (failure.status or 500, found))
        found |= {"retry_after": failure.retry_after, "global": failure.everywhere}
        reply = self._reply(method, path, template, body, (429, found))
        reply.headers["Via"] = "1.1 sandbox"
        reply.headers["Retry-After"] = str(max(1, round(failure.retry_after)))
        reply.headers["X-RateLimit-Scope"] = "global" if failure.everywhere else "user"
        reply.headers["X-RateLimit-Remaining"] = "0"
        reply.headers["X-RateLimit-Reset-After"] = str(failure.retry_after)
        return reply


@cache
def _resources() -> tuple[AbstractResource, ...]:
    """Returns the routes for every stand-in of this process, as their patterns take 40 ms to compile.

    No app may be mounted under a prefix, which would change all of them.
    """
    dispatcher = web.UrlDispatcher()
    for route in ROUTES:
        dispatcher.add_route(route.method, API + route.path, partial(_dispatch, route))
    return tuple(dispatcher.resources())


async def _dispatch(route: Route, request: web.Request) -> web.StreamResponse:
    return await request.app[_API].handle(route, request)


async def _read(request: web.Request) -> tuple[Any, Mapping[int, Upload]]:
    """Reads the body, and the files if it is a form."""
    if request.content_type != "multipart/form-data":
        text = await request.read()
        return (json.loads(text) if text else None), {}
    body: Any = None
    files: dict[int, Upload] = {}
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            continue
        content = bytes(await part.read(decode=False))
        if part.name == "payload_json":
            body = json.loads(content)
        elif found := _FILE.fullmatch(part.name or ""):
            kind = part.headers.get(hdrs.CONTENT_TYPE, "application/octet-stream")
            files[int(found[1])] = Upload(part.filename or "unknown", content, kind)
    return body, files
