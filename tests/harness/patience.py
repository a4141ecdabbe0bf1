"""The bot's limits of time for an answer, where they are not the subject: a busy machine changes nothing then."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING

from bot.board.delivery import answers
from bot.challenges import views
from bot.core.interactions import answer, suggesting
from bot.core.interactions.delivery import first_answer
from bot.core.storage import database
from bot.notifications import private_notices
from harness.discord import ANSWER_LIMIT, PATIENT

if TYPE_CHECKING:
    import pytest


class StandingTime:
    """A time for the first answer to an interaction: it passes only while the bot sleeps, and then at once."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


def let_answers_take_long(monkeypatch: pytest.MonkeyPatch) -> StandingTime:
    """Lets answers and writers wait as long as the machine needs, without deferral or refusal."""
    for module in (answer, answers, suggesting):
        monkeypatch.setattr(module, "PATIENCE", PATIENT)
    monkeypatch.setattr(views, "BOARD_PATIENCE", PATIENT)
    monkeypatch.setattr(private_notices, "WAIT", PATIENT)
    monkeypatch.setattr(database, "SQLITE_PATIENCE", PATIENT)
    time = StandingTime()
    monkeypatch.setattr(first_answer, "time", time)
    waits = SimpleNamespace(
        sleep=time.sleep, timeout=lambda _: asyncio.timeout(ANSWER_LIMIT), wait_for=asyncio.wait_for
    )
    monkeypatch.setattr(first_answer, "asyncio", waits)
    return time
