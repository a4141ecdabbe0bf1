"""A room with somebody who can mend what hinders the bot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.undelivered import Undelivered, undelivered

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server


@pytest.fixture
async def scene(stand_in: Server, sqlite_url: str) -> AsyncIterator[Undelivered]:
    async with undelivered(stand_in, sqlite_url) as scene:
        yield scene
