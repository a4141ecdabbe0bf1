"""Nobody is pinged in quiet hours; who is still awaited when they end is pinged then."""

from __future__ import annotations

from harness.delivery import HOUR, Delivery
from harness.discord import alt, components, text
from harness.scene import FIRST, SECOND

from bot.core.translations import language
from bot.games.service import GameService

EN = language("en")


async def test_in_quiet_hours_the_ping_waits_for_their_end(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="UTC")
    await scene.move(live, FIRST)
    assert len(scene.room.boards) == 2
    assert scene.pings_of(ben) == 0
    await scene.pass_time(2 * HOUR)
    assert scene.pings_of(ben) == 0
    await scene.pass_time(HOUR // 2)
    assert scene.pings_of(ben) == 1
    (message,) = scene.sent_to(ben)
    assert text(message).startswith(EN("notification.ping", game="APB", opponent=scene.room.ana.mention, link=""))
    assert len(alt(message)) == 1
    assert any(x.get("url", "").endswith(f"/{scene.room.board['id']}") for x in components(message))


async def test_who_moves_in_their_quiet_hours_is_not_pinged_after_them(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="UTC")
    await scene.move(live, FIRST)
    await scene.move(await scene.room.present(), SECOND)
    await scene.pass_time(24 * HOUR)
    assert scene.pings_of(ben) == 0
    assert await scene.states() == ["void"]


async def test_quiet_hours_are_those_of_the_players_zone(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="Asia/Tokyo")  # 21:00 there
    await scene.move(live, FIRST)
    assert scene.pings_of(ben) == 1


async def test_a_board_that_cannot_be_posted_in_quiet_hours_is_told_after_them(scene: Delivery) -> None:
    live, ben = await scene.begin(), scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="UTC")
    scene.shut()
    await scene.move(live, FIRST)
    assert scene.pings_of(ben) == 0
    await scene.pass_time(3 * HOUR)
    assert len(scene.sent_to(ben)) == 1
    await scene.open()
    assert scene.pings_of(ben) == 1


async def test_a_live_game_pings_in_quiet_hours_too(scene: Delivery) -> None:
    live, ben = await scene.begin("10m"), scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="UTC", pings="digest")
    await scene.move(live, FIRST)
    assert scene.pings_of(ben) == 1


async def test_a_game_that_ends_in_quiet_hours_is_told_after_them(scene: Delivery) -> None:
    live, ben = await scene.begin("1d/move"), scene.room.ben
    await scene.prefer(ben, quiet="11:00-14:30", zone="UTC")
    await scene.bot.service(GameService).adjudicate(live.id, "0", "decision")
    await scene.settle()
    assert (len(scene.sent_to(scene.room.ana)), len(scene.sent_to(ben))) == (1, 0)
    await scene.pass_time(3 * HOUR)
    assert len(scene.sent_to(ben)) == 1
