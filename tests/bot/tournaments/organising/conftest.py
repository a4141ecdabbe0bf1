"""A running tournament over the socket, and its organiser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import bot_running
from harness.tournaments import Event

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.core.client import AbakBot
    from bot.sandbox.server import Server


@pytest.fixture
async def bot(stand_in: Server, sqlite_url: str) -> AsyncIterator[AbakBot]:
    async with bot_running(stand_in, sqlite_url) as running:
        yield running


@pytest.fixture
def event(stand_in: Server, bot: AbakBot) -> Event:
    """Four players; not created yet."""
    return Event.of(stand_in, bot, 4)
