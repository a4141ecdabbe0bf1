"""SIGTERM ends the bot in good order at every moment, also when Discord or PostgreSQL do not answer."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from harness.discord import PATIENT, until
from harness.process import TESTS, BotProcess
from harness.proxy import proxied
from structlog.testing import capture_logs

from bot import app
from bot.core.processes.link import Link
from bot.core.processes.membership import SharedShards
from bot.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from bot.sandbox.server import Server

pytestmark = pytest.mark.long

HELD = 2 * PATIENT
"""Seconds for which Discord lets a request wait: whoever waits for its end comes too late."""


@pytest.fixture
async def ended(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[bool]]:
    """Collects an entry whenever the bot has to be ended by force, and lets the tests go on in its process."""
    forced: list[bool] = []
    monkeypatch.setattr(app, "_end_at_last", lambda: forced.append(False))
    yield forced
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().remove_signal_handler(number)


def settings(server: Server, database_url: str) -> Settings:
    return Settings.load(
        discord_token="token",
        discord_api_base=server.api_base,
        discord_gateway_url=server.gateway_url,
        database_url=database_url,
        identify_pause=0,
    )


async def stopped(running: asyncio.Task[None]) -> None:
    """Sends the signal, and waits until the bot has ended."""
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(PATIENT):
        await running


MOMENTS: dict[str, tuple[str, Callable[[Server], bool]]] = {
    "at once": ("", lambda _: True),
    "during the login": ("GET /users/@me", lambda _: True),
    "during the registration of commands": ("PUT /applications", lambda _: True),
    "while it connects": ("GET /gateway/bot", lambda _: True),
    "during the identify": ("", lambda server: bool(server.gateway.sockets)),
    "right after it is ready": ("", lambda server: bool(server.gateway.sessions)),
}
"""For each case the delayed call, and the moment at which the signal comes."""


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.usefixtures("ended")
async def test_it_ends_at_any_moment(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    slow, reached = MOMENTS[moment]
    faults = stand_in.world.faults
    wait, held = faults.wait, list[str]()

    def noted(request: str) -> float:
        if seconds := wait(request):
            held.append(request)
        return seconds

    monkeypatch.setattr(faults, "wait", noted)
    if slow:
        faults.delay(slow, HELD)
    running = asyncio.create_task(app.run(settings(stand_in, sqlite_url)))
    await asyncio.sleep(0.05)
    await until(lambda: held if slow else reached(stand_in), moment)
    assert not running.done()
    await stopped(running)
    assert all(session.socket is None for session in stand_in.gateway.sessions.values()) or not stand_in.gateway.sockets


@pytest.mark.usefixtures("ended")
async def test_it_ends_while_nothing_answers(stand_in: Server, postgres_url: str) -> None:
    async with proxied(postgres_url) as (proxy, url):
        running = asyncio.create_task(app.run(settings(stand_in, url)))
        await until(lambda: stand_in.gateway.sessions, "it is connected")
        await asyncio.sleep(1)
        proxy.drop(new=True)
        stand_in.world.faults.stall()
        stand_in.world.faults.delay("/", HELD)
        await stopped(running)


async def test_the_process_ends_with_status_0(stand_in: Server, postgres_url: str) -> None:
    given = BotProcess(stand_in, postgres_url).given
    async with proxied(postgres_url) as (proxy, url):
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "bot", "run", env={**os.environ, **given, "DATABASE_URL": url}, cwd=TESTS.parent
        )
        await until(lambda: stand_in.gateway.sessions, "it is connected", seconds=60)
        proxy.drop(new=True)
        stand_in.world.faults.stall()
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENT):
            assert await process.wait() == 0


async def test_a_process_that_is_still_loading_ends_with_status_0(stand_in: Server, sqlite_url: str) -> None:
    given = BotProcess(stand_in, sqlite_url).given
    command = "import bot.__main__ as m, os, signal, threading\n"
    command += "threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGTERM)).start()\nm.main(['run'])"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", command, env={**os.environ, **given}, cwd=TESTS.parent
    )
    assert await process.wait() == 0
    assert not stand_in.gateway.identifies


@pytest.mark.usefixtures("ended")
async def test_it_ends_while_it_waits_for_processes_with_another_number_of_shards(
    stand_in: Server, postgres_url: str
) -> None:
    link = Link(postgres_url)
    try:
        await SharedShards(link).join(3, fixed=True)
        running = asyncio.create_task(app.run(replace(settings(stand_in, postgres_url), shards=2)))
        with capture_logs() as logs:
            await until(lambda: "other_number_of_shards" in {line["event"] for line in logs}, "it waits")
        await stopped(running)
    finally:
        await link.close()
