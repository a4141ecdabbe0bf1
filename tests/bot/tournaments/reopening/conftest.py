"""A desk without Discord on each kind of database, and the bot over the socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import bot_running
from harness.tournaments import Desk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

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
