"""Without a clock, who is to move is warned twice, and both hear when the game can be claimed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.discord import text
from harness.hours import pass_time
from harness.scene import FIRST

from bot.clocks.service import DeadlineService
from bot.clocks.vacations.service import VacationService
from bot.core.translations import language
from bot.games.service import GameService
from engine.core.hours import DAY, HOUR
from engine.core.record import Kind

if TYPE_CHECKING:
    from harness.delivery import Delivery

EN = language("en")


async def days(scene: Delivery, count: float) -> None:
    await pass_time(scene.bot, scene.time, count * DAY / 1000)
    await scene.settle()


async def test_warnings_come_after_20_and_27_days_and_both_are_told_after_30(scene: Delivery) -> None:
    live = await scene.begin()
    ana, ben = scene.room.ana, scene.room.ben
    await days(scene, 20 - 1 / 24)
    assert scene.sent_to(ana) == []
    await days(scene, 1 / 24)
    (warning,) = scene.sent_to(ana)
    when = f"<t:{(live.started + 30 * DAY) // 1000}:R>"
    start = EN("notification.reminder_absent", game="APB", opponent=ben.mention, when=when, link="")
    assert text(warning).startswith(start)
    await days(scene, 7)
    assert len(scene.sent_to(ana)) == 2
    await days(scene, 3)
    late = await scene.room.shown()
    assert late.entries[-1].kind is Kind.TIMEOUT
    assert late.entries[-1].at == 30 * DAY
    *_, told = scene.sent_to(ana)
    assert text(told).startswith(EN("notification.absent_late", game="APB", opponent=ben.mention, link=""))
    (other,) = scene.sent_to(ben)
    assert text(other).startswith(EN("notification.absent_claim", game="APB", opponent=ana.mention, link=""))
    await days(scene, 5)
    assert (len(scene.sent_to(ana)), len(scene.sent_to(ben))) == (3, 1)


async def test_a_move_ends_the_warnings_and_starts_those_of_the_other(scene: Delivery) -> None:
    live = await scene.begin()
    await days(scene, 21)
    await scene.move(live, FIRST)
    await days(scene, 19)
    assert len(scene.sent_to(scene.room.ana)) == 1
    assert scene.sent_to(scene.room.ben) == []
    await days(scene, 1)
    assert len(scene.sent_to(scene.room.ben)) == 1


@pytest.mark.parametrize("announced", [0, 18, 22])
async def test_a_vacation_puts_off_the_warnings_whenever_it_is_announced(scene: Delivery, announced: int) -> None:
    await scene.begin()
    await days(scene, announced)
    told = len(scene.sent_to(scene.room.ana))
    begins = scene.time.at + DAY
    await scene.bot.service(VacationService).take(scene.room.ana.user_id, begins, begins + 7 * DAY)
    await scene.bot.service(DeadlineService).refresh(scene.room.ana.user_id)
    await days(scene, 20 - announced + 6.9 if announced < 20 else 27 - announced + 6.9)
    assert len(scene.sent_to(scene.room.ana)) == told
    await days(scene, 0.1)
    assert len(scene.sent_to(scene.room.ana)) == told + 1
    await days(scene, (10 if announced < 20 else 3) - HOUR / DAY)
    assert (await scene.room.present()).overdue is None
    await days(scene, HOUR / DAY)
    assert (await scene.room.present()).overdue is not None


async def test_who_wants_no_reminders_hears_only_of_the_claim(scene: Delivery) -> None:
    await scene.prefer(scene.room.ana, reminders="none")
    await scene.begin()
    await days(scene, 29)
    assert scene.sent_to(scene.room.ana) == []
    await days(scene, 1)
    assert len(scene.sent_to(scene.room.ana)) == 1


async def test_who_asks_to_go_on_is_told_to_the_other_and_the_end_of_the_pause_too(scene: Delivery) -> None:
    live = await scene.begin("3d/move")
    games, ana, ben = scene.bot.service(GameService), scene.room.ana, scene.room.ben
    await games.offer(live.id, ana.user_id, "pause")
    await games.answer(live.id, ben.user_id, accept=True)
    await scene.settle()
    before = len(scene.sent_to(ben))
    asked = await games.resume(live.id, ana.user_id)
    await scene.settle()
    (told,) = scene.sent_to(ben)[before:]
    assert asked.resuming is not None
    when = f"<t:{(asked.started + asked.resuming.at) // 1000}:R>"
    start = EN("notification.resume_asked", game="APB", opponent=ana.mention, when=when, link="")
    assert text(told).startswith(start)
    await days(scene, 1)
    assert not (await scene.room.present()).paused
    *_, ended = scene.sent_to(ben)
    assert text(ended).startswith(EN("notification.resumed", game="APB", opponent=ana.mention, link=""))


@pytest.mark.parametrize("agrees", ["mover", "other"])
async def test_who_is_to_move_is_pinged_at_the_end_of_a_pause_unless_they_ended_it(
    scene: Delivery, agrees: str
) -> None:
    live = await scene.begin("3d/move")
    games, (mover, other) = scene.bot.service(GameService), (scene.room.ana, scene.room.ben)
    await games.offer(live.id, mover.user_id, "pause")
    await games.answer(live.id, other.user_id, accept=True)
    first, second = (other, mover) if agrees == "mover" else (mover, other)
    await games.resume(live.id, first.user_id)
    await scene.settle()
    before = len(mover.pings)
    await games.resume(live.id, second.user_id)
    await scene.settle()
    assert len(mover.pings) == before + (agrees == "other")
