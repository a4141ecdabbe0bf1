"""A board that cannot be shown is tried ever more seldom, and at once when that may have changed."""

from __future__ import annotations

import pytest
from harness.bot import told_all
from harness.delivery_error import Hindrance, pending_notices
from harness.discord import text, until
from harness.scene import FIRST, posts
from sqlalchemy import select

from bot.board.delivery import publisher, service
from bot.challenges.tables import challenges
from bot.core.translations import language
from bot.sandbox import permissions as p

EN = language("en")


async def test_the_pauses_between_attempts_grow_and_are_kept(scene: Hindrance) -> None:
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
    assert pauses == [service.pause(number) for number in range(11)]
    assert pauses[-1] == service.LONGEST_PAUSE


async def test_what_was_shown_is_tried_from_the_beginning(scene: Hindrance) -> None:
    room = scene.room
    await scene.hinder()
    room.server.world.allow(room.channel_id, p.SEND_MESSAGES)
    await until(lambda: len(room.boards) == 2, "the board is shown as soon as it may be")
    await room.shown()
    row = await scene.row()
    assert (row.attempts, row.next_attempt_at, row.delivery_error, row.delivery_error_told) == (0, 0, "", 0)


@pytest.mark.parametrize("mend", ["channel", "role"])
async def test_a_change_of_permissions_is_tried_at_once(scene: Hindrance, mend: str) -> None:
    room, world = scene.room, scene.room.server.world
    await scene.hinder()
    if mend == "channel":
        world.allow(room.channel_id, p.SEND_MESSAGES)
    else:
        world.channels[room.channel_id]["permission_overwrites"] = []
        role = world.guilds[world.guild_id]["roles"][0]
        changed = {"guild_id": str(world.guild_id), "role": role | {"mentionable": True}}
        world.news.dispatch("GUILD_ROLE_UPDATE", lambda: changed, guild_id=world.guild_id, intent=1)
    await until(lambda: len(room.boards) == 2, "the board is shown")


async def test_a_closed_challenge_that_cannot_be_changed_is_tried_ever_more_seldom(scene: Hindrance) -> None:
    room, world = scene.room, scene.room.server.world
    message = await room.challenge("apb")
    world.deny(room.channel_id, p.VIEW_CHANNEL)
    world.faults.fail_next("PATCH /channels", status=403, code=50013, times=2)
    scene.time.at += 25 * 3_600_000
    await scene.bot.expiry.turn()
    assert await scene.bot.services.challenges.unshown() == []
    scene.time.at += service.FIRST_PAUSE
    await scene.bot.expiry.turn()
    world.allow(room.channel_id, p.VIEW_CHANNEL)
    scene.time.at += service.FIRST_PAUSE
    await scene.bot.expiry.turn()
    assert EN("challenge.expired") not in text(room.ana.fresh(message))
    async with scene.bot.services.boards.store.database.reading() as connection:
        assert await connection.scalar(select(challenges.c.attempts)) == 2
    scene.time.at += service.FIRST_PAUSE
    await scene.bot.expiry.turn()
    assert EN("challenge.expired") in text(room.ana.fresh(message))


async def test_a_failure_of_no_known_kind_is_no_permissions_fault(
    scene: Hindrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RETRIES", (0.01, 0.01))
    room = scene.room
    live = await room.begin("apb")
    room.server.world.faults.fail_next(f"POST /channels/{room.channel_id}/messages", status=400, times=3)
    await room.type(live, FIRST)
    await scene.bot.publisher.idle()
    row = await scene.row()
    assert (row.attempts, row.delivery_error) == (1, "")
    await room.ana.slash("abak help")
    await told_all(scene.bot)
    assert pending_notices(room.ana) == []
    scene.time.at = row.next_attempt_at
    await scene.sweep()
    await room.shown()
