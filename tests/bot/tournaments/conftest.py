"""Tournaments that are read and played from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.cups import Cup

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from bot.sandbox.server import Server


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
