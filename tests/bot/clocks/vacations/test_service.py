"""Vacations get into the records of the games: with the next tick, until whoever went comes back."""

import pytest
from fakes.clock import START
from fakes.process import Process, deadline, noted, refused, timeouts
from fakes.toy import Nim

from bot.games.live import LiveGame
from bot.games.stored import Place
from engine.core.clock import LAG, SECOND
from engine.core.hours import DAY, HOUR
from engine.core.record import Kind
from engine.core.table import Table

ANN, BOB, EVE = 11, 22, 33
HERE = Place(1, 5)


@pytest.mark.both_databases
async def test_a_vacation_stops_the_clock(process: Process) -> None:
    live = await process.nim("2d/move", (ANN, BOB), HERE)
    await process.vacations.take(ANN, START + DAY, START + 6 * DAY)
    live = await process.games.tick(live.id)
    assert noted(live) == [f"0 away 0 {DAY} {6 * DAY}"]
    assert deadline(live) == START + 7 * DAY
    assert (await process.games.tick(live.id)).seq == live.seq


async def test_the_shortest_vacation_is_taken_a_moment_after_it_was_asked_for(process: Process) -> None:
    process.clock.at += 7
    await process.vacations.take(ANN, START, START + DAY)
    (vacation,) = await process.vacations.of(ANN)
    assert (vacation.since, vacation.until) == (START + 7, START + 7 + DAY)


async def test_a_game_that_begins_in_a_vacation_knows_of_it(process: Process) -> None:
    await process.vacations.take(BOB, START, START + 5 * DAY)
    process.clock.at += DAY
    live = await process.nim("2d/move", (ANN, BOB), HERE)
    assert noted(live) == [f"0 away 1 0 {4 * DAY}"]


async def test_who_comes_back_early_has_the_clock_running_again(process: Process) -> None:
    live = await process.nim("2d/move", (ANN, BOB), HERE)
    await process.vacations.take(ANN, START, START + 6 * DAY)
    (vacation,) = await process.vacations.of(ANN)
    await process.games.tick(live.id)
    await process.live(3 * DAY)
    await process.vacations.end(ANN, vacation.id)
    live = await process.games.tick(live.id)
    assert [line for line in noted(live) if "away" in line][-1] == f"{3 * DAY} away 0 0 {3 * DAY}"
    assert await process.vacations.of(ANN) == []


@pytest.mark.parametrize("noticed", [DAY, 3 * DAY])
async def test_what_is_called_off_before_it_begins_was_never_there(process: Process, noticed: int) -> None:
    live = await process.nim("20d/move", (ANN, BOB), HERE)
    await process.vacations.take(ANN, START + 2 * DAY, START + 6 * DAY)
    (vacation,) = await process.vacations.of(ANN)
    await process.games.tick(live.id)
    await process.vacations.end(ANN, vacation.id)
    await process.live(noticed)  # even if the game hears of it only when it would have begun
    live = await process.games.tick(live.id)
    assert noted(live)[-1] == f"{noticed} away 0 {2 * DAY} {2 * DAY}"
    assert deadline(live) == START + 20 * DAY


async def test_who_is_on_vacation_stays_away_from_no_game_without_a_clock(process: Process) -> None:
    live = await process.nim("", (ANN, BOB), HERE, played=4)
    await process.live(10 * DAY)
    await process.vacations.take(ANN, process.clock.at, process.clock.at + 10 * DAY)
    live = await process.games.tick(live.id)  # no warning is near, but the board tells of it
    assert noted(live) == [f"{10 * DAY} away 0 {10 * DAY} {20 * DAY}"]
    await process.live(20 * DAY)
    await refused(process.games.claim(live.id, BOB, "win"), "table.no_claim")
    assert (await process.games.tick(live.id)).seq == live.seq
    await process.live(10 * DAY - 1)
    await refused(process.games.claim(live.id, BOB, "win"), "table.no_claim")
    await process.live(1)
    over = await process.games.claim(live.id, BOB, "win")
    assert over.table.outcome is not None
    assert over.table.outcome.reason == "end.abandoned"


async def test_a_vacation_that_counts_in_part_is_noted_once_without_a_clock(process: Process) -> None:
    """Also after a move that was made when the part that counts was over."""
    await process.preferences.set_server(1, "vacation", "14")
    live = await process.nim("", (ANN, BOB), HERE)
    await process.vacations.take(ANN, START, START + 20 * DAY)
    counted = [f"0 away 0 0 {14 * DAY}"]
    assert noted(await process.games.tick(live.id)) == counted
    await process.live(15 * DAY)
    await process.games.play(live.id, ANN, None, "1")
    for _ in range(3):
        await process.live(SECOND)
        live = await process.games.tick(live.id)
    assert [line for line in noted(live) if " away " in line] == counted


async def test_the_record_replays_with_all_of_it(process: Process) -> None:
    await process.preferences.set_user(BOB, "rest", "22:00-06:00")
    await process.vacations.take(ANN, START + HOUR, START + 3 * DAY)
    live = await process.nim("2d/move", (ANN, BOB), HERE, played=2)
    process.clock.at += DAY
    await process.games.play(live.id, ANN, None, "1")
    (vacation,) = await process.vacations.of(ANN)
    await process.vacations.end(ANN, vacation.id)
    live = await process.games.tick(live.id)
    kinds = [entry.kind for entry in live.table.record.entries]
    assert {Kind.HOURS, Kind.AWAY, Kind.PLAY} <= set(kinds)
    assert Table.replay(live.table.game, live.table.record) == live.table


# --- in all games at once --------------------------------------------------------------------------------------------


@pytest.mark.both_databases
async def test_a_vacation_reaches_all_running_games_at_once(process: Process) -> None:
    games = [await process.nim("1d/move", (ANN, 40 + n), Place(1, 50 + n), played=4) for n in range(2)]
    without = await process.nim("", (ANN, EVE), Place(1, 70))
    heard: list[LiveGame] = []
    process.games.subscribe(heard.append)
    await process.vacations.take(ANN, START, START + 2 * DAY)
    await process.deadlines.refresh(ANN)
    assert [live.id for live in heard] == [live.id for live in (*games, without)]
    await process.live(3 * DAY + LAG - 1)
    assert [timeouts(await process.games.newest(live.id)) for live in games] == [[], []]
    await process.live(1)
    at = 3 * DAY + LAG
    assert [timeouts(await process.games.newest(live.id))[0].split()[0] for live in games] == [str(at)] * 2


async def test_who_comes_back_early_runs_out_of_time_early(process: Process) -> None:
    live = await process.nim("1d/move", (ANN, BOB), HERE, played=4)
    await process.vacations.take(ANN, START, START + 9 * DAY)
    await process.deadlines.refresh(ANN)
    await process.live(DAY)
    (vacation,) = await process.vacations.of(ANN)
    await process.vacations.end(ANN, vacation.id)
    await process.deadlines.refresh(ANN)
    await process.live(DAY + LAG)
    assert timeouts(await process.games.newest(live.id)) == [f"{2 * DAY + LAG} timeout 0"]


@pytest.mark.both_databases
async def test_a_refresh_that_breaks_off_is_made_up_for(process: Process, nim: Nim) -> None:
    del nim
    live = await process.nim("1d/move", (ANN, BOB), HERE, played=4)
    await process.vacations.take(ANN, START, START + 9 * DAY)
    assert await process.games.repository.make_due(ANN, process.clock.at, 5) == [(live.id, HERE.guild_id)]
    await process.live(1)
    away = [entry for entry in (await process.games.newest(live.id)).table.record.entries if entry.kind is Kind.AWAY]
    assert len(away) == 1
