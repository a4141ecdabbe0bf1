"""A panel of conditional moves that is older than the game's position, or whose cache is gone."""

from __future__ import annotations

import re

import pytest
from harness.bot import SPANISH, Room, private, told, wired
from harness.conditional import lay, open_panel, stored
from harness.discord import menus, options, text

from bot.core.translations import language
from bot.games.service import GameService
from bot.notifications.dispatcher import NotificationDispatcher
from engine.core.record import Kind

EN = language("en")
LOCALES = ["en-US", SPANISH]


async def test_the_line_is_left_and_an_old_panel_says_so(room: Room) -> None:
    live = await room.begin("abalone")
    await room.ben.slash("abak move conditional", condition="a1b2", reply="i5h5")
    panel = private(room.ben)
    await room.type(live, "a2b3")
    assert await stored(room) == []
    await room.shown()
    await room.ben.press("b:conditional_if:", panel)  # it is Ben's turn
    assert told(room.ben).startswith(EN("conditional.your_turn"))
    now = await room.present()
    await room.type(now, "i5h5")
    await room.shown()
    now = await room.present()
    await room.type(now, "a1b2")
    now = await room.present()
    await room.type(now, "i6h6")  # Ann is to act again
    await room.ben.press("b:conditional_if:", panel)
    assert EN("conditional.gone") in text(room.ben.fresh(panel))
    assert EN("conditional.about") in text(room.ben.fresh(panel))


async def test_a_choice_for_an_earlier_position_is_not_taken_for_another(room: Room) -> None:
    """The picker's numbers mean other steps once the game has moved on."""
    live = await room.begin("abalone")
    panel = await open_panel(room, room.ben)
    await room.ben.press("b:conditional_if:", panel)
    await room.type(live, "a1b2")
    await room.type(await room.present(), "i5h5")
    shown = room.ben.fresh(panel)
    if menus(shown):
        await room.ben.choose(options(shown)[0], message=panel)
    else:
        await room.ben.press(re.compile("b:conditional_if:.*~[0-9]+~.*"), panel)
    assert EN("conditional.moved_on") in text(room.ben.fresh(panel))
    assert await stored(room) == []


async def test_an_old_panel_goes_on_where_its_conditional_move_still_stands(room: Room) -> None:
    live = await room.begin("abalone")
    panel = await open_panel(room, room.ben)
    state = await lay(room, room.ben, panel, live.table.state, "abalone", "a1b2", "i5h5")
    await lay(room, room.ben, panel, state, "abalone", "a2b3", "i6h6")
    await room.type(live, "a1b2")
    now = await room.shown()
    assert now.table.record.entries[-1].kind is Kind.CONDITIONAL
    await room.ben.press("b:conditional_if:", panel)  # after a2b3, i6h6, which still may come
    assert EN("conditional.pick_condition") in text(room.ben.fresh(panel))
    assert "2. " not in text(room.ben.fresh(panel))
    assert EN("conditional.if", condition="a2b3", reply="i6h6") in text(room.ben.fresh(panel))


async def test_an_old_panel_shows_the_present_position_and_deletes_no_newer_moves(room: Room) -> None:
    live = await room.begin("abalone")
    await room.ben.slash("abak move conditional", condition="a1b2", reply="i5h5")
    panel = private(room.ben)
    await room.ben.press(EN("button.conditional_clear"), panel)
    await room.type(live, "a1b2")
    assert (await room.shown()).to_act == live.to_act  # the conditional move has been played
    await room.ben.slash("abak move conditional", condition="a2b3", reply="h5g5")
    newer = await stored(room)
    assert [move.condition for move in newer] == ["a2b3"]
    await room.ben.press(EN("button.conditional_clear_confirm"), panel)
    assert EN("conditional.moved_on") in text(room.ben.fresh(panel))
    assert "a2b3" in str(options(room.ben.fresh(panel)))
    assert await stored(room) == newer


async def test_a_panel_outlives_a_restart_of_nothing_in_memory(room: Room) -> None:
    """Whatever a panel needs is in its buttons: another game's cache or none makes no difference."""
    live = await room.begin("abalone")
    await room.ben.slash("abak move conditional", condition="a1b2", reply="i5h5")
    panel = private(room.ben)
    assert room.bot is not None
    room.bot.service(GameService)._live_games._cache.clear()
    await room.ben.press("b:conditional_if:", panel)
    assert EN("conditional.pick_condition") in text(room.ben.fresh(panel))
    assert all(len(x["custom_id"]) <= 100 for x in wired(room.ben.fresh(panel)))
    assert live.id in wired(room.ben.fresh(panel))[0]["custom_id"]


@pytest.mark.parametrize("locale", LOCALES)
async def test_the_player_is_told_once_and_in_private_that_the_line_was_left(room: Room, locale: str) -> None:
    room.speak(locale)
    assert room.bot is not None
    live = await room.begin("abalone")
    await room.ben.slash("abak move conditional", condition="a1b2", reply="i5h5")
    await room.type(live, "a2b3")
    now = await room.shown()
    await room.bot.service(NotificationDispatcher).turn()
    said = room.say("notification.conditional_other", game="Abalone", opponent=room.ana.mention, link="").strip()
    told_of = [text(m) for m in room.ben.direct().messages if said in text(m)]
    assert len(told_of) == 1
    assert f"/{room.channel_id}/" in told_of[0]
    assert not any(said in text(m) for m in (*room.ana.messages, *room.ben.messages))
    await room.type(now, "i5h5")
    await room.bot.service(NotificationDispatcher).turn()
    assert [said in text(m) for m in room.ben.direct().messages].count(True) == 1
