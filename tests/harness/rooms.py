"""A channel with two who play, and the bot, over a real socket."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.luck import SteadyLuck

from harness.bot import SPANISH, Room, bot_running, milliseconds

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from bot.core.randomness import Luck
    from bot.sandbox.server import Server


@pytest.fixture
def now() -> Callable[[], int]:
    """The bot's clock, in ms since 1970."""
    return milliseconds


@pytest.fixture
def luck() -> Luck:
    """The bot's luck: steady, unless a test verifies rolls."""
    return SteadyLuck(1)


@pytest.fixture
async def room(stand_in: Server, sqlite_url: str, now: Callable[[], int], luck: Luck) -> AsyncIterator[Room]:
    async with bot_running(stand_in, sqlite_url, now=now, luck=luck) as bot:
        yield Room.of(stand_in, bot)


@pytest.fixture
async def spanish_room(stand_in: Server, sqlite_url: str, luck: Luck) -> AsyncIterator[Room]:
    async with bot_running(stand_in, sqlite_url, luck=luck) as bot:
        yield Room.of(stand_in, bot, locale=SPANISH)
