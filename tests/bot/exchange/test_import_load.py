"""Imports that take long are a burden for nobody else: one at a time, beside the event loop, and only so many."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import TYPE_CHECKING, Any

from harness.analysis import MAT, XGID, load, open_position, step
from harness.bot import Room, bot_running, told

from bot.core.limits.rates import WORK
from bot.exchange import repository
from bot.exchange.service import ExchangeService
from engine.exchange import Content, read

if TYPE_CHECKING:
    import pytest

    from bot.exchange.analysis import Analysis
    from bot.sandbox.server import Server


async def test_files_are_read_one_at_a_time_and_each_user_waits_for_their_own(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sends many at once is no burden for the others, not even for those who import, too."""
    assert room.bot is not None
    exchange, under_way = room.bot.service(ExchangeService), [0]
    order: list[str] = []

    def slow(text: str) -> Content:
        under_way[0] += 1
        assert under_way == [1]
        time.sleep(0.02)
        under_way[0] -= 1
        order.append(text)
        return read(XGID)

    monkeypatch.setattr("bot.exchange.service._checked", slow)
    sent = [(room.ana, "a1"), (room.ana, "a2"), (room.ana, "a3"), (room.ben, "b1")]
    await asyncio.gather(*(exchange.open(who.user_id, text) for who, text in sent))
    assert order == ["a1", "b1", "a2", "a3"]


async def test_a_long_board_is_read_beside_the_event_loop(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    message = await load(room.ana, MAT)
    threads: list[threading.Thread] = []
    read = repository._analysis

    def noted(row: Any) -> Analysis:
        threads.append(threading.current_thread())
        return read(row)

    monkeypatch.setattr(repository, "_analysis", noted)
    await room.ana.press(step(room.ana, message, 2), message)
    assert threads
    assert threading.main_thread() not in threads


async def test_who_sends_file_after_file_has_to_wait(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, rate_limits=True) as bot:
        room = Room.of(stand_in, bot)
        for _ in range(WORK.burst):
            await open_position(room.ana, XGID)
            assert "too fast" not in told(room.ana)
        await open_position(room.ana, XGID)
        assert told(room.ana).startswith("That was too fast for me.")
        await open_position(room.ben, XGID)
        assert "too fast" not in told(room.ben)
