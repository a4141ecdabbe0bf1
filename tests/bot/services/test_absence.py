"""Rest, days off, vacations and outages get into the records of the games: once, and as far as they count there."""

import asyncio
from datetime import UTC, datetime

import pytest
from fakes.clock import START, Clock
from fakes.process import Process

from bot.services.absence import BUDGET_DAYS, LONGEST_DAYS
from bot.services.pulse import BEAT_MS
from bot.services.tables import Place, Seated
from bot.store.db import Database
from engine.core.clock import LAG
from engine.core.errors import Refused
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import Entry, Kind
from engine.core.table import Table

ANN, BOB = 11, 22
HERE = Place(1, 5)
NOTED = {Kind.HOURS, Kind.AWAY, Kind.CREDIT}
MIDNIGHT = START - START % DAY + DAY
"""The first after START, in UTC."""


def noted(seated: Seated) -> list[str]:
    return [str(entry) for entry in seated.table.record.entries if entry.kind in NOTED]


def deadline(seated: Seated) -> int:
    """In ms since 1970."""
    assert seated.table.deadline is not None
    return seated.table.record.header.started + seated.table.deadline


async def refused(call: object, key: str) -> dict[str, object]:
    with pytest.raises(Refused) as caught:
        await call  # type: ignore[misc]
    assert caught.value.key == key
    return caught.value.params


# --- rest and days off -------------------------------------------------------------------------------------------


async def test_a_game_begins_with_the_players_hours(process: Process) -> None:
    await process.preferences.set_user(ANN, "rest", "22:00-06:00")
    await process.preferences.set_user(ANN, "zone", "Europe/Madrid")
    await process.preferences.set_user(BOB, "weekend", "fri_sat")
    seated = await process.nim("1d/move", (ANN, BOB), HERE)
    first, second = noted(seated)
    assert first.startswith("0 hours 0 1320-360 - 60 ")
    assert second == "0 hours 1 - 4,5 0"
    assert deadline(seated) > START + DAY


async def test_hours_are_noted_once(process: Process) -> None:
    await process.preferences.set_user(ANN, "rest", "22:00-06:00")
    await process.preferences.set_user(ANN, "zone", "America/New_York")
    seated = await process.nim("1d/move", (ANN, BOB), HERE, played=3)
    for _ in range(3):
        await process.live(MINUTE)
        seated = await process.tables.tick(seated.id)
    assert len(noted(seated)) == 1
    assert (await Process(process.tables.ledger.database, process.clock).tables.tick(seated.id)).seq == seated.seq


async def test_no_hours_and_no_clock_are_not_noted(process: Process) -> None:
    await process.preferences.set_user(ANN, "rest", "22:00-06:00")
    assert noted(await process.nim("", (ANN, BOB), HERE)) == []
    assert noted(await process.nim("1d/move", (BOB, 33), Place(1, 6))) == []


async def test_a_live_game_knows_no_time_off_until_it_is_adjourned(process: Process) -> None:
    await process.preferences.set_user(ANN, "rest", "22:00-06:00")
    await process.vacations.take(BOB, process.clock.at, process.clock.at + 2 * DAY)
    seated = await process.nim("23h", (ANN, BOB), HERE)
    assert noted(seated) == []
    await process.tables.offer(seated.id, ANN, "adjourn 1d/move")
    await process.tables.answer(seated.id, BOB, accept=True)
    await process.live(MINUTE)
    seated = await process.tables.tick(seated.id)
    assert noted(seated) == ["0 hours 0 1320-360 - 0", f"0 away 1 0 {2 * DAY}"]
    rest = (MIDNIGHT - START - 2 * HOUR) % DAY
    assert deadline(seated) == START + DAY + (8 * HOUR if rest < DAY else 0)
    await process.tables.play(seated.id, ANN, None, "1")
    await process.tables.offer(seated.id, ANN, "adjourn 10m")
    seated = await process.tables.answer(seated.id, BOB, accept=True)
    assert deadline(seated) == process.clock.at + 10 * MINUTE  # whatever is known
    await process.live(MINUTE)
    assert noted(await process.tables.tick(seated.id))[2:] == []
    await process.preferences.set_user(BOB, "weekend", "sat_sun")
    await process.tables.offer(seated.id, ANN, "adjourn 2d/move")
    await process.live(MINUTE)
    seated = await process.tables.answer(seated.id, BOB, accept=True)
    assert noted(seated)[2:] == [f"{3 * MINUTE} hours 1 - 5,6 0"]  # before it began
    assert seated.table.clock is not None
    assert seated.table.clock.turn is not None
    assert seated.table.clock.turn.hours.weekend == (5, 6)
    assert deadline(seated) >= START + 4 * DAY


async def test_a_change_counts_from_the_next_turn_on(process: Process) -> None:
    seated = await process.nim("1d/move", (ANN, BOB), HERE)
    assert deadline(seated) == START + DAY
    await process.live(MIDNIGHT - START)
    await process.preferences.set_user(ANN, "rest", "00:00-12:00")
    seated = await process.tables.tick(seated.id)
    assert deadline(seated) == START + DAY  # nobody gains time for the turn that runs
    await process.tables.play(seated.id, ANN, None, "1")
    await process.live(HOUR)
    seated = await process.tables.play(seated.id, BOB, None, "1")
    assert deadline(seated) == MIDNIGHT + 2 * DAY  # two afternoons
    await process.preferences.set_user(ANN, "rest", "")
    seated = await process.tables.tick(seated.id)
    assert noted(seated)[-1].endswith("hours 0 -")


async def test_an_offset_that_changes_counts(process: Process) -> None:
    summer = int(datetime(2027, 3, 27, 12, tzinfo=UTC).timestamp()) * 1000
    process.clock.at = summer
    await process.preferences.set_user(ANN, "zone", "Europe/Madrid")
    await process.preferences.set_user(ANN, "rest", "00:00-08:00")
    seated = await process.nim("1d/move", (ANN, BOB), HERE)
    # rest from 23:00 UTC on 27 March to 06:00 UTC: an hour is lost, as on the wall
    assert deadline(seated) == summer + DAY + 7 * HOUR


# --- vacations ---------------------------------------------------------------------------------------------------


async def test_a_vacation_stops_the_clock(process: Process) -> None:
    seated = await process.nim("2d/move", (ANN, BOB), HERE)
    await process.vacations.take(ANN, START + DAY, START + 6 * DAY)
    seated = await process.tables.tick(seated.id)
    assert noted(seated) == [f"0 away 0 {DAY} {6 * DAY}"]
    assert deadline(seated) == START + 7 * DAY
    assert (await process.tables.tick(seated.id)).seq == seated.seq


async def test_a_game_that_begins_in_a_vacation_knows_of_it(process: Process) -> None:
    await process.vacations.take(BOB, START, START + 5 * DAY)
    process.clock.at += DAY
    seated = await process.nim("2d/move", (ANN, BOB), HERE)
    assert noted(seated) == [f"0 away 1 0 {4 * DAY}"]


async def test_who_comes_back_early_has_the_clock_running_again(process: Process) -> None:
    seated = await process.nim("2d/move", (ANN, BOB), HERE)
    await process.vacations.take(ANN, START, START + 6 * DAY)
    (vacation,) = await process.vacations.of(ANN)
    await process.tables.tick(seated.id)
    await process.live(3 * DAY)
    await process.vacations.end(ANN, vacation.id)
    seated = await process.tables.tick(seated.id)
    assert [line for line in noted(seated) if "away" in line][-1] == f"{3 * DAY} away 0 0 {3 * DAY}"
    assert await process.vacations.of(ANN) == []


@pytest.mark.parametrize("noticed", [DAY, 3 * DAY])
async def test_what_is_called_off_before_it_begins_was_never_there(process: Process, noticed: int) -> None:
    seated = await process.nim("20d/move", (ANN, BOB), HERE)
    await process.vacations.take(ANN, START + 2 * DAY, START + 6 * DAY)
    (vacation,) = await process.vacations.of(ANN)
    await process.tables.tick(seated.id)
    await process.vacations.end(ANN, vacation.id)
    await process.live(noticed)  # even if the game hears of it only when it would have begun
    seated = await process.tables.tick(seated.id)
    assert noted(seated)[-1] == f"{noticed} away 0 {2 * DAY} {2 * DAY}"
    assert deadline(seated) == START + 20 * DAY


async def test_a_vacation_that_begins_this_very_moment_is_called_off(process: Process) -> None:
    await process.vacations.take(ANN, START, START + 6 * DAY)
    (vacation,) = await process.vacations.of(ANN)
    await process.vacations.end(ANN, vacation.id)
    assert await process.vacations.of(ANN) == []
    assert await process.vacations.left(ANN) == BUDGET_DAYS * DAY


async def test_nobody_ends_what_is_not_theirs(process: Process) -> None:
    await process.vacations.take(ANN, START, START + 6 * DAY)
    (vacation,) = await process.vacations.of(ANN)
    await refused(process.vacations.end(BOB, vacation.id), "vacation.none")
    await process.vacations.end(ANN, vacation.id)
    await refused(process.vacations.end(ANN, vacation.id), "vacation.none")


@pytest.mark.parametrize(
    ("since", "until", "key"),
    [
        (-2 * MINUTE, 3 * DAY, "vacation.past"),
        (0, DAY - 1, "vacation.length"),
        (0, (LONGEST_DAYS + 1) * DAY, "vacation.length"),
        (366 * DAY, 370 * DAY, "vacation.far"),
        (3 * DAY, 8 * DAY, "vacation.overlap"),
        (9 * DAY, 13 * DAY, "vacation.overlap"),
    ],
)
async def test_what_is_no_vacation(process: Process, since: int, until: int, key: str) -> None:
    await process.vacations.take(ANN, START + 5 * DAY, START + 10 * DAY)
    await refused(process.vacations.take(ANN, START + since, START + until), key)
    assert len(await process.vacations.of(ANN)) == 1


async def test_two_clicks_take_one_vacation(database_url: str, clock: Clock) -> None:
    databases = [Database(database_url) for _ in range(2)]
    clicks = [Process(database, clock).vacations.take(ANN, START, START + 5 * DAY) for database in databases]
    taken = await asyncio.gather(*clicks, return_exceptions=True)
    assert sorted(str(getattr(one, "key", one)) for one in taken) == ["None", "vacation.overlap"]
    assert len(await Process(databases[0], clock).vacations.of(ANN)) == 1
    for database in databases:
        await database.close()


async def test_the_budget_is_that_of_any_year(process: Process) -> None:
    vacations = process.vacations
    await vacations.take(ANN, START, START + 28 * DAY)
    assert await vacations.left(ANN) == 14 * DAY
    params = await refused(vacations.take(ANN, START + 40 * DAY, START + 55 * DAY), "vacation.budget")
    assert params == {"left": 14, "budget": BUDGET_DAYS}
    await vacations.take(ANN, START + 40 * DAY, START + 54 * DAY)
    assert await vacations.left(ANN) == 0
    # what lies a year back counts no more
    process.clock.at += 300 * DAY
    await refused(vacations.take(ANN, START + 364 * DAY, START + 370 * DAY), "vacation.budget")
    await vacations.take(ANN, START + 393 * DAY, START + 393 * DAY + 28 * DAY)
    # nor does a past and an announced one together, where no year holds both
    assert await vacations.left(ANN) == 0
    assert await vacations.left(BOB) == BUDGET_DAYS * DAY


async def test_who_comes_back_early_keeps_the_rest_of_the_budget(process: Process) -> None:
    await process.vacations.take(ANN, START, START + 28 * DAY)
    process.clock.at += 8 * DAY
    (vacation,) = await process.vacations.of(ANN)
    await process.vacations.end(ANN, vacation.id)
    assert await process.vacations.left(ANN) == (BUDGET_DAYS - 8) * DAY


async def test_a_vacation_that_has_begun_takes_a_day_in_any_case(process: Process) -> None:
    """Nobody switches it on and off to rest whenever time runs short."""
    for number in range(1, BUDGET_DAYS + 1):
        await process.vacations.take(ANN, process.clock.at, process.clock.at + DAY)
        (vacation,) = await process.vacations.of(ANN)
        process.clock.at += MINUTE
        await process.vacations.end(ANN, vacation.id)
        assert await process.vacations.left(ANN) == (BUDGET_DAYS - number) * DAY
    now = process.clock.at
    params = await refused(process.vacations.take(ANN, now, now + DAY), "vacation.budget")
    assert params["left"] == 0
    # a day is a day until the year after it is over
    process.clock.at = START + 365 * DAY + HOUR
    assert 0 < await process.vacations.left(ANN) < 2 * BUDGET_DAYS * HOUR
    process.clock.at = START + 366 * DAY + HOUR
    assert await process.vacations.left(ANN) == BUDGET_DAYS * DAY


async def test_a_server_reckons_a_day_for_what_was_ended_at_once(process: Process) -> None:
    await process.preferences.set_server(1, "vacation", "14")
    seated = await process.nim("29d/move", (ANN, BOB), HERE)
    for _ in range(4):
        await process.vacations.take(ANN, process.clock.at, process.clock.at + 2 * DAY)
        (vacation,) = await process.vacations.of(ANN)
        process.clock.at += MINUTE
        await process.vacations.end(ANN, vacation.id)
    now = process.clock.at
    await process.vacations.take(ANN, now, now + 28 * DAY)
    seated = await process.tables.tick(seated.id)
    held = now - START + 10 * DAY
    assert noted(seated)[-2].endswith(f"away 0 {now - START} {held}")
    assert await process.vacations.held(ANN, 14) == [(now, START + held)]


# --- a server's limits -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("allowed", "held"), [("0", 0), ("14", 14), ("28", 20)])
async def test_a_server_allows_so_many_days_in_a_year(process: Process, allowed: str, held: int) -> None:
    await process.preferences.set_server(1, "vacation", allowed)
    here, elsewhere = Place(1, 5), Place(None, 6)
    await process.vacations.take(ANN, START, START + 20 * DAY)
    games = [await process.nim("2d/move", (ANN, BOB), place) for place in (here, elsewhere)]
    assert [deadline(seated) - START for seated in games] == [(held + 2) * DAY, 22 * DAY]


async def test_a_second_vacation_gets_what_the_first_has_left(process: Process) -> None:
    await process.preferences.set_server(1, "vacation", "14")
    await process.vacations.take(ANN, START, START + 10 * DAY)
    await process.vacations.take(ANN, START + 20 * DAY, START + 30 * DAY)
    seated = await process.nim("29d/move", (ANN, BOB), HERE)
    assert noted(seated) == [f"0 away 0 0 {10 * DAY}", f"0 away 0 {20 * DAY} {24 * DAY}"]
    # what was taken before the game began counts, too
    process.clock.at += 15 * DAY
    other = await process.nim("29d/move", (ANN, BOB), Place(1, 6))
    assert noted(other) == [f"0 away 0 {5 * DAY} {9 * DAY}"]


async def test_a_limit_that_is_lowered_takes_no_time_that_has_passed(process: Process) -> None:
    seated = await process.nim("2d/move", (ANN, BOB), HERE)
    await process.vacations.take(ANN, START, START + 20 * DAY)
    await process.tables.tick(seated.id)
    await process.live(5 * DAY)
    seated = await process.tables.tick(seated.id)
    before = [line for line in noted(seated) if "away" in line]
    await process.preferences.set_server(1, "vacation", "0")
    seated = await process.tables.tick(seated.id)
    away = [line for line in noted(seated) if "away" in line]
    assert away == [*before, f"{5 * DAY} away 0 0 {5 * DAY}"]
    assert seated.table.outcome is None
    process.clock.at += 1000
    assert (await process.tables.tick(seated.id)).seq == seated.seq


# --- without a clock -----------------------------------------------------------------------------------------------


async def test_who_is_on_vacation_stays_away_from_no_game_without_a_clock(process: Process) -> None:
    seated = await process.nim("", (ANN, BOB), HERE, played=4)
    await process.live(10 * DAY)
    await process.vacations.take(ANN, process.clock.at, process.clock.at + 10 * DAY)
    await process.live(20 * DAY - 1)
    assert noted(await process.tables.tick(seated.id)) == []  # nothing to claim yet
    await process.live(1)
    await refused(process.tables.claim(seated.id, BOB, "win"), "table.no_claim")
    seated = await process.tables.tick(seated.id)
    assert noted(seated) == [f"{30 * DAY} away 0 {10 * DAY} {20 * DAY}"]
    assert (await process.tables.tick(seated.id)).seq == seated.seq
    await process.live(10 * DAY - 1)
    await refused(process.tables.claim(seated.id, BOB, "win"), "table.no_claim")
    await process.live(1)
    over = await process.tables.claim(seated.id, BOB, "win")
    assert over.table.outcome is not None
    assert over.table.outcome.reason == "end.abandoned"


async def test_nobody_stays_away_while_the_bot_does(process: Process) -> None:
    await process.deadlines.turn([0])
    seated = await process.nim("", (ANN, BOB), HERE, played=4)
    process.clock.at += 3 * DAY
    await process.deadlines.turn([0])
    await process.live(27 * DAY)
    await refused(process.tables.claim(seated.id, BOB, "win"), "table.no_claim")
    assert noted(await process.tables.tick(seated.id)) == [f"{30 * DAY} credit * 0 {3 * DAY}"]
    await process.live(3 * DAY)
    assert (await process.tables.claim(seated.id, BOB, "win")).table.outcome is not None


# --- outages -----------------------------------------------------------------------------------------------------


async def test_an_outage_is_given_back_once(process: Process) -> None:
    await process.deadlines.turn([0])
    seated = await process.nim("2d/move", (ANN, BOB), HERE)
    process.clock.at += HOUR
    seated = await process.tables.tick(seated.id)
    assert noted(seated) == [f"{HOUR} credit * 0 {HOUR}"]
    assert deadline(seated) == START + 2 * DAY + HOUR
    process.clock.at += BEAT_MS
    assert (await process.tables.tick(seated.id)).seq == seated.seq


async def test_only_the_games_of_that_lane_are_given_time(database: Database, nim: object, clock: Clock) -> None:
    del nim
    process = Process(database, clock, lanes=2)
    await process.deadlines.turn([0, 1])
    games = [await process.nim("2d/move", (ANN, BOB), Place(lane << 22, 5 + lane)) for lane in (0, 1)]
    await process.live(HOUR, lanes=[1])
    await process.deadlines.turn([0, 1])
    ticked = [await process.tables.tick(seated.id) for seated in games]
    assert [deadline(seated) - START for seated in ticked] == [2 * DAY + HOUR, 2 * DAY]


async def test_an_outage_that_is_noticed_by_a_move_costs_nobody_anything(process: Process) -> None:
    await process.deadlines.turn([0])
    seated = await process.nim("10m", (ANN, BOB), HERE, played=1)
    assert seated.to_act == BOB
    process.clock.at += HOUR  # far beyond Bob's time
    seated = await process.tables.play(seated.id, BOB, seated.seq, "1")
    assert seated.table.clock is not None
    assert seated.table.clock.banks == (10 * MINUTE, 10 * MINUTE)
    assert noted(seated) == [f"{HOUR} credit * 0 {HOUR}"]
    assert seated.table.record.entries[-1] == Entry(HOUR, Kind.PLAY, 1, "1")


async def test_an_outage_before_the_game_or_the_turn_is_none_of_its_business(process: Process) -> None:
    await process.deadlines.turn([0])
    process.clock.at += HOUR
    await process.deadlines.turn([0])
    seated = await process.nim("2d/move", (ANN, BOB), HERE, played=1)
    assert noted(await process.tables.tick(seated.id)) == []


async def test_a_time_out_right_before_an_outage_is_one(process: Process) -> None:
    seated = await process.nim("1m", (ANN, BOB), HERE, played=4)
    await process.live(MINUTE)
    process.clock.at += LAG - 1  # the last beat was before; the seat had until then
    assert (await process.tables.tick(seated.id)).table.outcome is None
    process.clock.at += DAY
    seated = await process.tables.tick(seated.id)
    assert [str(entry) for entry in seated.table.record.entries[-2:]] == [
        f"{DAY + MINUTE + LAG - 1} credit * {MINUTE} {DAY + MINUTE + LAG - 1}",
        f"{DAY + MINUTE + LAG - 1} timeout 0",
    ]


async def test_the_record_replays_with_all_of_it(process: Process) -> None:
    await process.preferences.set_user(BOB, "rest", "22:00-06:00")
    await process.vacations.take(ANN, START + HOUR, START + 3 * DAY)
    seated = await process.nim("2d/move", (ANN, BOB), HERE, played=2)
    process.clock.at += DAY
    await process.tables.play(seated.id, ANN, None, "1")
    (vacation,) = await process.vacations.of(ANN)
    await process.vacations.end(ANN, vacation.id)
    seated = await process.tables.tick(seated.id)
    kinds = [entry.kind for entry in seated.table.record.entries]
    assert {Kind.HOURS, Kind.AWAY, Kind.PLAY} <= set(kinds)
    assert Table.replay(seated.table.game, seated.table.record) == seated.table
