"""Counts and times every call of Discord's HTTP API."""

import time
from types import SimpleNamespace
from typing import Final

from aiohttp import (
    ClientSession,
    TraceConfig,
    TraceRequestEndParams,
    TraceRequestExceptionParams,
    TraceRequestStartParams,
)

from bot.core.metrics.definitions import OTHER, RATE_LIMITED, REQUEST_SECONDS, REQUESTS, at_zero

ROUTES: Final = frozenset({"applications", "channels", "gateway", "guilds", "interactions", "users", "webhooks"})
SCOPES: Final = frozenset({"user", "global", "shared"})
FAILED: Final = "failed"
TOO_MANY: Final = 429

at_zero(RATE_LIMITED, *sorted(SCOPES), OTHER)


def trace() -> TraceConfig:
    """Returns the configuration that observes a session of aiohttp."""
    config = TraceConfig()
    config.on_request_start.append(_started)
    config.on_request_end.append(_ended)
    config.on_request_exception.append(_failed)
    return config


def route_of(path: str) -> str:
    """Returns the first part of a path after the API's version: ``/api/v10/channels/1/messages`` gives ``channels``."""
    return next((part for part in path.split("/", 5)[:5] if part in ROUTES), OTHER)


async def _started(_: ClientSession, context: SimpleNamespace, __: TraceRequestStartParams) -> None:
    context.begun = time.perf_counter()


async def _ended(_: ClientSession, context: SimpleNamespace, params: TraceRequestEndParams) -> None:
    status = params.response.status
    _count(context, params.method, params.url.path, str(status))
    if status == TOO_MANY:
        scope = params.response.headers.get("X-RateLimit-Scope", OTHER)
        RATE_LIMITED.labels(scope if scope in SCOPES else OTHER).inc()


async def _failed(_: ClientSession, context: SimpleNamespace, params: TraceRequestExceptionParams) -> None:
    _count(context, params.method, params.url.path, FAILED)


def _count(context: SimpleNamespace, method: str, path: str, status: str) -> None:
    route = route_of(path)
    REQUESTS.labels(method, route, status).inc()
    REQUEST_SECONDS.labels(route).observe(time.perf_counter() - context.begun)
