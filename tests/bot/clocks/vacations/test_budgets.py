"""Tests what a vacation is, and how much of it a player may take: in a year, and in a server's games."""

import asyncio

import pytest
from fakes.clock import START, Clock
from fakes.process import Process, deadline, noted, refused

from bot.clocks.vacations.service import BUDGET_DAYS, LONGEST_DAYS
from bot.core.storage.database import Database
from bot.games.stored import Place
from engine.core.hours import DAY, HOUR, MINUTE

ANN, BOB = 11, 22
HERE = Place(1, 5)


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


@pytest.mark.both_databases
async def test_two_clicks_take_one_vacation(database_url: str, clock: Clock) -> None:
    databases = [Database(database_url) for _ in range(2)]
    clicks = [Process(database, clock).vacations.take(ANN, START, START + 5 * DAY) for database in databases]
    taken = await asyncio.gather(*clicks, return_exceptions=True)
    assert sorted(str(getattr(one, "key", one)) for one in taken) == ["None", "vacation.overlap"]
    assert len(await Process(databases[0], clock).vacations.of(ANN)) == 1
    for database in databases:
        await database.close()


@pytest.mark.both_databases
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
    live = await process.nim("29d/move", (ANN, BOB), HERE)
    for _ in range(4):
        await process.vacations.take(ANN, process.clock.at, process.clock.at + 2 * DAY)
        (vacation,) = await process.vacations.of(ANN)
        process.clock.at += MINUTE
        await process.vacations.end(ANN, vacation.id)
    now = process.clock.at
    await process.vacations.take(ANN, now, now + 28 * DAY)
    live = await process.games.tick(live.id)
    held = now - START + 10 * DAY
    assert noted(live)[-2].endswith(f"away 0 {now - START} {held}")
    assert await process.vacations.counted_intervals(ANN, 14) == [(now, START + held)]


# --- a server's limits -----------------------------------------------------------------------------------------------


@pytest.mark.both_databases
@pytest.mark.parametrize(("allowed", "held"), [("0", 0), ("14", 14), ("28", 20)])
async def test_a_server_allows_so_many_days_in_a_year(process: Process, allowed: str, held: int) -> None:
    await process.preferences.set_server(1, "vacation", allowed)
    here, elsewhere = Place(1, 5), Place(None, 6)
    await process.vacations.take(ANN, START, START + 20 * DAY)
    games = [await process.nim("2d/move", (ANN, BOB), place) for place in (here, elsewhere)]
    assert [deadline(live) - START for live in games] == [(held + 2) * DAY, 22 * DAY]


async def test_a_second_vacation_gets_what_the_first_has_left(process: Process) -> None:
    await process.preferences.set_server(1, "vacation", "14")
    await process.vacations.take(ANN, START, START + 10 * DAY)
    await process.vacations.take(ANN, START + 20 * DAY, START + 30 * DAY)
    live = await process.nim("29d/move", (ANN, BOB), HERE)
    assert noted(live) == [f"0 away 0 0 {10 * DAY}", f"0 away 0 {20 * DAY} {24 * DAY}"]
    # what was taken before the game began counts, too
    process.clock.at += 15 * DAY
    other = await process.nim("29d/move", (ANN, BOB), Place(1, 6))
    assert noted(other) == [f"0 away 0 {5 * DAY} {9 * DAY}"]


async def test_a_limit_that_is_lowered_takes_no_time_that_has_passed(process: Process) -> None:
    live = await process.nim("2d/move", (ANN, BOB), HERE)
    await process.vacations.take(ANN, START, START + 20 * DAY)
    await process.games.tick(live.id)
    await process.live(5 * DAY)
    live = await process.games.tick(live.id)
    before = [line for line in noted(live) if "away" in line]
    await process.preferences.set_server(1, "vacation", "0")
    live = await process.games.tick(live.id)
    away = [line for line in noted(live) if "away" in line]
    assert away == [*before, f"{5 * DAY} away 0 0 {5 * DAY}"]
    assert live.table.outcome is None
    process.clock.at += 1000
    assert (await process.games.tick(live.id)).seq == live.seq


async def test_what_is_left_where_less_counts(process: Process) -> None:
    vacations = process.vacations
    assert await vacations.left(ANN, 14) == 14 * DAY
    assert await vacations.left(ANN, 0) == 0
    await vacations.take(ANN, START, START + 20 * DAY)
    assert [await vacations.left(ANN, days) for days in (14, 28, 42)] == [0, 8 * DAY, 22 * DAY]
    later = START + 30 * DAY
    counts = [await vacations.counting(ANN, later, later + 10 * DAY, days) for days in (0, 14, 28, 42)]
    assert counts == [0, 0, 8 * DAY, 10 * DAY]
    await vacations.take(ANN, START + 100 * DAY, START + 105 * DAY)  # announced: it takes of what is left as well
    assert [await vacations.left(ANN, days) for days in (14, 28, 42)] == [0, 3 * DAY, 17 * DAY]
    assert await vacations.left(BOB, 14) == 14 * DAY
