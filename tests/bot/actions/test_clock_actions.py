"""Pauses, other clocks and claims, by the buttons of a board and of More; time moves by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from fakes.clock import Clock
from harness.bot import Room, private, told, verbs
from harness.discord import Seat, buttons, menus, text
from harness.hours import pass_time

from bot.clocks import words as clock_words
from bot.clocks.vacations.service import VacationService
from bot.core.translations import language
from bot.players.service import PreferenceService
from engine.core.clock import LAG, SECOND
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import Kind
from engine.core.timekeeping import ABANDONED

if TYPE_CHECKING:
    from bot.games.live import LiveGame

EN, ES = language("en"), language("es")
GAME = "apb"


@pytest.fixture
def now(clock: Clock) -> Clock:
    return clock


async def more(room: Room, who: Seat) -> dict[str, Any]:
    await who.press("b:more:", room.board)
    return private(who)


async def later(room: Room, clock: Clock, milliseconds: int) -> None:
    assert room.bot is not None
    await pass_time(room.bot, clock, milliseconds / SECOND)


async def pause(room: Room) -> LiveGame:
    await room.ana.press("b:ask_pause:", await more(room, room.ana))
    assert told(room.ana) == EN("clock_action.pause_sure")
    assert verbs(private(room.ana)) == ["keep", "offer_time"]
    await room.ana.press("b:offer_time:", private(room.ana))
    assert told(room.ana).startswith(EN("clock_action.pause_offered"))
    await room.shown()
    assert verbs(room.board)[:2] == ["accept", "decline"]
    await room.ben.press("b:accept:", room.board)
    return await room.shown()


# --- pauses ----------------------------------------------------------------------------------------------------------


async def test_a_pause_by_agreement_stops_the_clock_until_it_is_resumed(room: Room, clock: Clock) -> None:
    await room.begin(GAME, time="10m")
    await later(room, clock, MINUTE)
    paused = await pause(room)
    assert paused.table.paused
    assert "resume" in verbs(room.board)
    await later(room, clock, 9 * DAY)
    assert (await room.present()).table.outcome is None
    for who in (room.ben, room.ana):
        await who.press("b:resume:", room.board)
        assert told(who) == EN("clock_action.resume_ask_sure", player=f"<@{paused.to_act}>")
        assert verbs(private(who)) == ["stay_paused", "resume_now"]
    await room.ana.press("b:stay_paused:", private(room.ana))
    assert told(room.ana) == EN("clock_action.resume_kept")
    await room.ben.press("b:resume_now:", private(room.ben))
    asked = await room.shown()
    assert asked.resuming is not None
    begins = clock_words.stamp(asked.started + asked.resuming.at, "R")
    assert told(room.ben) == EN("clock_action.resume_asked", relative=begins)
    assert EN("time.resuming", player=room.ben.mention, relative=begins) in text(room.board)
    await room.ben.press("b:resume:", room.board)
    assert told(room.ben) == EN("table.resume_asked")
    await room.ana.press("b:resume:", room.board)
    assert told(room.ana) == EN("clock_action.resume_sure", player=f"<@{paused.to_act}>")
    await room.ana.press("b:resume_now:", private(room.ana))
    assert told(room.ana) == EN("clock_action.resumed")
    running = await room.shown()
    assert not running.table.paused
    assert "resume" not in verbs(room.board)
    assert running.table.clock is not None
    assert running.table.clock.left(running.table.to_act or 0, clock_words.present(running)) == 9 * MINUTE


async def test_a_pause_ends_a_day_after_one_asks_also_after_a_move(room: Room, clock: Clock) -> None:
    live = await room.begin(GAME, time="3d/move")
    await pause(room)
    mover = room.to_move(live)
    await room.type(await room.present(), "e4-d5 e3-e4")
    moved = await room.shown()
    assert (moved.paused, moved.to_act == mover.user_id) == (True, False)
    await later(room, clock, 9 * DAY)
    await mover.press("b:resume:", room.board)
    await mover.press("b:resume_now:", private(mover))
    await later(room, clock, DAY - 1)
    assert (await room.present()).paused
    await later(room, clock, 1)
    running = await room.shown()
    assert not running.paused
    assert EN("story.resume_due") in text(room.board)
    assert running.table.deadline == running.entries[-1].at + 3 * DAY


async def test_time_is_given_from_more_once_a_press(room: Room) -> None:
    live = await room.begin(GAME, time="1d/move")
    mover, giver = room.to_move(live), room.other(live)
    menu = await more(room, giver)
    assert EN("button.give_time", time="1 day") in buttons(menu)
    await giver.press("b:give_time:", menu)
    given = await room.shown()
    assert told(giver) == EN("clock_action.time_given", time="1 day")
    assert live.table.deadline is not None
    assert given.table.deadline == live.table.deadline + DAY
    assert f"gives {EN('seat.' + live.game.seats[live.seats_of(mover.user_id)[0]])} 1 day" in text(room.board)
    await giver.press("b:give_time:", giver.fresh(menu))  # the answer has it again
    again = await room.shown()
    assert again.table.deadline == live.table.deadline + 2 * DAY


async def test_a_pause_may_be_declined_and_thought_better_of(room: Room) -> None:
    live = await room.begin(GAME, time="1d/move")
    await room.ana.press("b:ask_pause:", await more(room, room.ana))
    await room.ana.press("b:keep:", private(room.ana))
    assert await room.present() == live
    await room.ana.press("b:ask_pause:", await more(room, room.ana))
    await room.ana.press("b:offer_time:", private(room.ana))
    await room.shown()
    await room.ben.press("b:decline:", room.board)
    after = await room.shown()
    assert not after.table.paused
    assert after.table.offer is None


async def test_a_game_without_a_clock_has_nothing_to_pause(room: Room) -> None:
    await room.begin(GAME, time="none")
    assert not {"ask_pause", "ask_adjourn"} & set(verbs(await more(room, room.ana)))


async def test_who_looks_on_is_offered_nothing(room: Room) -> None:
    await room.begin(GAME, time="1d/move")
    assert {"ask_pause", "ask_adjourn"} <= set(verbs(await more(room, room.ben)))
    stranger = Seat.join(room.server.world, "Carla", room.channel_id)
    assert not {"ask_pause", "ask_adjourn"} & set(verbs(await more(room, stranger)))
    await pause(room)
    await stranger.press("b:resume:", room.board)
    assert told(stranger) == EN("table.not_a_player")


async def test_an_old_resume_button_says_that_the_game_is_not_paused(room: Room) -> None:
    await room.begin(GAME, time="1d/move")
    await pause(room)
    await room.ben.press("b:resume:", room.board)
    await room.ben.press("b:resume_now:", private(room.ben))
    await room.shown()
    await room.ana.press("b:resume:", room.board)
    first = private(room.ana)
    await room.ana.press("b:resume:", room.board)
    second = private(room.ana)
    for one in (first, second):
        await room.ana.press("b:resume_now:", one)
    assert EN("table.not_paused") in [m["content"] for m in room.ana.messages]


# --- another clock ---------------------------------------------------------------------------------------------------


async def test_a_live_game_goes_on_by_correspondence(room: Room, clock: Clock) -> None:
    await room.begin(GAME, time="10m+5s")
    await later(room, clock, 3 * MINUTE)
    await room.ana.press("b:ask_adjourn:", await more(room, room.ana))
    shown = private(room.ana)
    now, then = clock_words.control("10m+5s", EN), clock_words.control("3d/move", EN)
    assert text(shown) == EN("clock_action.adjourn_choose", now=now)
    offered = [option["value"] for option in menus(shown)[0]["options"]]
    assert "3d/move" in offered
    assert not {"", "10m+5s"} & set(offered)
    await room.ana.choose(then, menu="m:adjourn_to:", message=shown)
    assert told(room.ana) == EN("clock_action.adjourn_sure", now=now, then=then)
    assert verbs(private(room.ana)) == ["keep", "offer_time"]
    await room.ana.press("b:offer_time:", room.ana.fresh(shown))
    assert told(room.ana).startswith(EN("clock_action.adjourn_offered", then=then))
    await room.shown()
    assert then in text(room.board)
    await room.ben.press("b:accept:", room.board)
    live = await room.shown()
    assert live.table.clock is not None
    assert str(live.table.clock.spec) == "3d/move"
    assert live.table.deadline == clock_words.present(live) + 3 * DAY


async def test_the_servers_limit_holds_for_another_clock(room: Room) -> None:
    assert room.bot is not None
    await room.begin(GAME, time="10m")
    await room.bot.service(PreferenceService).set_server(room.server.world.guild_id, "longest", "1")
    await room.ana.press("b:ask_adjourn:", await more(room, room.ana))
    offered = [option["value"] for option in menus(private(room.ana))[0]["options"]]
    assert "1d/move" in offered
    assert "3d/move" not in offered


# --- claims ----------------------------------------------------------------------------------------------------------


async def overdue(room: Room, clock: Clock, turns: int = 4) -> LiveGame:
    """Begins a game whose actor has run out of time, so that the other may decide."""
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_server(room.server.world.guild_id, "timeout_policy", "claim")
    live = await room.begin("abalone", time="1d/move")
    for _ in range(turns):
        table = live.table
        await room.type(live, table.game.format(table.state, table.game.legal(table.state)[:1]))
        live = await room.shown()
    await later(room, clock, DAY + LAG)
    live = await room.shown()
    assert live.table.overdue == live.table.to_act
    assert {"claim_win", "claim_draw"} <= set(verbs(room.board))
    return live


@pytest.mark.parametrize("what", ["win", "draw"])
async def test_who_waits_may_end_the_game(room: Room, clock: Clock, what: str) -> None:
    live = await overdue(room, clock)
    waiting = room.other(live)
    await waiting.press(f"b:claim_{what}:", room.board)
    assert told(waiting) == EN(f"clock_action.claim_sure_{what}", n=1)
    assert verbs(private(waiting)) == ["wait_on", "claim"]
    assert (await room.present()).table.outcome is None
    await waiting.press("b:claim:", private(waiting))
    assert told(waiting) == EN("clock_action.claimed")
    over = await room.shown()
    assert over.table.outcome is not None
    assert over.table.outcome.winner == (1 - (live.table.to_act or 0) if what == "win" else None)
    assert verbs(room.board) == ["rematch", "replay", "flip"]


async def test_who_waits_may_go_on_waiting_and_the_other_play_on(room: Room, clock: Clock) -> None:
    live = await overdue(room, clock)
    waiting, late = room.other(live), room.to_move(live)
    await waiting.press("b:claim_win:", room.board)
    question = private(waiting)
    await waiting.press("b:wait_on:", question)
    assert told(waiting) == EN("clock_action.waiting")
    await waiting.press("b:claim_win:", room.board)
    question = private(waiting)
    table = live.table
    await late.slash("abak move play", notation=table.game.format(table.state, table.game.legal(table.state)[:1]))
    live = await room.shown()
    assert live.table.overdue is None
    assert "claim_win" not in verbs(room.board)
    await waiting.press("b:claim:", question)
    assert EN("table.stale") in [m["content"] for m in waiting.messages]
    assert (await room.present()).table.outcome is None


async def test_who_is_late_claims_nothing(room: Room, clock: Clock) -> None:
    live = await overdue(room, clock)
    late = room.to_move(live)
    await late.press("b:claim_win:", room.board)
    assert told(late) == EN("table.no_claim")
    stranger = Seat.join(room.server.world, "Carla", room.channel_id)
    await stranger.press("b:claim_draw:", room.board)
    assert told(stranger) == EN("table.not_a_player")


async def test_a_game_of_few_moves_is_said_to_be_aborted(room: Room, clock: Clock) -> None:
    live = await overdue(room, clock, turns=1)
    waiting = room.other(live)
    await waiting.press("b:claim_win:", room.board)
    assert told(waiting) == EN("clock_action.claim_sure_aborted")
    await waiting.press("b:claim:", private(waiting))
    over = await room.shown()
    assert over.table.outcome is not None
    assert over.table.outcome.reason == "end.aborted"


async def test_an_abandoned_game_is_claimed_from_more(room: Room, clock: Clock) -> None:
    live = await room.begin("abalone", time="none")
    for _ in range(4):
        table = live.table
        await room.type(live, table.game.format(table.state, table.game.legal(table.state)[:1]))
        live = await room.shown()
    waiting, late = room.other(live), room.to_move(live)
    await later(room, clock, ABANDONED - HOUR)
    assert "claim_win" not in verbs(await more(room, waiting))
    await later(room, clock, HOUR)
    assert "claim_win" not in verbs(await more(room, late))
    assert (await room.present()).overdue is not None
    assert {"claim_win", "claim_draw"} <= set(verbs(room.board))
    assert EN("time.absent", other=waiting.mention) in text(room.board)
    assert "has not moved for 30 days" in text(room.board)
    for command in ("abak next", "abak board"):
        await waiting.slash(command)
        assert {"claim_win", "claim_draw"} <= set(verbs(private(waiting)))
        await late.slash(command)
        assert "claim_win" not in verbs(private(late))
    await waiting.press("b:claim_win:", await more(room, waiting))
    await waiting.press("b:claim:", private(waiting))
    over = await room.shown()
    assert over.table.outcome is not None
    assert over.table.outcome.reason == "end.abandoned"
    assert over.table.record.entries[-1].kind is Kind.CLAIM


async def test_who_is_on_vacation_has_not_abandoned_a_game_whatever_more_knows(room: Room, clock: Clock) -> None:
    assert room.bot is not None
    live = await room.begin("abalone", time="none")
    waiting, late = room.other(live), room.to_move(live)
    await room.bot.service(VacationService).take(late.user_id, clock.at, clock.at + 7 * DAY)
    await later(room, clock, ABANDONED + HOUR)
    assert "claim_win" not in verbs(await more(room, waiting))
    await later(room, clock, 7 * DAY)
    assert "claim_win" in verbs(await more(room, waiting))


async def test_it_speaks_spanish(room: Room) -> None:
    await room.begin(GAME, time="1d/move")
    room.server.world.users[room.ana.user_id]["locale"] = "es-ES"
    await room.ana.press("b:ask_pause:", await more(room, room.ana))
    assert told(room.ana) == ES("clock_action.pause_sure")
