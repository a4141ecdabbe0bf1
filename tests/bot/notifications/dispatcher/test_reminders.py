"""Before time is up whoever is to move is reminded; both hear that it is up."""

from __future__ import annotations

import pytest
from harness.delivery import HOUR, Delivery
from harness.discord import text
from harness.hours import pass_time
from harness.players import Greedy
from harness.scene import FIRST

from bot.core.translations import language
from bot.notifications.quiet_hours import QUIET_LEAD

EN = language("en")


async def test_reminders_come_at_four_fifths_and_an_hour_before(scene: Delivery) -> None:
    live = await scene.begin("3d/move")
    ana = scene.room.ana
    await scene.pass_time(int(72 * HOUR * 0.8) - 1)
    assert scene.sent_to(ana) == []
    await scene.pass_time(1)
    (message,) = scene.sent_to(ana)
    assert live.table.deadline is not None
    when = f"<t:{(live.table.record.header.started + live.table.deadline) // 1000}:R>"
    start = EN("notification.reminder", game="APB", opponent=scene.room.ben.mention, when=when, link="")
    assert text(message).startswith(start)
    await scene.pass_time(72 * HOUR - int(72 * HOUR * 0.8) - HOUR)
    assert len(scene.sent_to(ana)) == 2


@pytest.mark.parametrize(("chosen", "hours"), [("none", []), ("hour", [71]), ("day", [48]), ("share", [57.6])])
async def test_reminders_come_when_they_are_wanted(scene: Delivery, chosen: str, hours: list[float]) -> None:
    await scene.prefer(scene.room.ana, reminders=chosen)
    live = await scene.begin("3d/move")
    started = live.table.record.header.started
    assert [(row.due - started) / HOUR for row in await scene.outbox("reminder")] == hours


async def test_who_has_moved_is_not_reminded(scene: Delivery) -> None:
    live = await scene.begin("3d/move")
    await scene.move(live, FIRST)
    assert sorted(await scene.states("reminder")) == ["pending", "pending", "void", "void"]
    await scene.pass_time(71 * HOUR)
    assert scene.sent_to(scene.room.ana) == []
    assert len(scene.sent_to(scene.room.ben)) == 2


async def test_reminders_come_before_quiet_hours_that_they_would_fall_into(scene: Delivery) -> None:
    await scene.prefer(scene.room.ana, quiet="10:30-12:30", zone="UTC")
    live = await scene.begin("3d/move")  # up at twelve, reminded at eleven
    started = live.table.record.header.started
    rows = await scene.outbox("reminder")
    assert [row.due - started for row in rows] == [int(57.6 * HOUR), int(70.5 * HOUR) - QUIET_LEAD]
    await scene.pass_time(int(70.5 * HOUR) - QUIET_LEAD)
    assert len(scene.sent_to(scene.room.ana)) == 3  # with the ping at the end of the first day's quiet hours
    await scene.pass_time(HOUR)
    assert len(scene.sent_to(scene.room.ana)) == 3


async def test_a_reminder_that_is_late_waits_for_the_end_of_quiet_hours(scene: Delivery) -> None:
    await scene.prefer(scene.room.ana, quiet="00:30-04:30", zone="UTC", reminders="share")
    await scene.begin("3d/move")  # the reminder is due at 21:36
    await scene.pass_time(61 * HOUR)  # the bot comes back at one o'clock
    assert scene.sent_to(scene.room.ana) == []
    await scene.pass_time(4 * HOUR)
    assert len(scene.sent_to(scene.room.ana)) == 1


async def test_a_reminder_goes_to_the_place_where_direct_messages_are_closed(scene: Delivery) -> None:
    await scene.begin("3d/move")
    ana = scene.room.ana
    scene.world.dms_closed.add(ana.user_id)
    before = len(ana.pings)
    await scene.pass_time(71 * HOUR)
    assert len(ana.pings) == before + 2
    assert {row.via for row in await scene.outbox("reminder")} == {"place"}


async def test_a_reminder_no_longer_wanted_is_not_sent(scene: Delivery) -> None:
    await scene.begin("3d/move")
    await scene.prefer(scene.room.ana, reminders="none")
    await scene.pass_time(71 * HOUR)
    assert scene.sent_to(scene.room.ana) == []
    assert await scene.states("reminder") == ["void", "void"]


@pytest.mark.parametrize("policy", ["loss", "claim"])
async def test_both_are_told_that_time_is_up(scene: Delivery, policy: str) -> None:
    await scene.begin("3d/move", policy)
    player = Greedy(patience=9)
    for _ in range(4):
        table = (await scene.room.present()).table
        await scene.move(
            await scene.room.present(), table.game.format(table.state, player.turn(table.game, table.state))
        )
    before = {who.user_id: len(scene.sent_to(who)) for who in (scene.room.ana, scene.room.ben)}
    await pass_time(scene.bot, scene.time, 73 * 3600)
    await scene.settle()
    kinds = ("time_lost", "time_won") if policy == "loss" else ("time_late", "time_claim")
    for who, kind in zip((scene.room.ana, scene.room.ben), kinds, strict=True):
        other = scene.room.ben if who is scene.room.ana else scene.room.ana
        start = EN(f"notification.{kind}", game="APB", opponent=other.mention, link="|").split("|")[0]
        found = [m for m in scene.sent_to(who)[before[who.user_id] :] if text(m).startswith(start)]
        assert len(found) == 1
