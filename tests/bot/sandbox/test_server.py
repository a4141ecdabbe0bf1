"""Tests where the stand-in is served, and bots in processes of their own."""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp
import pytest
from harness.discord import Seat, answered_within, until

from bot.sandbox.errors import Timeout
from bot.sandbox.server import serve
from bot.sandbox.world import World

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server

TESTS = Path(__file__).parents[2]
BOT = """
import sys, types
from harness.discord import TOKEN, point_at
from harness.tiny import Tiny
point_at(types.SimpleNamespace(api_base=sys.argv[1], gateway_url=sys.argv[2]))
Tiny().run(TOKEN, log_handler=None)
"""


@asynccontextmanager
async def process(server: Server) -> AsyncIterator[asyncio.subprocess.Process]:
    """Runs the tiny bot in a process of its own; at the end it is killed, not stopped."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS.parent)])}
    started = await asyncio.create_subprocess_exec(
        sys.executable, "-W", "ignore", "-c", BOT, server.api_base, server.gateway_url, env=environment
    )
    sessions = set(server.gateway.sessions)
    try:
        await until(lambda: server.gateway.sessions.keys() - sessions, "the bot's session", seconds=60)
        yield started
    finally:
        if started.returncode is None:
            started.kill()
        await started.wait()


async def test_a_bot_is_killed_and_started_again(stand_in: Server, world: World, ana: Seat) -> None:
    async with process(stand_in):
        await ana.slash("show", who=ana)
    await until(lambda: not stand_in.gateway.sockets, "the connection is gone")
    with answered_within(world, 0.05), pytest.raises(Timeout):
        await ana.press("Step 1")
    async with process(stand_in):
        await ana.press("Step 1")
        assert ana.last["content"] == "Step 1"


async def test_two_bots_share_a_world(stand_in: Server, world: World, ana: Seat) -> None:
    async with process(stand_in), process(stand_in):
        assert len(stand_in.gateway.sessions) == 2
        sent = await ana.slash("fruit", name="pear")
        await until(lambda: sum(e.path.endswith("/callback") for e in world.log) == 2, "both answer")
        assert sorted(e.status for e in world.log if e.path.endswith("/callback")) == [200, 400]
        assert sent.message == ana.last
        assert len(ana.messages) == 1


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.1", "::", "example.org", ""])  # noqa: S104 - it is refused
async def test_only_this_machine_is_served(world: World, host: str) -> None:
    with pytest.raises(ValueError, match="loopback"):
        await serve(world, host=host)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.2"])
async def test_an_address_of_this_machine(world: World, host: str) -> None:
    server = await serve(world, host=host, page=False)
    async with aiohttp.ClientSession() as session, session.get(f"{server.api_base}/gateway") as reply:
        assert reply.status == 401
    await server.close()


async def test_a_port_that_is_taken(world: World) -> None:
    server = await serve(world, page=False)
    with pytest.raises(OSError, match="in use"):
        await serve(World(), port=int(server.url.rsplit(":", 1)[1]), page=False)
    await server.close()


async def test_the_files_are_served_without_the_page(served: Server) -> None:
    async with aiohttp.ClientSession() as session, session.get(f"{served.url}/attachments/1/x.png") as reply:
        assert reply.status == 404


@pytest.mark.parametrize("page", [True, False])
@pytest.mark.parametrize("number", ["9" * 20, "9" * 5_000, "-1", "x"])
async def test_a_file_that_nobody_has_sent_is_not_found(world: World, number: str, *, page: bool) -> None:
    server = await serve(world, page=page)
    async with aiohttp.ClientSession() as session, session.get(f"{server.url}/attachments/{number}/x.png") as reply:
        assert reply.status == 404
    await server.close()


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "example.org"},
        {"Origin": "https://example.org"},
        {"Origin": "null"},
        {"Host": ""},
        {"Host": "localhost:1;x"},
        {"Host": "[x"},
    ],
)
@pytest.mark.parametrize("place", ["/api/v10/gateway", "/gateway"])
async def test_a_page_of_elsewhere_gets_nothing(served: Server, headers: dict[str, str], place: str) -> None:
    headers = {"Authorization": "Bot any", **headers}
    async with aiohttp.ClientSession() as session, session.get(served.url + place, headers=headers) as reply:
        assert reply.status == 403


async def test_a_body_that_is_no_json(served: Server) -> None:
    url = f"{served.api_base}/channels/1/messages"
    async with aiohttp.ClientSession() as session, session.post(url, data="{") as reply:
        assert (reply.status, (await reply.json())["code"]) == (400, 50109)
    assert [v.message for v in served.validator.violations] == ["the body is no JSON"]
