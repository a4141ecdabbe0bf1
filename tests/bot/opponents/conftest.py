"""Rooms in which the machine plays, without a process that thinks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.thinker import with_thinker
from harness.bot import Room, bot_running

from bot.opponents.worker import OpponentWorker

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machines reply without a pause."""
    monkeypatch.setattr(OpponentWorker, "pause", 0.0)
    monkeypatch.setattr(OpponentWorker, "rest", 0.0)


@pytest.fixture
async def alone(stand_in: Server, sqlite_url: str, at_once: None) -> AsyncIterator[Room]:
    """A room in which the machines play the first legal turn."""
    del at_once
    async with bot_running(stand_in, sqlite_url) as bot:
        with_thinker(bot)
        yield Room.of(stand_in, bot)
