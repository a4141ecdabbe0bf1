"""What the tests of matches have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bot.matches.contests import ContestHook, FinishedContest

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

    from bot.matches.service import MatchService


class Ends(ContestHook):
    def __init__(self) -> None:
        self.found: list[FinishedContest] = []

    async def on_end(self, connection: AsyncConnection, contest: FinishedContest) -> None:
        del connection
        self.found.append(contest)


@pytest.fixture
def ends(matches: MatchService) -> list[FinishedContest]:
    """The contests that have ended."""
    hook = Ends()
    matches.hooks.append(hook)
    return hook.found
