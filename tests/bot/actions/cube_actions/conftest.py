"""A room where the dice fall as they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import Room, bot_running
from harness.cube import ROLLS, AnyRolls

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server


@pytest.fixture
async def room(stand_in: Server, sqlite_url: str) -> AsyncIterator[Room]:
    async with bot_running(stand_in, sqlite_url, luck=AnyRolls(ROLLS)) as bot:
        yield Room.of(stand_in, bot)
