"""A channel with two who play, and the bot, over a real socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import SPANISH, Room, bot_running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server


@pytest.fixture
async def room(stand_in: Server, sqlite_url: str) -> AsyncIterator[Room]:
    async with bot_running(stand_in, sqlite_url) as bot:
        yield Room.of(stand_in, bot)


@pytest.fixture
async def spanish_room(stand_in: Server, sqlite_url: str) -> AsyncIterator[Room]:
    async with bot_running(stand_in, sqlite_url) as bot:
        yield Room.of(stand_in, bot, locale=SPANISH)
