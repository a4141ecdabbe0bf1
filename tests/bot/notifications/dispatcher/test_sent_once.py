"""A message that may have arrived is looked for before it is sent again; if nobody may look, it is not sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from harness.bot import told_all
from harness.delivery import HOUR, Delivery
from harness.discord import Seat, until
from harness.scene import FIRST, posts, told_lines

from bot.board.delivery.publisher import BoardPublisher
from bot.core import messages
from bot.core.translations import language
from bot.notifications import dispatcher
from bot.notifications.outbox.service import MOST_ATTEMPTS
from bot.sandbox.state import permissions as p

if TYPE_CHECKING:
    from bot.games.live import LiveGame

EN = language("en")


@pytest.mark.parametrize("nonces", [True, False])
async def test_what_arrived_unnoticed_is_not_sent_again(scene: Delivery, nonces: bool) -> None:
    live, ben = await scene.begin(), scene.room.ben
    direct = scene.world.direct_channel(ben.user_id)
    scene.world.faults.fail_next(f"POST /channels/{direct}/messages", status=400, lost=True)
    scene.shut()
    await scene.move(live, FIRST)
    assert await scene.states() == ["pending"]
    if not nonces:
        scene.world.messages.nonces.clear()
    await scene.pass_time(HOUR)
    assert await scene.states() == ["sent"]
    assert len(scene.sent_to(ben)) == 1


async def test_what_arrived_with_the_last_attempt_is_not_told_otherwise(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    path = f"POST /channels/{scene.world.direct_channel(ben.user_id)}/messages"
    scene.world.faults.fail_next(path, status=400, times=MOST_ATTEMPTS - 1)
    scene.world.faults.fail_next(path, status=400, lost=True)
    scene.shut()
    await scene.move(live, FIRST)
    for _ in range(MOST_ATTEMPTS):
        await scene.pass_time(6 * HOUR)
    assert await scene.states() == ["sent"]
    assert len(scene.sent_to(ben)) == 1


async def test_while_nobody_can_look_nothing_is_sent_again(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    channel = scene.world.direct_channel(ben.user_id)
    scene.world.faults.fail_next(f"POST /channels/{channel}/messages", status=400, lost=True)
    scene.shut()
    await scene.move(live, FIRST)
    scene.world.messages.nonces.clear()
    scene.world.faults.fail_next(f"GET /channels/{channel}/messages", status=400)
    await scene.pass_time(HOUR)
    assert await scene.states() == ["pending"]
    assert len(scene.sent_to(ben)) == 1
    await scene.pass_time(HOUR)
    assert await scene.states() == ["sent"]
    assert len(scene.sent_to(ben)) == 1


async def test_what_arrived_is_found_however_many_messages_came_since(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    notes = await lost_in_the_servers_channel(scene, live)
    for number in range(250):
        notes.say(f"{number}")
    await scene.pass_time(HOUR)
    assert await scene.states() == ["sent"]
    assert len([m for m in notes.messages if m["author"]["id"] != str(ben.user_id)]) == 1


async def lost_in_the_servers_channel(scene: Delivery, live: LiveGame) -> Seat:
    """Loses Discord's answer to a notification in the server's channel, where it has arrived."""
    notes = await scene.notification_channel()
    scene.world.dms_closed.add(scene.room.ben.user_id)
    scene.world.faults.fail_next(f"POST /channels/{notes.channel_id}/messages", status=400, lost=True)
    scene.shut()
    await scene.move(live, FIRST)
    assert await scene.states() == ["pending"]
    scene.world.messages.nonces.clear()
    return notes


async def test_among_too_many_messages_it_is_not_looked_for_for_ever(
    scene: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "SEARCH_LIMIT", 20)
    live = await scene.begin()
    notes = await scene.notification_channel()
    scene.world.dms_closed.add(scene.room.ben.user_id)
    scene.world.faults.fail_next(f"POST /channels/{notes.channel_id}/messages", status=400)
    scene.shut()
    await scene.move(live, FIRST)
    for number in range(20):
        notes.say(f"{number}")
    await scene.pass_time(HOUR)
    assert await scene.states() == ["failed"]


async def by_right(scene: Delivery, notes: Seat) -> None:
    tried = posts(scene.world, scene.room.channel_id)
    scene.world.deny(notes.channel_id, p.READ_MESSAGE_HISTORY)
    me = scene.bot.guilds[0].me
    await until(
        lambda: not scene.bot.get_channel(notes.channel_id).permissions_for(me).read_message_history,  # type: ignore[union-attr]
        "the bot knows",
    )
    await until(lambda: posts(scene.world, scene.room.channel_id) > tried, "the board is tried again, in vain")
    await scene.bot.service(BoardPublisher).idle()


async def by_answer(scene: Delivery, notes: Seat) -> None:
    scene.world.faults.fail_next(f"GET /channels/{notes.channel_id}/messages", status=403, code=50001)


@pytest.mark.parametrize("unread", [by_right, by_answer])
async def test_where_nobody_may_look_it_is_not_sent_again_but_told_at_the_next_command(
    scene: Delivery, unread: Any
) -> None:
    live, ben = await scene.begin(), scene.room.ben
    notes = await lost_in_the_servers_channel(scene, live)
    await unread(scene, notes)
    await scene.pass_time(HOUR)
    assert await scene.states() == ["failed"]
    assert len(notes.messages) == 1
    await ben.slash("abak help")
    await until(lambda: len(told_lines(ben, EN("notification.undelivered", markup=""))) == 1, "it is told")


@pytest.mark.parametrize("unread", [by_right, by_answer])
async def test_while_the_board_is_tried_again_in_vain_it_stays_to_be_told(scene: Delivery, unread: Any) -> None:
    live, ben = await scene.begin(), scene.room.ben
    notes = await lost_in_the_servers_channel(scene, live)
    await unread(scene, notes)
    await scene.pass_time(HOUR)
    for _ in range(2):
        scene.bot.service(BoardPublisher).wake(live.id)
        await scene.settle()
        assert await scene.states() == ["failed"]
    assert len(notes.messages) == 1
    await ben.slash("abak help")
    await until(lambda: len(told_lines(ben, EN("notification.undelivered", markup=""))) == 1, "it is told")


async def test_where_nobody_may_look_the_board_that_comes_later_does_not_ping(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    notes = await lost_in_the_servers_channel(scene, live)
    await by_answer(scene, notes)
    await scene.pass_time(HOUR)
    await scene.open()
    assert scene.pings_of(ben) == 1  # by the one that was lost
    assert await scene.states() == ["failed"]
    for _ in range(2):
        await ben.slash("abak help")
        await until(lambda: len(told_lines(ben, EN("notification.undelivered", markup=""))) == 1, "it is told")
    await told_all(scene.bot)
    assert len(told_lines(ben, EN("notification.undelivered", markup=""))) == 1
    assert scene.pings_of(ben) == 1


async def test_a_channel_that_is_gone_has_told_nobody_anything(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    notes = await lost_in_the_servers_channel(scene, live)
    scene.world.delete_channel(notes.channel_id)
    scene.world.dms_closed.clear()
    await scene.pass_time(HOUR)
    assert await scene.states() == ["sent"]
    assert len(scene.sent_to(ben)) == 1


async def test_a_message_that_takes_too_long_is_looked_for_and_sent_again(
    scene: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, ben = await scene.begin(), scene.room.ben
    monkeypatch.setattr(dispatcher, "SENDING_MS", 200)
    scene.world.faults.delay(f"POST /channels/{scene.world.direct_channel(ben.user_id)}/messages", 1)
    scene.shut()
    await scene.move(live, FIRST)
    assert await scene.states() == ["pending"]
    scene.world.faults.clear()
    await scene.pass_time(HOUR)
    assert await scene.states() == ["sent"]
    assert len(scene.sent_to(ben)) == 1
