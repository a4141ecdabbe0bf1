"""A room with somebody who can mend what hinders the bot; and boards that take long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.discord import until
from harness.undelivered import Undelivered, undelivered

from bot.board import message as board
from bot.core.interactions import answer
from bot.core.interactions.answer import Answer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from harness.patience import StandingTime

    from bot.sandbox.server import Server


@pytest.fixture
async def scene(stand_in: Server, sqlite_url: str) -> AsyncIterator[Undelivered]:
    async with undelivered(stand_in, sqlite_url) as scene:
        yield scene


@pytest.fixture
def slow_boards(standing_time: StandingTime, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001 - it comes before
    """Every answer is deferred at once, and a board is made only then."""
    waiting: set[Answer] = set()
    defer, made = Answer._defer_if_slow, board.message

    async def noted(self: Answer) -> None:
        waiting.add(self)
        try:
            await defer(self)
        finally:
            waiting.discard(self)

    async def slowly(*given: Any) -> board.Message:
        await until(lambda: not waiting, "the answers are deferred")
        return await made(*given)

    monkeypatch.setattr(answer, "PATIENCE", 0.0)
    monkeypatch.setattr(Answer, "_defer_if_slow", noted)
    monkeypatch.setattr(board, "message", slowly)
