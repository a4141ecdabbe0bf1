"""Fixtures of the tests of matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.match_service import Ends

if TYPE_CHECKING:
    from bot.matches.contests import FinishedContest
    from bot.matches.service import MatchService


@pytest.fixture
def ends(matches: MatchService) -> list[FinishedContest]:
    """The contests that have ended."""
    hook = Ends()
    matches.hooks.append(hook)
    return hook.found
