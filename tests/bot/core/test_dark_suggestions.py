"""Suggestions while the database does not answer: nothing is suggested, and that in time."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

import pytest
from harness.bot import Room, bot_running
from harness.proxy import proxied

from bot.core.interactions import suggesting

if TYPE_CHECKING:
    from bot.sandbox.server import Server

TYPED: Final = {
    "abak rules": ("topic", {"topic": "a"}),
    "abak move play": ("notation", {"notation": "e"}),
}
PATIENCE: Final = 1.0
WAITED: Final = 0.9
"""Seconds from the arrival of an interaction until it is its turn."""
MOST: Final = 1.6
"""Seconds of an answer: the patience, and what a busy machine adds."""


async def test_what_is_suggested_without_a_database_comes_in_time(
    stand_in: Server, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suggesting, "PATIENCE", PATIENCE)
    async with proxied(postgres_url) as (proxy, url), bot_running(stand_in, url) as bot:
        room = Room.of(stand_in, bot)
        admit = bot.admission.admit

        async def late(*given: object) -> bool:
            await asyncio.sleep(WAITED)
            return await admit(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(bot.admission, "admit", late)
        await room.ana.choices("abak rules", "topic", topic="a")
        proxy.drop(new=True)
        begun = time.monotonic()
        asked = [room.ana.choices(command, option, **given) for command, (option, given) in TYPED.items()]
        assert await asyncio.gather(*asked) == [[], []]
        assert time.monotonic() - begun < MOST
        proxy.drop()
