"""Suggestions while the database does not answer: nothing is suggested, and that in time. And those that come late."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Final

import pytest
import structlog
from harness.bot import Room, bot_running
from harness.discord import until
from harness.proxy import proxied

from bot.core.interactions import suggesting
from bot.sandbox.errors import Timeout

if TYPE_CHECKING:
    from bot.sandbox.server import Server

TYPED: Final = {
    "abak rules": ("topic", {"topic": "a"}),
    "abak move play": ("notation", {"notation": "e"}),
}
PATIENCE: Final = 8.0
WAITED: Final = 7.5
"""Seconds from the arrival of an interaction until it is its turn."""


async def test_what_is_suggested_without_a_database_comes_in_time(
    stand_in: Server, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suggesting, "PATIENCE", PATIENCE)
    async with proxied(postgres_url) as (proxy, url), bot_running(stand_in, url, faults=1) as bot:
        room = Room.of(stand_in, bot)
        admit, admitted = bot.admission.admit, list[float]()

        async def late(*given: object) -> bool:
            await asyncio.sleep(WAITED)
            admitted.append(time.monotonic())
            return await admit(*given)  # type: ignore[arg-type]

        await room.ana.choices("abak rules", "topic", topic="a")
        monkeypatch.setattr(bot.admission, "admit", late)
        proxy.drop(new=True)
        asked = [room.ana.choices(command, option, **given) for command, (option, given) in TYPED.items()]
        assert await asyncio.gather(*asked) == [[], []]
        # since its turn: half a second if the patience counts from the arrival, else all of it
        assert time.monotonic() - min(admitted) < PATIENCE * 2 / 3
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
