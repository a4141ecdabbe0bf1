"""Everybody hears once that it is their turn: by the board, or directly where it cannot be posted."""

from __future__ import annotations

import pytest
from harness.bot import told, wired
from harness.delivery import HOUR, Delivery, nothing
from harness.discord import alt, text
from harness.scene import FIRST, SECOND

from bot.board.message import link
from bot.clocks.service import DeadlineService
from bot.clocks.vacations.service import VacationService
from bot.core.translations import language
from bot.games.service import GameService
from bot.notifications.service import NotificationService
from bot.sandbox.state import permissions as p
from engine.core.record import Kind

EN, ES = language("en"), language("es")


async def test_a_board_that_is_posted_pings_once_and_nothing_else_does(scene: Delivery) -> None:
    live = await scene.begin()
    await scene.move(live, FIRST)
    assert scene.pings_of(scene.room.ben) == 1
    assert await scene.outbox() == []


@pytest.mark.parametrize("chosen", ["auto", "es"])
async def test_who_cannot_be_pinged_by_the_board_gets_it_directly(scene: Delivery, chosen: str) -> None:
    live = await scene.begin()
    ben = scene.room.ben
    await scene.prefer(ben, language=chosen)
    scene.shut()
    await scene.move(live, FIRST)
    (message,) = scene.sent_to(ben)
    say = ES if chosen == "es" else EN
    assert text(message).startswith(say("notification.turn", game="APB", opponent="|", link="").split("|")[0])
    assert f"https://discord.com/channels/{scene.world.guild_id}/{scene.room.channel_id}" in text(message)
    assert len(alt(message)) == 1
    assert [row.via for row in await scene.outbox("turn")] == ["dm"]
    (name,) = [x["custom_id"] for x in wired(message) if x["custom_id"].startswith("b:waiting:")]
    assert name == f"b:waiting:{(await scene.outbox())[0].id}:0:"


async def test_a_turn_can_be_played_from_the_direct_message(scene: Delivery) -> None:
    live = await scene.begin()
    scene.shut()
    await scene.move(live, FIRST)
    (message,) = scene.sent_to(scene.room.ben)
    direct = scene.room.ben.direct()
    await direct.press("b:move:", message)
    assert EN("picker.what") in told(direct)
    await direct.press("b:waiting:", message)
    assert EN("games.some", n=1) in told(direct)


async def test_an_offer_is_answered_from_the_direct_message(scene: Delivery) -> None:
    live = await scene.begin()
    assert live.to_act == scene.room.ana.user_id
    scene.shut()
    await scene.bot.service(GameService).offer(live.id, scene.room.ana.user_id, "draw")
    await scene.settle()
    (message,) = scene.sent_to(scene.room.ben)
    assert text(message).startswith(f"{scene.room.ana.mention} offers you a draw in APB.")
    assert [x["custom_id"].split(":")[1] for x in wired(message)] == ["accept", "decline", "waiting"]
    await scene.room.ben.direct().press("b:decline:", message)
    after = await scene.bot.service(GameService).get(live.id)
    assert after.table.offer is None
    assert told(scene.room.ben.direct()) == EN("offer.answered", link=link(after))  # the board is elsewhere


async def test_the_board_that_comes_later_pings_nobody_twice(scene: Delivery) -> None:
    live = await scene.begin()
    scene.shut()
    await scene.move(live, FIRST)
    assert scene.pings_of(scene.room.ben) == 1
    await scene.open()
    assert scene.pings_of(scene.room.ben) == 1
    await scene.move(await scene.room.present(), SECOND)
    assert scene.pings_of(scene.room.ana) == 1


async def test_a_board_that_comes_before_the_notice_takes_its_place(
    scene: Delivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = await scene.begin()
    scene.shut()
    monkeypatch.setattr(scene.bot.service(NotificationService).store, "lease", nothing)
    await scene.move(live, FIRST)
    assert await scene.states() == ["pending"]
    await scene.open()
    monkeypatch.undo()
    await scene.settle()
    assert await scene.states() == ["void"]
    assert scene.pings_of(scene.room.ben) == 1


async def test_who_has_moved_meanwhile_is_not_told(scene: Delivery, monkeypatch: pytest.MonkeyPatch) -> None:
    live = await scene.begin()
    scene.shut()
    with monkeypatch.context() as patched:
        patched.setattr(scene.bot.service(NotificationService).store, "lease", nothing)
        await scene.move(live, FIRST)
        await scene.move(await scene.room.present(), SECOND)
    await scene.settle()
    assert scene.sent_to(scene.room.ben) == []
    assert len(scene.sent_to(scene.room.ana)) == 1
    assert sorted(await scene.states("turn")) == ["sent", "void"]


async def test_who_was_pinged_by_a_board_is_not_told_when_a_note_of_time_cannot_be_shown_on_it(scene: Delivery) -> None:
    live, ben = await scene.begin("3d/move"), scene.room.ben
    await scene.move(live, FIRST)
    assert scene.pings_of(ben) == 1
    scene.world.deny(scene.room.channel_id, p.VIEW_CHANNEL)
    services = scene.bot.services
    await services[VacationService].take(ben.user_id, scene.time(), scene.time() + 72 * HOUR)
    await services[DeadlineService].refresh(ben.user_id)
    await scene.settle()
    now = await scene.room.present()
    assert now.table.record.entries[-1].kind is Kind.AWAY
    assert now.shown_seq < now.seq
    assert await scene.states("turn") == []
    assert scene.pings_of(ben) == 1
