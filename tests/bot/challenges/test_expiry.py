"""Expired challenges are closed in every channel, also if some channels cannot be reached."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp
import pytest
from structlog.testing import capture_logs

from bot.challenges.worker import ChallengeExpiry
from bot.core import workers
from bot.core.workers import Pace
from bot.games.new_game import NewGame
from bot.games.stored import Place

if TYPE_CHECKING:
    from fakes.clock import Clock

    from bot.challenges.service import ChallengeService

pytestmark = pytest.mark.both_databases

ANN, BOB, EVE = 11, 22, 33


@dataclass
class Channels:
    """In place of Discord: which messages were edited, and which channel cannot be reached."""

    failing: dict[int, Exception]
    edited: list[tuple[int, int]] = field(default_factory=list)

    def get_partial_messageable(self, channel_id: int, *, guild_id: int | None) -> Any:
        del guild_id
        return Messages(self, channel_id)


@dataclass
class Messages:
    channels: Channels
    channel_id: int
    message_id: int = 0

    def get_partial_message(self, message_id: int) -> Messages:
        return Messages(self.channels, self.channel_id, message_id)

    async def edit(self, **_: Any) -> None:
        if self.channel_id in self.channels.failing:
            raise self.channels.failing[self.channel_id]
        self.channels.edited.append((self.channel_id, self.message_id))


@pytest.mark.parametrize(
    "error",
    [ConnectionResetError(), TimeoutError(), aiohttp.ServerDisconnectedError(), ZeroDivisionError()],
    ids=repr,
)
async def test_one_message_that_cannot_be_edited_keeps_no_other_waiting(
    challenges: ChallengeService, clock: Clock, error: Exception
) -> None:
    for channel_id, opponent in ((5, BOB), (6, EVE)):
        posted = await challenges.post(ANN, opponent, NewGame("nim", {}, Place(1, channel_id), "en"))
        await challenges.posted(posted.id, channel_id * 100)
        clock.pass_seconds(1)
    clock.pass_seconds(3600)
    channels = Channels({5: error})
    expiry = ChallengeExpiry(channels, challenges, Pace(1000.0))  # type: ignore[arg-type]
    with capture_logs() as logs:
        await expiry.turn()
    assert channels.edited == [(6, 600)]
    assert [log["event"] for log in logs if log["log_level"] != "info"] == ["challenge_failed"]
    channels.failing.clear()
    await expiry.turn()
    assert channels.edited == [(6, 600)]  # not before its pause is over
    clock.at += workers.FIRST_PAUSE
    await expiry.turn()
    assert channels.edited == [(6, 600), (5, 500)]
