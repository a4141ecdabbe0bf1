"""Time is up, or somebody stays away, and the other decides: the claims of a game with a clock and without."""

import pytest
from fakes.timed import MONDAY, NIM, noted, opened, overdue, played, refused

from engine.core.hours import DAY, HOUR
from engine.core.record import Entry, Header, Kind, Record, dump, load
from engine.core.table import Table
from engine.core.timekeeping import ABANDONED, ABORT_TURNS, uncounted
from engine.registry import find


def test_the_other_may_claim_the_win_or_a_draw() -> None:
    table = overdue()
    assert table.outcome is None
    assert (table.overdue, table.deadline) == (0, None)
    assert table.may_claim(1, 9 * DAY)
    assert not table.may_claim(0, 9 * DAY)
    won, drawn = table.claim(1, "win", 9 * DAY), table.claim(1, "draw", 9 * DAY)
    assert won.outcome is not None
    assert drawn.outcome is not None
    assert (won.outcome.winner, won.outcome.reason, won.counts) == (1, "end.time", True)
    assert (drawn.outcome.points, drawn.outcome.reason, drawn.counts) == ((0, 0), "end.time_draw", True)
    assert not won.may_claim(1, 9 * DAY)


def test_who_is_late_may_still_play_and_has_nothing_left() -> None:
    table = overdue().play(0, "1", 10 * DAY)
    assert table.overdue is None
    assert table.clock is not None
    assert table.clock.banks[0] == 0
    assert table.deadline is not None
    assert not table.may_claim(1, 11 * DAY)


def test_a_claim_needs_a_cause() -> None:
    table = played(ABORT_TURNS, "1d", "claim")
    assert refused(table.claim, 1, "win", HOUR) == "table.no_claim"
    assert refused(overdue().claim, 0, "win", 9 * DAY) == "table.no_claim"
    assert refused(overdue().claim, 1, "more", 9 * DAY) == "table.bad_entry"
    assert refused(overdue().time_out, 99 * DAY) == "table.time_left"


@pytest.mark.parametrize("what", ["win", "draw"])
def test_a_claim_after_few_turns_aborts(what: str) -> None:
    over = overdue(ABORT_TURNS - 1).claim(0, what, 9 * DAY)
    assert over.outcome is not None
    assert over.outcome.reason == "end.aborted"
    assert not over.counts


def test_an_uncounted_time_out_makes_an_uncounted_claim() -> None:
    assert not overdue(counted=False).claim(1, "win", 9 * DAY).counts
    played_on = overdue(counted=False).play(0, "1", 9 * DAY)
    assert played_on.counts
    assert played_on.resign(1, 1, 9 * DAY).counts


def test_a_claim_may_be_uncounted_where_it_is_won() -> None:
    over = overdue().claim(1, "win", 9 * DAY)
    assert over.lost_on_time == 0
    late = overdue().append(uncounted(over.record.entries[-1]))
    assert str(late.record.entries[-1]) == f"{9 * DAY} claim 1 win uncounted"
    assert (late.outcome, late.counts, late.lost_on_time) == (over.outcome, False, None)
    assert Table.replay(NIM, load(dump(late.record))) == late
    assert overdue().claim(1, "draw", 9 * DAY).lost_on_time is None
    assert overdue().lost_on_time is None
    assert refused(overdue().claim, 1, "draw uncounted", 9 * DAY) == "table.bad_entry"
    lost = played(ABORT_TURNS).time_out(9 * DAY)
    assert lost.lost_on_time == 0
    late = played(ABORT_TURNS).append(uncounted(lost.record.entries[-1]))
    assert (late.outcome, late.counts, late.lost_on_time) == (lost.outcome, False, None)


def test_who_is_late_and_rolls_is_late_until_the_move_is_made() -> None:
    """Roll and play share an allowance: what is used up is used up, and is told once."""
    game = find("backgammon", 1)
    header = Header("backgammon", 1, "b1", MONDAY, (("cube", "on"),), clock="1d/move", timeout_policy="claim")
    table = noted(Table.open(game, header), 0, Kind.CHANCE, -1, "61").play(0, "8/7 8/2", HOUR)
    table = table.time_out(2 * DAY).play(1, "roll", 3 * DAY)
    table = noted(table, 3 * DAY, Kind.CHANCE, -1, "32")
    assert table.overdue == 1
    assert table.may_claim(0, 3 * DAY)
    assert refused(table.time_out, 4 * DAY) == "table.time_left"
    table = table.play(1, "13/10 13/11", 4 * DAY)
    assert table.overdue is None
    assert table.deadline == 5 * DAY
    assert Table.replay(game, load(dump(table.record))) == table


# --- without a clock -------------------------------------------------------------------------------------------------


def test_without_a_clock_a_game_is_abandoned_after_thirty_days() -> None:
    table = played(ABORT_TURNS, "")
    last = ABORT_TURNS * HOUR
    table = table.make_offer(0, "draw", last + 5)
    assert not table.may_claim(1, last + ABANDONED - 1)
    assert refused(table.claim, 1, "win", last + ABANDONED - 1) == "table.no_claim"
    assert table.may_claim(1, last + ABANDONED)
    assert not table.may_claim(0, last + ABANDONED)
    over = table.claim(1, "win", last + ABANDONED)
    assert over.outcome is not None
    assert (over.outcome.winner, over.outcome.reason, over.counts) == (1, "end.abandoned", True)
    drawn = table.claim(1, "draw", last + ABANDONED).outcome
    assert drawn is not None
    assert drawn.reason == "end.abandoned_draw"
    assert opened("").may_claim(1, ABANDONED)


def test_without_a_clock_the_record_says_when_a_game_is_abandoned() -> None:
    table, due = played(ABORT_TURNS, ""), ABORT_TURNS * HOUR + ABANDONED
    assert table.absent_at(ABANDONED) == due
    assert refused(table.time_out, due - 1) == "table.time_left"
    assert refused(table.append, Entry(due - 1, Kind.TIMEOUT, 0)) == "table.time_left"
    assert refused(table.append, Entry(due, Kind.TIMEOUT, 1)) == "table.time_left"
    assert refused(table.append, Entry(due, Kind.TIMEOUT, 0, "uncounted")) == "table.bad_entry"
    late = table.time_out(due + DAY)
    assert late.record.entries[-1] == Entry(due, Kind.TIMEOUT, 0)
    assert (late.overdue, late.outcome) == (0, None)
    assert refused(late.time_out, due + DAY) == "table.time_left"
    assert late.claim(1, "win", due + DAY).counts
    assert late.play(0, "1", due + DAY).overdue is None
    assert Table.replay(NIM, load(dump(late.record))) == late
    away = noted(table, due, Kind.AWAY, 0, f"{due - DAY} {due + DAY}")
    assert away.absent_at(ABANDONED) == due + 2 * DAY
    assert refused(away.time_out, due + 2 * DAY - 1) == "table.time_left"
    assert away.time_out(due + 2 * DAY).overdue == 0


def test_without_a_clock_neither_vacation_nor_outages_count_as_staying_away() -> None:
    table, last = played(ABORT_TURNS, ""), ABORT_TURNS * HOUR
    due, at = last + ABANDONED, last + ABANDONED
    table = noted(table, at, Kind.AWAY, 0, f"0 {last + DAY}")  # a day of it since
    table = noted(table, at, Kind.CREDIT, -1, f"{last + 12 * HOUR} {last + 36 * HOUR}")  # half a day more
    table = noted(table, at, Kind.AWAY, 1, f"{last} {last + 9 * DAY}")  # who waits
    assert refused(table.claim, 1, "win", due + 36 * HOUR - 1) == "table.no_claim"
    assert table.may_claim(1, due + 36 * HOUR)
    longer = noted(table, at, Kind.AWAY, 0, f"{at} {at + 5 * DAY}")
    assert not longer.may_claim(1, due + 36 * HOUR)
    assert longer.may_claim(1, due + 5 * DAY + 36 * HOUR)
    assert noted(longer, at + DAY, Kind.AWAY, 0, f"{at} {at + DAY}").may_claim(1, due + DAY + 36 * HOUR)
    assert Table.replay(NIM, load(dump(longer.record))) == longer
    # what is known is known to a clock that they agree on, and after a takeback
    timed = longer.make_offer(0, "adjourn 1d/move", at).answer(1, at, accept=True)
    assert timed.deadline == at + 6 * DAY
    back = longer.offer_takeback(0, at).answer(1, at, accept=True)
    assert (back.away, back.credits) == (longer.away, longer.credits)


@pytest.mark.parametrize(
    "line",
    ["9000 away * 0 5", "9000 away 0 5 5", "9000 away 0 x 5", "9000 credit 0 0 5", "9000 credit * 0 9001"],
)
def test_malformed_absence_is_refused_without_a_clock_too(line: str) -> None:
    assert (
        refused(opened("").append, load(dump(Record(opened("").record.header)) + line).entries[0]) == "table.bad_entry"
    )
