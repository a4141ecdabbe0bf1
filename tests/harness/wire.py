"""Discord's REST interface and gateway without a library: for what discord.py would not do."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import aiohttp

from harness.discord import TOKEN

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server


async def call(server: Server, method: str, path: str, body: object = None, token: str = TOKEN) -> tuple[int, Any]:
    """Sends one request, and returns the status and the body of the answer, or None without one."""
    headers = {"Authorization": f"Bot {token}"}
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, server.api_base + path, json=body, headers=headers) as reply,
    ):
        if reply.status == 204:
            return 204, None
        assert reply.headers["Content-Type"] == "application/json"
        return reply.status, await reply.json()


@asynccontextmanager
async def gateway(server: Server) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """Opens a connection to the gateway, and takes the hello."""
    async with aiohttp.ClientSession() as session, session.ws_connect(server.gateway_url) as socket:
        hello = await socket.receive_json()
        assert hello["op"] == 10
        yield socket


def identify(**more: object) -> dict[str, Any]:
    return {"op": 2, "d": {"token": TOKEN, "intents": 0, "properties": {}, **more}}
