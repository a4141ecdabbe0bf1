"""A channel with two who play, and the bot, over a real socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from harness.bot import SPANISH, Room, bot_running, milliseconds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from bot.sandbox.server import Server


@pytest.fixture
def now() -> Callable[[], int]:
    """What the bot takes for the time, in ms since 1970."""
    return milliseconds


@pytest.fixture
async def room(stand_in: Server, sqlite_url: str, now: Callable[[], int]) -> AsyncIterator[Room]:
    async with bot_running(stand_in, sqlite_url, now=now) as bot:
        yield Room.of(stand_in, bot)


@pytest.fixture
async def spanish_room(stand_in: Server, sqlite_url: str) -> AsyncIterator[Room]:
    async with bot_running(stand_in, sqlite_url) as bot:
        yield Room.of(stand_in, bot, locale=SPANISH)
