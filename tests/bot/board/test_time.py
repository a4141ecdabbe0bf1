"""Tests what the bot notes of time, as a channel sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from fakes.clock import Clock
from harness.bot import Room, told
from harness.discord import text
from harness.hours import pass_time

from bot.clocks import words as clock_words
from bot.clocks.service import DeadlineService
from bot.clocks.vacations.service import VacationService
from bot.clocks.words import stamp
from bot.core.translations import language
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.players.service import PreferenceService
from engine.core.offers import PAUSE

if TYPE_CHECKING:
    from harness.discord import Seat

    from bot.games.live import LiveGame

EN = language("en")
DAY = 86_400


@pytest.fixture
def now(clock: Clock) -> Clock:
    return clock


async def opened(room: Room, time: str = "1d/move", policy: str = "loss") -> LiveGame:
    """Opens a game of Abalone of Ana and Ben, by that clock."""
    assert room.bot is not None
    place = Place(room.server.world.guild_id, room.channel_id)
    players = (room.ana.user_id, room.ben.user_id)
    await room.bot.service(GameService).open(NewGame("abalone", {}, place, "en", time, policy), players)
    return await room.shown()


async def turns(room: Room, count: int) -> None:
    for _ in range(count):
        live = await room.present()
        game, state = live.table.game, live.table.state
        await room.type(live, game.format(state, [game.legal(state)[0]]))
        await room.shown()


async def test_who_lets_the_time_run_out_loses_and_both_are_shown(room: Room, clock: Clock) -> None:
    await opened(room)
    await turns(room, 4)
    assert room.bot is not None
    await pass_time(room.bot, clock, DAY - 1)
    assert (await room.present()).table.outcome is None
    await pass_time(room.bot, clock, 3)
    live = await room.shown()
    assert live.table.outcome is not None
    assert live.table.outcome.winner == 1
    assert f"{room.ben.mention} wins: {room.ana.mention} ran out of time." in text(room.board)
    boards = len(room.boards)
    await pass_time(room.bot, clock, DAY)
    assert len(room.boards) == boards


async def test_a_long_absence_is_given_back_in_the_same_message_and_pings_nobody(room: Room, clock: Clock) -> None:
    await opened(room)
    await turns(room, 2)
    assert room.bot is not None
    before, calls, story = room.board["id"], len(room.pings), text(room.board).splitlines()[1]
    deadline = (await room.present()).table.deadline
    await pass_time(room.bot, clock, 2 * DAY, away=True)
    live = await room.shown()
    assert live.table.outcome is None
    assert live.table.deadline == deadline + 2 * DAY * 1000
    assert room.board["id"] == before
    assert len(room.pings) == calls
    assert story in text(room.board)
    assert EN("story.credit", time="2 days") in text(room.board)
    await turns(room, 1)
    assert room.board["id"] != before


async def test_a_press_on_a_board_that_time_was_noted_on_still_counts(room: Room, clock: Clock) -> None:
    live = await opened(room)
    assert room.bot is not None
    stale = room.board
    await pass_time(room.bot, clock, DAY, away=True)
    await room.to_move(live).press("b:move:", stale)
    assert EN("table.stale") not in str(room.to_move(live).messages[-1])


@pytest.mark.parametrize(("time", "noted"), [("10m+5s", True), ("3d/move", False)])
async def test_a_short_absence_shows_at_once_in_a_live_game_alone(
    room: Room, clock: Clock, time: str, noted: bool
) -> None:
    live = await opened(room, time)
    assert room.bot is not None
    before = room.board["id"]
    await pass_time(room.bot, clock, 46, away=True)
    after = await room.shown()
    assert room.board["id"] == before
    assert (EN("story.credit", time="46 seconds") in text(room.board)) is noted
    assert (after.table.deadline != live.table.deadline) is noted


# --- why a deadline is later than the clock says ---------------------------------------------------------------------


@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
async def test_a_deadline_says_which_time_off_it_includes_and_how_long_a_vacation_lasts(
    room: Room, clock: Clock, locale: str
) -> None:
    room.speak(locale)
    assert room.bot is not None
    services, say = room.bot.services, room.say
    for key, value in (("rest", "22:00-08:00"), ("weekend", "sat_sun")):
        await services[PreferenceService].set_user(room.ana.user_id, key, value)
    message = await room.challenge("abalone", time="7d/move")
    await room.ben.press("b:accept_challenge:", message)
    live = await room.shown()

    def included(*kinds: str) -> str:
        """Returns what the present deadline says about time off of these kinds."""
        due = clock_words.due(live)
        assert due is not None
        line = say("time.until", relative=stamp(due, "R"), date=stamp(due, "f"))
        return say("time.included", line=line, off=say.listed(say(f"time.off.{kind}") for kind in kinds))

    assert included("rest", "days") in text(room.board)
    assert "UTC" not in text(room.board)
    since, until = clock.at + DAY * 1000, clock.at + 3 * DAY * 1000
    await services[VacationService].take(room.ana.user_id, since, until)
    await services[DeadlineService].refresh(room.ana.user_id)
    live = await room.shown()
    vacation = say("off.their_vacation", player=room.ana.mention, since=stamp(since, "D"), until=stamp(until, "D"))
    for shown in (text(room.board), await looked_at(room.ana), await looked_at(room.ben)):
        assert included("rest", "days", "vacation") in shown
        assert vacation in shown
    assert stamp(since, "f") not in text(room.board)  # a vacation is told once
    await turns(room, 1)
    live = await room.present()
    assert say("time.included", line="|", off="|").split("|")[1] not in text(room.board)  # Ben takes no time off
    assert vacation in text(room.board)  # but that Ana is away is told still
    await pass_time(room.bot, clock, 4 * DAY)
    assert vacation not in await looked_at(room.ana)  # it is over, though nobody has moved since
    await turns(room, 1)
    live = await room.present()
    assert included("rest", "days") in text(room.board)
    assert vacation not in text(room.board)


async def test_a_live_clock_heeds_no_time_off_and_tells_none(room: Room, clock: Clock) -> None:
    assert room.bot is not None
    await room.bot.service(VacationService).take(room.ana.user_id, clock.at, clock.at + 3 * DAY * 1000)
    await opened(room, "10m")
    assert room.ana.mention in text(room.board)
    assert "🏖" not in text(room.board)


async def looked_at(who: Seat) -> str:
    await who.slash("abak board")
    return told(who)


# --- on the picture's frame ------------------------------------------------------------------------------------------


async def test_the_frame_has_whole_days_soon_after_a_turn_began_and_no_sign_while_time_runs(
    room: Room, clock: Clock
) -> None:
    await opened(room, "3d/move")
    await turns(room, 2)
    await later(room, clock, 60)
    assert await framed(room, clock) == (("3 d", "3 d"), (False, False))
    await later(room, clock, 60 * 60)
    assert await framed(room, clock) == (("2 d 23 h", "3 d"), (False, False))


async def test_the_frame_marks_the_clock_that_a_vacation_stops_with_what_remains(room: Room, clock: Clock) -> None:
    await opened(room, "3d/move")
    await turns(room, 2)
    await later(room, clock, 60 * 60)
    assert room.bot is not None
    services = room.bot.services
    for who in (room.ben, room.ana):  # Ben's does not run
        await services[VacationService].take(who.user_id, clock.at, clock.at + 4 * DAY * 1000)
        await services[DeadlineService].refresh(who.user_id)
    await later(room, clock, 2 * DAY)
    assert await framed(room, clock) == (("2 d 23 h", "3 d"), (True, False))
    await later(room, clock, 3 * DAY)
    assert await framed(room, clock) == (("1 d 23 h", "3 d"), (False, False))


async def test_the_frame_marks_both_clocks_in_a_pause(room: Room, clock: Clock) -> None:
    live = await opened(room, "10m")
    await turns(room, 2)
    await later(room, clock, 60)
    assert room.bot is not None
    games = room.bot.service(GameService)
    await games.offer(live.id, room.ana.user_id, PAUSE)
    await games.answer(live.id, room.ben.user_id, accept=True)
    await later(room, clock, DAY)
    (first, second), stopped = await framed(room, clock)
    assert (first, stopped) == ("9:00", (True, True))
    assert second == "10:00"


async def later(room: Room, clock: Clock, seconds: float) -> None:
    assert room.bot is not None
    await pass_time(room.bot, clock, seconds)


async def framed(room: Room, clock: Clock) -> clock_words.Frame:
    live = await room.present()
    return clock_words.frame(live, EN, clock.at - live.table.record.header.started)
