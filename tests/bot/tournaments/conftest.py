"""Tournaments on a desk without Discord, and over the socket."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import bot_running
from harness.cups import Cup
from harness.tournaments import Desk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from fakes.clock import Clock

    from bot.core.client import AbakBot
    from bot.core.storage.database import Database
    from bot.sandbox.server import Server


@pytest.fixture
def desk(database: Database, clock: Clock) -> Desk:
    return Desk.on(database, clock)


@pytest.fixture
async def bot(stand_in: Server, sqlite_url: str) -> AsyncIterator[AbakBot]:
    async with bot_running(stand_in, sqlite_url) as running:
        yield running


@pytest.fixture
async def cups(stand_in: Server) -> AsyncIterator[Callable[..., Cup]]:
    """Makes those who will play a tournament: ``cups(database_url, players, bot)``."""
    made: list[Cup] = []

    def make(*given: Any) -> Cup:
        made.append(Cup.of(stand_in, *given))
        return made[-1]

    yield make
    for cup in made:
        await cup.close()
