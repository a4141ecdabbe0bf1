"""Rest and days off get into the records of the games: once, and as far as they count there."""

from datetime import UTC, datetime

from fakes.clock import START
from fakes.process import Process, deadline, noted

from bot.games.service import Place
from engine.core.hours import DAY, HOUR, MINUTE

ANN, BOB = 11, 22
HERE = Place(1, 5)
MIDNIGHT = START - START % DAY + DAY
"""The first after START, in UTC."""


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
