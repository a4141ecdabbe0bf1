"""Time in matches: who is late loses the match, and the banks of its games."""

from __future__ import annotations

from typing import Any

import pytest
from harness.match_games import moved, next_table, resigned, timed

from engine.core.clock import LAG
from engine.core.game import CHANCE
from engine.core.hours import HOUR, MINUTE
from engine.core.record import Entry, Header, Kind, Record, dump, load
from engine.core.table import Table
from engine.core.timekeeping import uncounted
from engine.match.match import ABORTED, Match, MatchHeader, MatchResult, Terms
from engine.registry import GAMES

ABALONE = GAMES["abalone"]
CUBE_ON = (("cube", "on"),)


# --- who is late loses the match -------------------------------------------------------------------------------------


def late(match: Match, turns: int) -> Table[Any, Any]:
    """Returns the next game, in which the seat to act is late after so many turns."""
    table = moved(next_table(match), turns)
    return table.time_out(HOUR)


def test_the_first_game_aborted_aborts_the_match() -> None:
    match = timed(Terms(best_of=3))
    match = match.add(late(match, 3))
    assert match.results[0].reason == ABORTED
    assert match.result == MatchResult(None, "match.aborted", counts=False)


@pytest.mark.parametrize("turns", [4, 5])
def test_who_is_late_in_the_first_game_loses_the_match(turns: int) -> None:
    match = timed(Terms(best_of=3))
    match = match.add(late(match, turns))
    assert match.results[0].late == turns % 2
    assert match.result == MatchResult(1 - turns % 2, "match.forfeited")


@pytest.mark.parametrize("turns", [0, 3, 4])
def test_who_is_late_in_a_later_game_loses_the_match(turns: int) -> None:
    match = timed(Terms(best_of=3))
    match = match.add(resigned(next_table(match), 0))  # player 0 lost the first game, and sits second in the next
    match = match.add(late(match, turns))
    winner = turns % 2
    assert match.results[1].late == 1 - winner
    assert match.result == MatchResult(winner, "match.won" if winner and turns >= 4 else "match.forfeited")


def test_time_that_ends_the_match_may_not_count() -> None:
    match = timed(Terms(best_of=3))
    before, after = moved(next_table(match), 4), late(match, 4)
    match = match.add(before.append(uncounted(after.record.entries[-1])))
    assert match.result == MatchResult(1, "match.forfeited", counts=False)


def test_a_claimed_win_is_a_forfeit_and_a_claimed_draw_is_a_drawn_game() -> None:
    match = timed(Terms(best_of=3), policy="claim")
    overdue = moved(next_table(match), 4).time_out(HOUR)
    assert match.add(overdue.claim(1, "win", HOUR)).result == MatchResult(1, "match.forfeited")
    drawn = match.add(overdue.claim(1, "draw", HOUR))
    assert (drawn.result, drawn.score) == (None, (0.5, 0.5))


def test_a_resignation_is_not_late() -> None:
    match = timed(Terms(best_of=3))
    match = match.add(resigned(moved(next_table(match), 4), 0))
    assert match.results[0].late is None
    assert match.result is None


# --- the clock -------------------------------------------------------------------------------------------------------


def test_one_bank_for_the_match_goes_on_by_player() -> None:
    match = timed(Terms(best_of=3, bank="match"), clock="10m+5s")
    assert match.next_banks is None
    table = moved(next_table(match), 3, MINUTE)  # seat 0 twice, seat 1 once
    over = table.resign(1, 1, 5 * MINUTE)  # seat 1 thought for two minutes more, and did not finish its turn
    assert over.final_banks == (8 * MINUTE + 10_000, 7 * MINUTE + 5_000)
    match = match.add(over)
    assert match.results[0].banks == (8 * MINUTE + 10_000, 7 * MINUTE + 5_000)
    assert match.next_banks == (7 * MINUTE + 5_000, 8 * MINUTE + 10_000)  # player 1 sits first now
    table = next_table(match)
    assert table.clock is not None
    assert table.clock.banks == match.next_banks
    assert table.deadline == 7 * MINUTE + 5_000
    lost = moved(table, 4, 1000).time_out(HOUR)
    assert lost.final_banks is not None
    assert lost.final_banks[0] == 0
    assert match.add(lost).results[1].banks == (lost.final_banks[1], 0)


def test_the_turn_that_ends_the_game_gets_its_increment() -> None:
    match = timed(Terms(points=3, bank="match"), clock="10m+5s", key="backgammon")
    match = Match(MatchHeader("m1", "backgammon", 1, 0, match.terms, CUBE_ON, "10m+5s", "loss"))
    table = next_table(match).append(Entry(0, Kind.CHANCE, CHANCE, "31")).play(0, "8/5 6/5", MINUTE)
    passed = table.play(1, "double", 3 * MINUTE).play(0, "pass", 4 * MINUTE)
    assert passed.outcome is not None
    assert passed.final_banks == (8 * MINUTE + 10_000, 8 * MINUTE + 5_000)


def test_a_bank_for_each_game_starts_again() -> None:
    match = timed(Terms(best_of=3, bank="game"))
    match = match.add(resigned(moved(next_table(match), 3), 1))
    assert match.next_banks is None
    assert next_table(match).final_banks is None
    assert next_table(match).clock == Table.open(ABALONE, Header("abalone", 1, "x", 0, clock="10m")).clock


def test_without_a_clock_there_are_no_banks() -> None:
    match = timed(Terms(best_of=3, bank="match"), clock="", policy="")
    match = match.add(resigned(moved(next_table(match), 3), 1))
    assert (match.next_banks, match.next_clock, match.results[0].banks) == (None, "", None)


@pytest.mark.parametrize(("bank", "clock"), [("match", "3d/move"), ("game", "10m")])
def test_an_agreed_clock_holds_for_the_match_if_its_bank_does(bank: str, clock: str) -> None:
    match = timed(Terms(best_of=3, bank=bank))
    table = moved(next_table(match), 3).make_offer(0, "adjourn 3d/move", HOUR // 10)
    match = match.add(resigned(table.answer(1, HOUR // 10, accept=True), 1))
    assert match.next_clock == clock
    assert match.next_banks == ((0, 0) if bank == "match" else None)


def test_a_bank_that_is_used_up_leaves_the_grace_alone() -> None:
    header = Header("abalone", 1, "x", 0, clock="10m", timeout_policy="loss", banks=(0, MINUTE))
    table = Table.open(ABALONE, header)
    assert table.clock is not None
    assert not table.clock.expired(LAG - 1)
    assert table.clock.expired(LAG)


def test_banks_stand_in_the_record() -> None:
    header = Header("abalone", 1, "x", 0, clock="10m+5s", timeout_policy="loss", banks=(90_000, 1))
    record = Record(header, (Entry(1, Kind.RESIGN, 0, "1"),))
    assert "banks: 90000 1\n" in dump(record)
    assert load(dump(record)) == record
    assert Table.replay(ABALONE, record).final_banks == (89_999, 1)
