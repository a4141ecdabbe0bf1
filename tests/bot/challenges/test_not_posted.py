"""A challenge that nobody can see does not stay open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.boards import assert_shown_once
from harness.bot import told

from bot.challenges.service import ChallengeService
from bot.sandbox.faults import RESET

if TYPE_CHECKING:
    from harness.bot import Room


@pytest.mark.parametrize("status", [403, RESET])
async def test_a_challenge_that_cannot_be_posted_is_cancelled(room: Room, status: int) -> None:
    assert room.bot is not None
    room.server.world.faults.fail_next("POST /interactions", status=status)
    await room.ana.slash("abak challenge", opponent=room.ben, game="apb")
    assert told(room.ana) == room.say("challenge.not_posted")
    assert await room.bot.service(ChallengeService).open_of(room.ana.user_id) == 0
    await room.begin("apb")
    assert_shown_once(room, await room.shown())
