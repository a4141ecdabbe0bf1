"""Suggestions while the database does not answer: nothing is suggested, and that in time. And those that come late."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Final

import pytest
import structlog
from harness.bot import Room, bot_running
from harness.discord import ANSWER_LIMIT, until
from harness.proxy import proxied

from bot.core.interactions import suggesting
from bot.core.metrics.interactions import NOT_ANSWERED
from bot.sandbox.errors import Timeout

if TYPE_CHECKING:
    from bot.core.interactions.answer import Context
    from bot.sandbox.server import Server

TYPED: Final = {
    "abak rules": ("topic", {"topic": "a"}),
    "abak move play": ("notation", {"notation": "e"}),
}
PATIENCE: Final = 2 * ANSWER_LIMIT
LEFT: Final = 0.5
"""Seconds of the patience that are left when it is an interaction's turn."""


async def test_what_is_suggested_without_a_database_comes_in_time(
    stand_in: Server, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suggesting, "PATIENCE", PATIENCE)
    async with proxied(postgres_url) as (proxy, url), bot_running(stand_in, url, faults=1) as bot:
        room = Room.of(stand_in, bot)
        admit, outcomes = bot.admission.admit, list[str]()

        async def late(context: Context, interaction: Any) -> bool:
            interaction.extras[suggesting.ARRIVED] -= PATIENCE - LEFT
            return await admit(context, interaction)

        await room.ana.choices("abak rules", "topic", topic="a")
        monkeypatch.setattr(bot.admission, "admit", late)
        monkeypatch.setattr(suggesting, "note_outcome", outcomes.append)
        proxy.drop(new=True)
        asked = [room.ana.choices(command, option, **given) for command, (option, given) in TYPED.items()]
        assert await asyncio.gather(*asked) == [[], []]
        assert outcomes == [NOT_ANSWERED] * 2, "neither waited until the database was given up"
        await until(lambda: not bot.services.database.outages.is_over, "the one fault that is logged: the outage")
        proxy.drop()


async def test_suggestions_that_come_too_late_are_one_line_in_the_log_and_no_error(
    stand_in: Server, sqlite_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    world = stand_in.world
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        world.answer_limit = 0.3
        world.faults.fail_next("/callback", status=404, code=10062, times=2)
        with structlog.testing.capture_logs() as lines:
            with pytest.raises(Timeout):
                await room.ana.choices("abak rules", "topic", topic="a")
            await until(lambda: lines, "the bot has tried")
    assert [(line["event"], line["log_level"]) for line in lines] == [("suggestions_not_delivered", "info")]
    assert [
        record for record in caplog.records if record.levelno >= logging.WARNING and "autocomplete" in record.msg
    ] == []
