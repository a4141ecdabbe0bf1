"""A scene with an outbox, at noon."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.clock import Clock
from harness.bot import Room, bot_running
from harness.delivery import NOON, Delivery

from bot.board.delivery import publisher

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server


@pytest.fixture
async def scene(stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Delivery]:
    monkeypatch.setattr(publisher, "RETRIES", (0.01,))
    time = Clock(NOON)
    stand_in.world.ids.now = time
    async with bot_running(stand_in, sqlite_url, now=time) as bot:
        yield Delivery(Room.of(stand_in, bot), time)
