"""The bot stops in good order: whoever waits is answered, and what was played is shown."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from harness.books import Books
from harness.bot import Room, bot_running, told_all, wired
from harness.discord import until

from bot.board import pictures

if TYPE_CHECKING:
    import pytest

    from bot.sandbox.server import Server


async def test_what_is_under_way_comes_to_its_end(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = pictures.registry.picture

    def slowly(*given: Any, quick: bool = False) -> bytes:
        time.sleep(0.3)
        return draw(*given, quick=quick)

    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        monkeypatch.setattr(pictures.registry, "picture", slowly)
        monkeypatch.setattr(pictures.registry, "kept", lambda *_, **__: None)
        await room.type(live, "e4-e5 e3-e4")
        assert len(room.boards) == 1
        await told_all(bot)  # else it is Ana's answer that is under way below, and Ben's may come after the end
        looking = asyncio.create_task(room.ben.slash("abak board"))
        await until(lambda: bot.context.under_way, "the answer is under way")
        await bot.close()
        assert (await looking).message is not None
    async with Books(sqlite_url) as books:
        stored = await books.stored(live.id)
    assert stored.shown_seq == len(stored.record.entries) == 1
    assert str(stored.message_id) == room.board["id"]
    assert [wired(board) != [] for board in room.boards] == [False, True]


async def test_an_idle_bot_stops_at_once_and_can_be_stopped_twice(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        await bot.close()
        assert bot.closed.is_set()
        await bot.close()
