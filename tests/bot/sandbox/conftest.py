"""Two people in one channel, and the tiny bot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.discord import Seat, running
from harness.tiny import Tiny

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

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
