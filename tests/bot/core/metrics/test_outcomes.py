"""Tests which answers count as a fault of ours."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import discord
import pytest
import structlog
from harness.bot import Room, bot_running, told, told_all
from harness.discord import until
from harness.scrapes import between, scrape

from bot.games.service import GameService
from bot.sandbox.faults import RESET

if TYPE_CHECKING:
    from bot.sandbox.server import Server


async def test_a_failing_answer_counts_as_our_error(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        before = await scrape(bot)

        async def broken(*_: Any) -> None:
            raise ZeroDivisionError

        monkeypatch.setitem(bot.context.handlers, "move", broken)
        await room.to_move(live).press("b:move:", room.board)
        await told_all(bot)
        grown = between(before, await scrape(bot))
        assert grown("abakbot_interactions_total", kind="component", name="move", outcome="error") == 1
        assert grown("abakbot_interactions_failed_total") == 1


async def test_an_answer_that_comes_too_late_is_no_error(stand_in: Server, sqlite_url: str) -> None:
    """It has an outcome of its own; Discord takes nothing that the bot says then."""
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        before = await scrape(bot)
        stand_in.world.faults.fail_next("/callback", status=404, code=10062)
        with structlog.testing.capture_logs() as lines:
            pressing = asyncio.create_task(room.to_move(live).press("b:move:", room.board))
            await until(lambda: "answered_too_late" in {line["event"] for line in lines}, "the answer is refused")
            pressing.cancel()
        await told_all(bot)
        grown = between(before, await scrape(bot))
    assert grown("abakbot_interactions_total", kind="component", name="move", outcome="unanswered") == 1
    assert grown("abakbot_interactions_unanswered_total") == 1
    assert grown("abakbot_interactions_total", outcome="error") == 0
    assert grown("abakbot_interactions_failed_total") == 0


@pytest.mark.parametrize("lost", [True, False])
async def test_an_answer_that_is_lost_on_its_way_is_no_error(stand_in: Server, sqlite_url: str, *, lost: bool) -> None:
    """``lost``: Discord has accepted it, and its reply does not arrive."""
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        before = await scrape(bot)
        stand_in.world.faults.fail_next("/callback", status=RESET, lost=lost)
        with structlog.testing.capture_logs() as lines:
            await room.ana.slash("abak games")
            await told_all(bot)
        grown = between(before, await scrape(bot))
        assert (told(room.ana) == room.say("error.ours")) == (not lost)
    assert "answer_in_doubt" in {line["event"] for line in lines}
    assert grown("abakbot_interactions_total", kind="command", outcome="unanswered") == 1
    assert grown("abakbot_interactions_unanswered_total") == 1
    assert grown("abakbot_interactions_failed_total") == 0


async def test_a_message_that_somebody_has_deleted_is_no_error(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        before = await scrape(bot)
        response: Any = SimpleNamespace(status=404, reason="Not Found")

        async def gone(*_: Any) -> None:
            raise discord.NotFound(response, {"code": 10008, "message": "Unknown Message"})

        monkeypatch.setitem(bot.context.handlers, "move", gone)
        with structlog.testing.capture_logs() as lines:
            await room.to_move(live).press("b:move:", room.board)
            await told_all(bot)
        grown = between(before, await scrape(bot))
    assert [line["event"] for line in lines if line["log_level"] == "warning"] == ["message_gone"]
    assert grown("abakbot_interactions_total", kind="component", name="move", outcome="ok") == 1
    assert grown("abakbot_interactions_failed_total") == 0


async def test_suggestions_that_come_too_late_are_no_error(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        live = await room.begin("apb")
        before = await scrape(bot)

        async def never(*_: Any) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(bot.service(GameService), "playing_at", never)
        monkeypatch.setattr("bot.core.interactions.suggesting.PATIENCE", 0.05)
        assert await room.to_move(live).choices("abak move play", "notation", notation="d") == []
        grown = between(before, await scrape(bot))
    assert grown("abakbot_interactions_total", kind="autocomplete", outcome="unanswered") == 1
    assert grown("abakbot_interactions_failed_total") == 0
