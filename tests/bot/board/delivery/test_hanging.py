"""A look at the boards that hangs, though nothing is said to have failed: the next one shows what waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import bot_running
from harness.discord import until

from bot.board.delivery import publisher
from bot.board.delivery.service import BoardDelivery

if TYPE_CHECKING:
    from bot.sandbox.server import Server


@pytest.mark.parametrize("what", ["due", "lease_old"], ids=["boards", "old boards"])
async def test_a_look_that_hangs_is_cut_off_and_the_next_one_looks(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    looks, as_ever = 0, getattr(BoardDelivery, what)

    async def hangs_at_first(*given: Any) -> Any:
        nonlocal looks
        looks += 1
        if looks == 1:
            await asyncio.Event().wait()
        return await as_ever(*given)

    monkeypatch.setattr(BoardDelivery, what, hangs_at_first)
    monkeypatch.setattr(publisher, "LONGEST", 0.3)
    monkeypatch.setattr(publisher, "SWEEP", 0.05)
    async with bot_running(stand_in, sqlite_url):
        await until(lambda: looks > 2, "later looks come to an end")
