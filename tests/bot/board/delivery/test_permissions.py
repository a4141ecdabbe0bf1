"""A missing permission is explained once to whoever can mend it, and to the players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import SPANISH, Room, told_all
from harness.discord import Seat, until
from harness.scene import FIRST, SECOND
from harness.undelivered import MANAGER, Undelivered, pending_notices, undelivered

from bot.board.delivery.publisher import BoardPublisher
from bot.core.translations import language
from bot.sandbox.state import permissions as p
from engine.core.errors import Translated

if TYPE_CHECKING:
    from bot.sandbox.server import Server

EN = language("en")


@pytest.mark.parametrize(
    ("denied", "named"),
    [(p.VIEW_CHANNEL, "view_channel"), (p.SEND_MESSAGES, "send_messages"), (p.ATTACH_FILES, "attach_files")],
)
@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_a_missing_permission_is_named_once_to_who_can_mend_it(
    stand_in: Server, sqlite_url: str, denied: int, named: str, locale: str
) -> None:
    async with undelivered(stand_in, sqlite_url, locale) as scene:
        room, world = scene.room, stand_in.world
        await scene.hinder(denied)
        elsewhere = scene.manager.at(world.add_channel("hall"))
        channel = f"<#{room.channel_id}>"
        line = room.say("permission_issue.permission", channel=channel, permission=Translated(f"@permission.{named}"))
        for _ in range(2):
            await elsewhere.slash("abak help")
            await until(lambda: pending_notices(elsewhere, room.say) == [line], "the manager is told")
        other = Seat.join(world, "Max", elsewhere.channel_id, permissions=MANAGER)
        await other.slash("abak help")
        await told_all(scene.bot)
        assert pending_notices(other) == []


async def test_members_are_not_told_what_they_cannot_mend(scene: Undelivered) -> None:
    room = scene.room
    await scene.hinder()
    member = Seat.join(room.server.world, "Max", room.channel_id)
    await member.slash("abak help")
    await told_all(scene.bot)
    assert pending_notices(member) == []
    await scene.manager.slash("abak help")
    await until(lambda: len(pending_notices(scene.manager)) == 1, "the manager is told")


async def test_each_player_is_told_once_why_the_board_is_not_there(scene: Undelivered) -> None:
    room = scene.room
    live = await room.begin("apb")
    room.server.world.deny(room.channel_id, p.ATTACH_FILES)
    await room.type(live, FIRST)
    channel = f"<#{room.channel_id}>"
    line = EN("undelivered.permission", game="APB", channel=channel, permission=Translated("@permission.attach_files"))
    await until(lambda: pending_notices(room.ana) == [line], "who has just moved is told at once")
    for _ in range(2):
        await room.ben.slash("abak games")
        await until(lambda: pending_notices(room.ben) == [line], "the other is told at the next command")
    await room.ana.slash("abak games")
    await told_all(scene.bot)
    assert pending_notices(room.ana) == [line]


async def test_what_failed_again_after_it_worked_is_told_again(scene: Undelivered) -> None:
    room, world = scene.room, scene.room.server.world
    await scene.hinder()
    await scene.manager.slash("abak help")
    await until(lambda: len(pending_notices(scene.manager)) == 1, "the manager is told")
    world.allow(room.channel_id, p.SEND_MESSAGES)
    await until(lambda: len(room.boards) == 2, "the board is shown")
    await scene.bot.service(BoardPublisher).idle()
    world.deny(room.channel_id, p.SEND_MESSAGES)
    await room.ben.slash("abak move play", notation=SECOND)
    await until(lambda: len(pending_notices(room.ben)) == 1, "who has just moved is told")
    await scene.manager.slash("abak help")
    await until(lambda: len(pending_notices(scene.manager)) == 2, "the manager is told anew")


async def test_who_can_mend_it_and_plays_is_told_once(scene: Undelivered) -> None:
    world = scene.room.server.world
    room = Room(scene.room.server, scene.manager, scene.room.ben, scene.bot)
    live = await room.begin("apb")
    world.deny(room.channel_id, p.SEND_MESSAGES)
    await room.type(live, FIRST)
    await until(lambda: len(pending_notices(scene.manager)) == 1, "told")
    await told_all(scene.bot)
    assert pending_notices(scene.manager)[0].startswith(
        EN("permission_issue.permission", channel="", permission="x")[:20]
    )
    await scene.manager.slash("abak help")
    await told_all(scene.bot)
    assert len(pending_notices(scene.manager)) == 1
