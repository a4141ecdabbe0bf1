"""Rest and days off get into the records of the games: once, and as far as they count there."""

from datetime import UTC, datetime

import pytest
from fakes.clock import START
from fakes.process import Process, deadline, noted

from bot.games.stored import Place
from engine.core.hours import DAY, HOUR, MINUTE

ANN, BOB = 11, 22
HERE = Place(1, 5)
MIDNIGHT = START - START % DAY + DAY
"""The first after START, in UTC."""


async def test_a_game_begins_with_the_players_hours(process: Process) -> None:
    await process.preferences.set_user(ANN, "rest", "22:00-06:00")
    await process.preferences.set_user(ANN, "zone", "Europe/Madrid")
    await process.preferences.set_user(BOB, "weekend", "fri_sat")
    live = await process.nim("1d/move", (ANN, BOB), HERE)
    first, second = noted(live)
    assert first.startswith("0 hours 0 1320-360 - 60 ")
    assert second == "0 hours 1 - 4,5 0"
    assert deadline(live) > START + DAY


@pytest.mark.both_databases
async def test_hours_are_noted_once(process: Process) -> None:
    await process.preferences.set_user(ANN, "rest", "22:00-06:00")
    await process.preferences.set_user(ANN, "zone", "America/New_York")
    live = await process.nim("1d/move", (ANN, BOB), HERE, played=3)
    for _ in range(3):
        await process.live(MINUTE)
        live = await process.games.tick(live.id)
    assert len(noted(live)) == 1
    assert (await Process(process.games.repository.database, process.clock).games.tick(live.id)).seq == live.seq


async def test_no_hours_and_no_clock_are_not_noted(process: Process) -> None:
    await process.preferences.set_user(ANN, "rest", "22:00-06:00")
    assert noted(await process.nim("", (ANN, BOB), HERE)) == []
    assert noted(await process.nim("1d/move", (BOB, 33), Place(1, 6))) == []


async def test_a_live_game_knows_no_time_off_until_it_is_adjourned(process: Process) -> None:
    await process.preferences.set_user(ANN, "rest", "22:00-06:00")
    await process.vacations.take(BOB, process.clock.at, process.clock.at + 2 * DAY)
    live = await process.nim("23h", (ANN, BOB), HERE)
    assert noted(live) == []
    await process.games.offer(live.id, ANN, "adjourn 1d/move")
    await process.games.answer(live.id, BOB, accept=True)
    await process.live(MINUTE)
    live = await process.games.tick(live.id)
    assert noted(live) == ["0 hours 0 1320-360 - 0", f"0 away 1 0 {2 * DAY}"]
    rest = (MIDNIGHT - START - 2 * HOUR) % DAY
    assert deadline(live) == START + DAY + (8 * HOUR if rest < DAY else 0)
    await process.games.play(live.id, ANN, None, "1")
    await process.games.offer(live.id, ANN, "adjourn 10m")
    live = await process.games.answer(live.id, BOB, accept=True)
    assert deadline(live) == process.clock.at + 10 * MINUTE  # whatever is known
    await process.live(MINUTE)
    assert noted(await process.games.tick(live.id))[2:] == []
    await process.preferences.set_user(BOB, "weekend", "sat_sun")
    await process.games.offer(live.id, ANN, "adjourn 2d/move")
    await process.live(MINUTE)
    live = await process.games.answer(live.id, BOB, accept=True)
    assert noted(live)[2:] == [f"{3 * MINUTE} hours 1 - 5,6 0"]  # before it began
    assert live.table.clock is not None
    assert live.table.clock.turn is not None
    assert live.table.clock.turn.hours.weekend == (5, 6)
    assert deadline(live) >= START + 4 * DAY


async def test_a_change_counts_from_the_next_turn_on(process: Process) -> None:
    live = await process.nim("1d/move", (ANN, BOB), HERE)
    assert deadline(live) == START + DAY
    await process.live(MIDNIGHT - START)
    await process.preferences.set_user(ANN, "rest", "00:00-12:00")
    live = await process.games.tick(live.id)
    assert deadline(live) == START + DAY  # nobody gains time for the turn that runs
    await process.games.play(live.id, ANN, None, "1")
    await process.live(HOUR)
    live = await process.games.play(live.id, BOB, None, "1")
    assert deadline(live) == MIDNIGHT + 2 * DAY  # two afternoons
    await process.preferences.set_user(ANN, "rest", "")
    live = await process.games.tick(live.id)
    assert noted(live)[-1].endswith("hours 0 -")


async def test_an_offset_that_changes_counts(process: Process) -> None:
    summer = int(datetime(2027, 3, 27, 12, tzinfo=UTC).timestamp()) * 1000
    process.clock.at = summer
    await process.preferences.set_user(ANN, "zone", "Europe/Madrid")
    await process.preferences.set_user(ANN, "rest", "00:00-08:00")
    live = await process.nim("1d/move", (ANN, BOB), HERE)
    # rest from 23:00 UTC on 27 March to 06:00 UTC: an hour is lost, as on the wall
    assert deadline(live) == summer + DAY + 7 * HOUR
