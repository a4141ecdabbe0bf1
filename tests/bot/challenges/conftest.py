"""Fixtures of the tests of challenges."""

import pytest

from bot.challenges import form, views
from bot.core.interactions.answer import Answer


@pytest.fixture
def experienced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is a newcomer."""

    async def is_newcomer(answer: Answer) -> bool:
        del answer
        return False

    for room in (form, views):
        monkeypatch.setattr(room, "is_newcomer", is_newcomer)
