"""A challenge that nobody can see does not stay open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.boards import assert_shown_once
from harness.bot import told

from bot.challenges.repository import POSTING_MS, Challenge
from bot.challenges.service import ChallengeService
from bot.games.stored import Place
from bot.sandbox.faults import RESET
from engine.core.errors import Refused

if TYPE_CHECKING:
    from fakes.clock import Clock
    from harness.bot import Room

ANN, BOB, EVE = 11, 22, 33


@pytest.mark.parametrize("status", [403, RESET])
async def test_a_challenge_that_cannot_be_posted_is_cancelled(room: Room, status: int) -> None:
    assert room.bot is not None
    room.server.world.faults.fail_next("POST /interactions", status=status)
    await room.ana.slash("abak challenge", opponent=room.ben, game="apb")
    assert told(room.ana) == room.say("challenge.not_posted")
    assert await room.bot.service(ChallengeService).open_of(room.ana.user_id) == 0
    await room.begin("apb")
    assert_shown_once(room, await room.shown())


async def test_a_form_whose_process_died_before_it_posted_is_posted_when_it_is_sent_again(
    challenges: ChallengeService, clock: Clock
) -> None:
    async def send(challenger: int = ANN) -> Challenge:
        return await challenges.post(challenger, BOB, "nim", {}, Place(1, 5), "en", challenge_id="form")

    first = await send()
    clock.pass_seconds(POSTING_MS / 1000 - 1)
    with pytest.raises(Refused, match=r"challenge\.posted"):  # the process may still be about it
        await send()
    clock.pass_seconds(1)
    with pytest.raises(Refused, match=r"challenge\.posted"):
        await send(EVE)
    assert (await send()).created > first.created
    await challenges.posted("form", 900)
    clock.pass_seconds(POSTING_MS / 1000)
    with pytest.raises(Refused, match=r"challenge\.posted"):
        await send()
