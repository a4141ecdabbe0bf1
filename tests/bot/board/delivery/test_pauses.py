"""A board that cannot be shown is tried ever more seldom, and at once when that may have changed."""

from __future__ import annotations

from unittest.mock import AsyncMock

import pytest
from harness.bot import told_all
from harness.discord import text, until
from harness.scene import FIRST, posts
from harness.undelivered import Undelivered, pending_notices
from sqlalchemy import select

from bot.board.delivery import publisher
from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.service import BoardDelivery
from bot.challenges.service import ChallengeService
from bot.challenges.tables import challenges
from bot.challenges.worker import ChallengeExpiry
from bot.core import workers
from bot.core.translations import language
from bot.core.workers import backoff
from bot.sandbox.state import permissions as p

EN = language("en")


async def test_the_pauses_between_attempts_grow_and_are_kept(scene: Undelivered) -> None:
    room = scene.room
    await scene.hinder()
    pauses, before = [], posts(scene.world, room.channel_id)
    for number in range(1, 12):
        row = await scene.row()
        assert (row.attempts, row.delivery_error) == (number, "send_messages")
        pauses.append(row.next_attempt_at - scene.time.at)
        scene.time.at = row.next_attempt_at - 1
        await scene.sweep()
        assert posts(scene.world, room.channel_id) == before + number - 1
        scene.time.at += 1
        await scene.sweep()
        assert posts(scene.world, room.channel_id) == before + number
    assert pauses[:3] == [60_000, 120_000, 240_000]
    assert pauses == [backoff(number) for number in range(11)]
    assert pauses[-1] == workers.LONGEST_PAUSE


async def test_what_was_shown_is_tried_from_the_beginning(scene: Undelivered) -> None:
    room = scene.room
    await scene.hinder()
    room.server.world.allow(room.channel_id, p.SEND_MESSAGES)
    await until(lambda: len(room.boards) == 2, "the board is shown as soon as it may be")
    await room.shown()
    row = await scene.row()
    assert (row.attempts, row.next_attempt_at, row.delivery_error, row.delivery_error_informed) == (0, 0, "", 0)


@pytest.mark.parametrize("mend", ["channel", "role"])
async def test_a_change_of_permissions_is_tried_at_once(scene: Undelivered, mend: str) -> None:
    room, world = scene.room, scene.room.server.world
    await scene.hinder()
    if mend == "channel":
        world.allow(room.channel_id, p.SEND_MESSAGES)
    else:
        world.channels[room.channel_id]["permission_overwrites"] = []
        role = world.guilds[world.guild_id]["roles"][0]
        changed = {"guild_id": str(world.guild_id), "role": role | {"mentionable": True}}
        world.events.dispatch("GUILD_ROLE_UPDATE", lambda: changed, guild_id=world.guild_id, intent=1)
    await until(lambda: len(room.boards) == 2, "the board is shown")


async def test_a_closed_challenge_that_cannot_be_changed_is_tried_ever_more_seldom(
    scene: Undelivered, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ChallengeExpiry, "run_once", AsyncMock(return_value=600.0))  # else its loop may come first
    room, world = scene.room, scene.room.server.world
    message = await room.challenge("apb")
    world.deny(room.channel_id, p.VIEW_CHANNEL)
    world.faults.fail_next("PATCH /channels", status=403, code=50013, times=2)
    scene.time.at += 25 * 3_600_000
    await scene.bot.service(ChallengeExpiry).turn()
    assert await scene.bot.service(ChallengeService).unshown() == []
    scene.time.at += workers.FIRST_PAUSE
    await scene.bot.service(ChallengeExpiry).turn()
    world.allow(room.channel_id, p.VIEW_CHANNEL)
    scene.time.at += workers.FIRST_PAUSE
    await scene.bot.service(ChallengeExpiry).turn()
    assert EN("challenge.expired") not in text(room.ana.fresh(message))
    async with scene.bot.service(BoardDelivery).store.database.reading() as connection:
        assert await connection.scalar(select(challenges.c.attempts)) == 2
    scene.time.at += workers.FIRST_PAUSE
    await scene.bot.service(ChallengeExpiry).turn()
    assert EN("challenge.expired") in text(room.ana.fresh(message))


async def test_a_failure_of_no_known_kind_is_no_permissions_fault(
    scene: Undelivered, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RETRIES", (0.01, 0.01))
    room = scene.room
    live = await room.begin("apb")
    room.server.world.faults.fail_next(f"POST /channels/{room.channel_id}/messages", status=400, times=3)
    await room.play(live, FIRST)
    await scene.bot.service(BoardPublisher).idle()
    row = await scene.row()
    assert (row.attempts, row.delivery_error) == (1, "")
    await room.ana.slash("abak help")
    await told_all(scene.bot)
    assert pending_notices(room.ana) == []
    scene.time.at = row.next_attempt_at
    await scene.sweep()
    await room.shown()
