"""Two people in one channel, and the tiny bot; or the canned bot, and the page before them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from harness.discord import Seat, running
from harness.tiny import Tiny

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from harness.page import SandboxPage
    from harness.stage import Stage
    from playwright.async_api import Browser

    from bot.sandbox.server import Server
    from bot.sandbox.world import World


@pytest.fixture
def ana(world: World) -> Seat:
    return Seat.join(world, "Ana", world.add_channel("games"))


@pytest.fixture
def ben(world: World, ana: Seat) -> Seat:
    return Seat.join(world, "Ben", ana.channel_id, locale="es-ES")


@pytest.fixture
async def client(stand_in: Server, ana: Seat) -> AsyncIterator[Tiny]:
    assert stand_in.world is ana.world
    async with running(Tiny()) as tiny:
        assert isinstance(tiny, Tiny)
        yield tiny


@pytest_asyncio.fixture(loop_scope="session")
async def stage(chromium: Browser) -> AsyncIterator[Stage]:
    from harness.stage import staged

    async with staged(chromium) as made:
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def page(stage: Stage) -> AsyncIterator[SandboxPage]:
    """The page in a window, on which nothing went wrong."""
    opened = await stage.open()
    yield opened
    assert opened.problems == []
