"""A room with somebody who can mend what hinders the bot; and boards that take long."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from harness.undelivered import Undelivered, undelivered

from bot.board import message as board
from bot.core.interactions import answer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from bot.sandbox.server import Server


@pytest.fixture
async def scene(stand_in: Server, sqlite_url: str) -> AsyncIterator[Undelivered]:
    async with undelivered(stand_in, sqlite_url) as scene:
        yield scene


@pytest.fixture
def slow_boards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board takes longer to make than an answer may wait."""
    monkeypatch.setattr(answer, "PATIENCE", 0.05)
    made = board.message

    async def slowly(*given: Any) -> board.Message:
        await asyncio.sleep(0.3)
        return await made(*given)

    monkeypatch.setattr(board, "message", slowly)
