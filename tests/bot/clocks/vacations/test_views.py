"""Vacations by command and panel: shown before they are taken, seen by the opponents, ended early, called off."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from fakes.clock import Clock
from harness.bot import Room, private, told, verbs
from harness.discord import Seat, text

from bot.clocks.service import DeadlineService
from bot.clocks.vacations.service import VacationService
from bot.clocks.vacations.views import read_day
from bot.clocks.words import stamp
from bot.clocks.worker import DeadlineWorker
from bot.core.translations import language
from bot.players.service import PreferenceService
from engine.core.errors import RuleError
from engine.core.hours import DAY, HOUR
from engine.core.record import Kind

EN, ES = language("en"), language("es")
Json = dict[str, Any]


@pytest.fixture
def now(clock: Clock) -> Clock:
    return clock


async def panel(who: Seat) -> Json:
    await who.slash("abak vacation")
    return private(who)


async def taken(room: Room, who: Seat) -> list[tuple[int, int]]:
    assert room.bot is not None
    return [(v.since, v.until) for v in await room.bot.service(VacationService).of(who.user_id)]


async def test_the_panel_says_what_is_left_and_offers_what_may_be_taken(room: Room) -> None:
    shown = await panel(room.ana)
    assert text(shown).startswith(EN("vacation.title"))
    assert EN("vacation.left_here", n=28, budget=28) in text(shown)
    assert "42" not in text(shown)  # one number, the one that counts here
    assert EN("vacation.nothing") in text(shown)


async def test_a_vacation_from_now_is_taken_after_a_question(room: Room, clock: Clock) -> None:
    shown = await panel(room.ana)
    await room.ana.choose(EN("vacation.days", n=7), menu="m:vacation_from_now:", message=shown)
    since, until = stamp(clock.at, "f"), stamp(clock.at + 7 * DAY, "f")
    assert told(room.ana) == EN("vacation.sure", n=7, since=since, until=until)
    assert verbs(private(room.ana)) == ["vacation_back", "vacation_take"]
    assert await taken(room, room.ana) == []
    await room.ana.press("b:vacation_take:", room.ana.fresh(shown))
    assert told(room.ana).startswith(EN("vacation.taken"))
    assert EN("vacation.present", until=until) in told(room.ana)
    assert EN("vacation.left_here", n=21, budget=28) in told(room.ana)
    assert await taken(room, room.ana) == [(clock.at, clock.at + 7 * DAY)]


async def test_thinking_better_of_it_takes_none(room: Room) -> None:
    await room.ana.slash("abak vacation", days=3)
    await room.ana.press("b:vacation_back:", private(room.ana))
    assert EN("vacation.nothing") in told(room.ana)
    assert await taken(room, room.ana) == []


async def test_a_vacation_on_another_day_by_the_form(room: Room, clock: Clock) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_user(room.ana.user_id, "zone", "Europe/Madrid")
    shown = await panel(room.ana)
    opened = await room.ana.press("b:vacation_other:", shown)
    await room.ana.submit(opened, {"from": "2027-02-01", "days": "5"})
    await room.ana.press("b:vacation_take:", room.ana.fresh(shown))
    since = read_day("2027-02-01", ZoneInfo("Europe/Madrid"), clock.at)
    assert await taken(room, room.ana) == [(since, since + 5 * DAY)]
    announced = EN("vacation.announced", since=stamp(since, "f"), until=stamp(since + 5 * DAY, "f"))
    assert announced in told(room.ana)
    # and called off again
    await room.ana.press("b:vacation_end:", room.ana.fresh(shown))
    assert told(room.ana).startswith(EN("vacation.called_off"))
    assert await taken(room, room.ana) == []


@pytest.mark.parametrize(
    ("days", "day", "problem"),
    [
        ("5", "Christmas", EN("vacation.date", text="Christmas")),
        ("5", "2027-02-30", EN("vacation.date", text="2027-02-30")),
        ("", "2027-02-01", EN("vacation.length", least=1, most=28)),
        ("many", "", EN("vacation.length", least=1, most=28)),
    ],
)
async def test_a_form_that_makes_no_sense_says_why(room: Room, days: str, day: str, problem: str) -> None:
    opened = await room.ana.press("b:vacation_other:", await panel(room.ana))
    await room.ana.submit(opened, {"from": day, "days": days})
    assert told(room.ana) == problem


async def test_what_cannot_be_taken_is_refused_before_the_question(room: Room, clock: Clock) -> None:
    assert room.bot is not None
    since, until = clock.at + 30 * DAY, clock.at + 58 * DAY
    await room.bot.service(VacationService).take(room.ana.user_id, since, until)
    overlap = EN("vacation.overlap", since=stamp(since, "D"), until=stamp(until, "D"))
    for day, days, problem in (
        (day_of(since + 2 * DAY), 3, overlap),
        (day_of(since - 2 * DAY), 5, overlap),
        (day_of(until + 20 * DAY), 20, EN("vacation.budget", left=14, budget=42)),
        (day_of(clock.at + 400 * DAY), 3, EN("vacation.far")),
    ):
        await room.ana.slash("abak vacation", days=days, **{"from": day})
        assert (told(room.ana), verbs(private(room.ana))) == (problem, []), day
    assert await taken(room, room.ana) == [(since, until)]


def day_of(moment: int) -> str:
    return datetime.fromtimestamp(moment / 1000, UTC).date().isoformat()


async def test_it_is_said_in_whose_zone_a_day_begins(room: Room) -> None:
    assert room.bot is not None
    assert EN("vacation.utc") in text(await panel(room.ana))
    await room.ana.slash("abak vacation", days=3, **{"from": "2027-02-01"})
    assert EN("vacation.utc") in told(room.ana)
    await room.bot.service(PreferenceService).set_user(room.ana.user_id, "zone", "America/New_York")
    assert EN("vacation.midnight", city="New York") in text(await panel(room.ana))
    await room.ana.slash("abak vacation", days=3, **{"from": "2027-02-01"})
    assert EN("vacation.midnight", city="New York") in told(room.ana)
    await room.ana.slash("abak vacation", days=3)  # at once: no midnight matters
    assert "midnight" not in told(room.ana)


@pytest.mark.parametrize("time", ["3d/move", "none"])
async def test_an_announced_vacation_is_seen_until_it_ends_or_is_called_off(
    room: Room, clock: Clock, time: str
) -> None:
    assert room.bot is not None
    live = await room.begin("apb", time=time)
    away = room.to_move(live)
    since, until = clock.at + 20 * DAY, clock.at + 25 * DAY
    vacations = room.bot.service(VacationService)
    await vacations.take(away.user_id, since, until)
    await room.bot.service(DeadlineService).refresh(away.user_id)
    await room.shown()
    line = EN("off.their_vacation", player=away.mention, since=stamp(since, "D"), until=stamp(until, "D"))
    assert line in text(room.board)  # though it begins long after the deadline
    await away.press("b:vacation_end:", await panel(away))
    assert told(away).startswith(EN("vacation.called_off"))
    live = await room.shown()
    name = EN(f"seat.{live.table.game.seats[live.table.to_act or 0]}")
    assert EN("story.called_off", seat=name, since=stamp(since, "D")) in text(room.board)
    assert "🏖" not in text(room.board)


async def test_who_of_the_opponents_is_away_when(room: Room, clock: Clock) -> None:
    assert room.bot is not None
    services = room.bot.services
    await room.ana.press("b:vacation_others:", await panel(room.ana))
    assert told(room.ana) == "\n".join([EN("vacation.others"), EN("vacation.others_none")])
    await room.begin("apb", time="3d/move")
    since, until = clock.at + 9 * DAY, clock.at + 12 * DAY
    await services[VacationService].take(room.ben.user_id, since, until)
    await services[VacationService].take(room.ana.user_id, since, until)
    await services[PreferenceService].set_user(room.ben.user_id, "weekend", "sat_sun")
    await room.ana.press("b:vacation_others:", await panel(room.ana))
    lines = [
        EN("vacation.others"),
        EN("off.their_days", player=room.ben.mention, days=EN("off.days.sat_sun")),
        EN("off.their_vacation", player=room.ben.mention, since=stamp(since, "D"), until=stamp(until, "D")),
    ]
    assert told(room.ana) == "\n".join(lines)
    await room.ana.press("b:vacation_back:", room.ana.fresh(private(room.ana)))
    assert told(room.ana).startswith(EN("vacation.title"))


async def test_a_past_day_is_refused_by_its_name(room: Room) -> None:
    for day in ("2020-01-01", "1970-01-01", "1969-12-31"):
        await room.ana.slash("abak vacation", days=3, **{"from": day})
        assert told(room.ana) == EN("vacation.past")
        assert verbs(private(room.ana)) == []


async def test_a_day_that_has_passed_while_one_thought_is_refused(room: Room, clock: Clock) -> None:
    await room.ana.slash("abak vacation", days=3, **{"from": "2027-02-01"})
    asked = private(room.ana)
    clock.at += 100 * DAY
    await room.ana.press("b:vacation_take:", asked)
    assert told(room.ana) == EN("vacation.past")
    assert await taken(room, room.ana) == []


async def test_the_opponent_sees_it_in_the_game_and_its_clock_stands(room: Room, clock: Clock) -> None:
    assert room.bot is not None
    live = await room.begin("apb", time="3d/move")
    away = room.to_move(live)
    await away.slash("abak vacation", days=10)
    await away.press("b:vacation_take:", private(away))
    live = await room.shown()
    assert live.table.record.entries[-1].kind is Kind.AWAY
    assert live.table.deadline == 13 * DAY
    name = EN(f"side.{live.table.game.seats[live.table.to_act or 0]}")
    assert text(room.board).count(stamp(clock.at + 10 * DAY, "D")) == 1  # told once
    # coming back early
    shown = await panel(away)
    clock.at += HOUR
    await room.bot.service(DeadlineWorker).run_once()
    await away.press("b:vacation_end:", shown)
    assert told(away).startswith(EN("vacation.ended"))
    live = await room.shown()
    assert [entry.kind for entry in live.table.record.entries if entry.kind is not Kind.CREDIT][-2:] == [
        Kind.AWAY,
        Kind.AWAY,
    ]
    assert EN("story.back", seat=name) in text(room.board)


async def test_a_challenge_says_who_is_away(room: Room, clock: Clock) -> None:
    await room.ben.slash("abak vacation", days=4)
    await room.ben.press("b:vacation_take:", private(room.ben))
    message = await room.challenge("apb", time="3d/move")
    line = EN(
        "off.their_vacation",
        player=room.ben.mention,
        since=stamp(clock.at, "D"),
        until=stamp(clock.at + 4 * DAY, "D"),
    )
    assert line in text(message)


@pytest.mark.parametrize(
    ("days", "line"),
    [
        ("0", EN("vacation.off_here")),
        ("14", EN("vacation.left_here", n=14, budget=14)),
        ("42", EN("vacation.left", n=42, budget=42)),
    ],
)
async def test_the_panel_tells_what_counts_in_the_server(room: Room, days: str, line: str) -> None:
    assert room.bot is not None
    await room.bot.service(PreferenceService).set_server(room.server.world.guild_id, "vacation", days)
    shown = text(await panel(room.ana))
    assert line in shown
    assert [number for number in ("14", "28", "42") if number in shown] == ([days] if days != "0" else [])


@pytest.mark.parametrize("locale", ["en-US", "es-ES"])
@pytest.mark.parametrize(("days", "counted"), [("0", 0), ("14", 11), ("42", 14)])
async def test_who_takes_more_than_counts_here_is_told_before(
    room: Room, clock: Clock, locale: str, days: str, counted: int
) -> None:
    assert room.bot is not None
    room.speak(locale)
    await room.bot.service(VacationService).take(room.ana.user_id, clock.at, clock.at + 3 * DAY)
    clock.at += 3 * DAY
    await room.bot.service(PreferenceService).set_server(room.server.world.guild_id, "vacation", days)
    await room.ana.slash("abak vacation", days=14)
    line = room.say("vacation.counts_here", n=counted) if counted else room.say("vacation.off_here")
    assert (line in told(room.ana)) is (counted < 14)
    await room.ana.press("b:vacation_back:", private(room.ana))
    left = {"0": "vacation.off_here", "14": "vacation.left_here", "42": "vacation.left"}[days]
    assert room.say(left, n=int(days) - 3, budget=int(days)) in told(room.ana)


async def test_it_speaks_spanish(room: Room) -> None:
    room.server.world.users[room.ana.user_id]["locale"] = "es-ES"
    assert text(await panel(room.ana)).startswith(ES("vacation.title"))


@pytest.mark.parametrize("written", ["2027-02-01", "1.2.2027", "01/02/2027", " 1. 2. 2027 "])
def test_days_are_read(written: str) -> None:
    assert read_day(written, ZoneInfo("UTC"), 0) == 1_801_440_000_000


def test_today_is_now() -> None:
    assert read_day("2027-02-01", ZoneInfo("UTC"), 1_801_440_000_000 + HOUR) is None
    assert read_day(" ", ZoneInfo("UTC"), 5) is None


@pytest.mark.parametrize("written", ["tomorrow", "2027-13-01", "30.2.2027", "1.2.27"])
def test_what_is_no_day(written: str) -> None:
    with pytest.raises(RuleError):
        read_day(written, ZoneInfo("UTC"), 0)


def test_a_day_before_all_time_is_no_day() -> None:
    with pytest.raises(RuleError) as raised:
        read_day("0001-01-01", ZoneInfo("Asia/Tokyo"), 1_801_440_000_000)
    assert raised.value.key == "vacation.date"
