"""Attempts that fail for a while are repeated before anybody is bothered, ever more rarely, and not for ever."""

from __future__ import annotations

from typing import Any

import pytest
from harness.delivery import HOUR, Delivery
from harness.scene import FIRST

from bot.board.delivery.publisher import BoardPublisher
from bot.core.translations import language
from bot.notifications.outbox.service import MOST_ATTEMPTS

EN = language("en")


async def test_failures_of_no_known_kind_are_waited_out_before_anybody_is_bothered(scene: Delivery) -> None:
    live = await scene.begin()
    scene.world.faults.fail_next(f"POST /channels/{scene.room.channel_id}/messages", status=400, times=99)
    await scene.move(live, FIRST)
    for _ in range(2):
        assert await scene.outbox() == []
        scene.bot.service(BoardPublisher).wake(live.id)
        await scene.settle()
    assert await scene.states() == ["sent"]
    scene.world.faults.clear()
    scene.bot.service(BoardPublisher).wake(live.id)
    await scene.settle()
    assert scene.pings_of(scene.room.ben) == 1


@pytest.mark.parametrize("failing", [{"status": 429}, {"status": 500}, {"status": 400, "code": 0}], ids=str)
async def test_what_fails_for_a_while_is_tried_again(scene: Delivery, failing: dict[str, Any]) -> None:
    live, ben = await scene.begin(), scene.room.ben
    scene.world.faults.fail_next(f"POST /channels/{scene.world.direct_channel(ben.user_id)}/messages", **failing)
    scene.shut()
    await scene.move(live, FIRST)
    await scene.pass_time(HOUR)
    assert await scene.states() == ["sent"]
    assert len(scene.sent_to(ben)) == 1


async def test_what_goes_on_failing_is_told_at_the_next_command(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    scene.world.faults.fail_next(
        f"POST /channels/{scene.world.direct_channel(ben.user_id)}/messages", status=400, times=99
    )
    scene.shut()
    await scene.move(live, FIRST)
    pauses = []
    while await scene.states() == ["pending"]:
        (row,) = await scene.outbox()
        pauses.append(row.next_attempt_at - scene.time.at)
        await scene.pass_time(pauses[-1])
    assert await scene.states() == ["failed"]
    assert pauses == sorted(pauses)
    assert len(pauses) == MOST_ATTEMPTS
