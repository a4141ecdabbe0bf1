"""Users without direct messages are told in the notification channel, or at the next command, or by the board."""

from __future__ import annotations

import pytest
from harness.bot import told_all
from harness.delivery import Delivery
from harness.discord import text, until
from harness.scene import FIRST, told_lines

from bot.board.delivery.publisher import BoardPublisher
from bot.core.translations import language
from bot.sandbox.state import permissions as p

EN = language("en")


async def test_closed_direct_messages_leave_the_servers_channel(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    notes = await scene.notification_channel()
    scene.world.dms_closed.add(ben.user_id)
    scene.shut()
    await scene.move(live, FIRST)
    (message,) = notes.messages
    assert text(message).startswith(
        f"{ben.mention} {EN('notification.turn', game='APB', opponent='|', link='').split('|')[0]}"
    )
    assert [u["id"] for u in message["mentions"]] == [str(ben.user_id)]
    assert [row.via for row in await scene.outbox()] == ["server"]
    assert scene.pings_of(ben) == 1


@pytest.mark.parametrize("channel", ["none", "gone", "denied"])
async def test_who_cannot_be_reached_is_told_at_the_next_command(scene: Delivery, channel: str) -> None:
    live, ben = await scene.begin(), scene.room.ben
    if channel != "none":
        notes = await scene.notification_channel()
        if channel == "gone":
            scene.world.delete_channel(notes.channel_id)
        else:
            scene.world.deny(notes.channel_id, p.SEND_MESSAGES)
    scene.world.dms_closed.add(ben.user_id)
    scene.shut()
    await scene.move(live, FIRST)
    assert await scene.states() == ["failed"]
    start = EN("notification.undelivered", markup="")
    for _ in range(2):
        await ben.slash("abak help")
        await until(lambda: len(told_lines(ben, start)) == 1, "it is told")
    await told_all(scene.bot)
    assert len(told_lines(ben, start)) == 1
    assert [(row.state, row.via) for row in await scene.outbox()] == [("sent", "answer")]
    await scene.open()
    assert scene.pings_of(ben) == 0


async def test_who_was_not_reached_is_pinged_by_the_board_that_comes_later(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    scene.world.dms_closed.add(ben.user_id)
    scene.shut()
    await scene.move(live, FIRST)
    assert await scene.states() == ["failed"]
    await scene.open()
    assert scene.pings_of(ben) == 1
    assert await scene.states() == ["void"]


async def test_who_was_not_reached_is_tried_again_with_the_board_and_told_when_both_fail(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    scene.world.dms_closed.add(ben.user_id)
    scene.shut()
    await scene.move(live, FIRST)
    for _ in range(2):
        scene.bot.service(BoardPublisher).wake(live.id)
        await scene.settle()
        assert await scene.states() == ["failed"]
    await ben.slash("abak help")
    await until(lambda: len(told_lines(ben, EN("notification.undelivered", markup=""))) == 1, "it is told")
    await told_all(scene.bot)  # and that is noted
    scene.bot.service(BoardPublisher).wake(live.id)
    await scene.settle()
    assert [(row.state, row.via) for row in await scene.outbox()] == [("sent", "answer")]


async def test_who_was_not_reached_is_written_to_once_that_works_again(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    scene.world.dms_closed.add(ben.user_id)
    scene.shut()
    await scene.move(live, FIRST)
    scene.world.dms_closed.clear()
    for _ in range(2):
        scene.bot.service(BoardPublisher).wake(live.id)
        await scene.settle()
    assert [(row.state, row.via) for row in await scene.outbox()] == [("sent", "dm")]
    assert scene.pings_of(ben) == 1
