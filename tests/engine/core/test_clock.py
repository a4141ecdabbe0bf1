"""Time controls and clocks: their texts, allowances, time off, credits; time moves only by hand."""

from dataclasses import replace

import pytest
from fakes.timeoff import MONDAY, times_off
from hypothesis import given
from hypothesis import strategies as st

from engine.core.clock import LAG, MOST, SECOND, Clock, TimeControl, duration, read_duration
from engine.core.errors import RuleError
from engine.core.hours import DAY, HOUR, MINUTE, Hours

NIGHTS = Hours((22 * 60, 7 * 60))

specs = st.builds(
    lambda bank, per_turn, increment: (bank * SECOND, per_turn * SECOND, increment * SECOND),
    st.integers(0, MOST["bank"] // SECOND),
    st.integers(0, MOST["per_turn"] // SECOND),
    st.integers(0, MOST["increment"] // SECOND),
)
small = st.integers(0, 12 * DAY)
intervals = st.tuples(small, st.integers(1, 2 * DAY)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@st.composite
def clocks(draw: st.DrawFn) -> Clock:
    """Returns a clock whose seat 0 has just begun a turn, with all kinds of time off."""
    spec = TimeControl(draw(st.integers(1, 6)) * DAY // 2, draw(st.integers(0, 48)) * HOUR, 12 * HOUR)
    clock = replace(Clock.of(spec, MONDAY), hours=(draw(times_off), Hours()))
    for away in draw(st.lists(intervals, max_size=3)):
        clock = clock.add_vacation(0, away)
    for credit in draw(st.lists(intervals, max_size=3)):
        clock = clock.credit(credit)
    return clock.next_turn(0, draw(small))


def ticking(text: str, **more: object) -> Clock:
    return replace(Clock.of(TimeControl.parse(text), MONDAY), **more).next_turn(0, 0)


def refused(call: object, *arguments: object) -> RuleError:
    with pytest.raises(RuleError) as raised:
        call(*arguments)  # type: ignore[operator]
    return raised.value


# --- texts -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical", "spec"),
    [
        ("3d/move", "3d/move", TimeControl(per_turn=3 * DAY)),
        (" 3 D / Move ", "3d/move", TimeControl(per_turn=3 * DAY)),
        ("72h/move", "3d/move", TimeControl(per_turn=3 * DAY)),
        ("3d+12h", "3d+12h", TimeControl(3 * DAY, increment=12 * HOUR)),
        ("10m + 5s", "10m+5s", TimeControl(10 * MINUTE, increment=5 * SECOND)),
        ("10m 5s/move", "10m 5s/move", TimeControl(10 * MINUTE, 5 * SECOND)),
        ("1d12h/move", "1d12h/move", TimeControl(per_turn=36 * HOUR)),
        ("90m", "1h30m", TimeControl(90 * MINUTE)),
        ("1d+2h 3h/move", "1d+2h 3h/move", TimeControl(DAY, 3 * HOUR, 2 * HOUR)),
        ("+2h 3h/move", "+2h 3h/move", TimeControl(0, 3 * HOUR, 2 * HOUR)),
    ],
)
def test_a_time_control_is_read_tolerantly_and_written_canonically(
    text: str, canonical: str, spec: TimeControl
) -> None:
    assert TimeControl.parse(text) == spec
    assert str(spec) == canonical


@pytest.mark.parametrize(
    "text",
    ["", " ", "3", "d", "3d/", "/move", "3d/turn", "3d+", "+", "5s5m", "3d3d", "-3d", "3.5d", "1d/move 2d", "٣d"],
)
def test_what_is_no_time_control_is_refused(text: str) -> None:
    error = refused(TimeControl.parse, text)
    assert (error.key, error.params) == ("clock.text", {"text": text})


@pytest.mark.parametrize(
    ("text", "part", "least", "most"),
    [
        ("91d", "bank", "5s", "90d"),
        ("91d 1m/move", "bank", "0s", "90d"),
        ("31d/move", "per_turn", "5s", "30d"),
        ("1d 31d/move", "per_turn", "0s", "30d"),
        ("1d+31d", "increment", "0s", "30d"),
        ("4s", "bank", "5s", "90d"),
        ("0m", "bank", "5s", "90d"),
        ("1s+1h", "bank", "5s", "90d"),
        ("0s/move", "per_turn", "5s", "30d"),
        ("1s 1s/move", "allowance", "5s", "120d"),
        ("+12h", "allowance", "5s", "120d"),
    ],
)
def test_a_time_control_has_limits(text: str, part: str, least: str, most: str) -> None:
    error = refused(TimeControl.parse, text)
    assert (error.key, error.params) == ("clock.range", {"part": part, "least": f"~{least}", "most": f"~{most}"})


def test_a_time_control_has_whole_seconds() -> None:
    assert refused(TimeControl, 10_500).key == "clock.range"
    assert refused(TimeControl, -SECOND).key == "clock.range"


@given(specs)
def test_a_time_control_reads_as_it_is_written(values: tuple[int, int, int]) -> None:
    if values[0] + values[1] < 5 * SECOND:
        assert refused(TimeControl, *values).key == "clock.range"
    else:
        assert TimeControl.parse(str(TimeControl(*values))) == TimeControl(*values)


@given(st.integers(0, 10**8))
def test_a_duration_reads_as_it_is_written(seconds: int) -> None:
    assert read_duration(duration(seconds * SECOND)) == seconds * SECOND


# --- allowances ------------------------------------------------------------------------------------------------------


def test_time_per_move_is_fresh_each_turn_and_lost_if_unused() -> None:
    clock = ticking("3d/move")
    assert clock.deadline == 3 * DAY
    clock = clock.start_turn(1, DAY).start_turn(0, 2 * DAY)
    assert clock.banks == (0, 0)
    assert clock.deadline == 5 * DAY


def test_fischer_adds_to_the_bank_after_each_turn() -> None:
    clock = ticking("10m+5s").start_turn(1, MINUTE)
    assert clock.banks == (9 * MINUTE + 5 * SECOND, 10 * MINUTE)
    assert clock.deadline == 11 * MINUTE


def test_a_delay_comes_before_the_bank() -> None:
    clock = ticking("10m 5s/move")
    assert clock.deadline == 10 * MINUTE + 5 * SECOND
    assert clock.start_turn(1, 4 * SECOND).banks[0] == 10 * MINUTE
    assert clock.start_turn(1, 65 * SECOND).banks[0] == 9 * MINUTE


def test_a_move_within_the_lag_is_taken_and_leaves_an_empty_bank() -> None:
    clock = ticking("10m")
    assert not clock.expired(10 * MINUTE + LAG - 1)
    assert clock.expired(10 * MINUTE + LAG)
    late = clock.start_turn(1, 10 * MINUTE + LAG - 1)
    assert late.banks[0] == 0
    assert late.start_turn(0, 11 * MINUTE).deadline == 11 * MINUTE


def test_the_same_seat_acting_again_shares_the_allowance() -> None:
    clock = ticking("10m+5s")
    assert clock.start_turn(0, 5 * MINUTE) == clock
    assert clock.stop(5 * MINUTE).start_turn(0, 8 * MINUTE).deadline == 13 * MINUTE


def test_a_clock_that_stands_has_no_deadline_and_costs_nothing() -> None:
    clock = ticking("10m").stop(MINUTE)
    assert clock.stop(2 * MINUTE) == clock
    assert (clock.running, clock.deadline, clock.left(0, DAY)) == (None, None, 9 * MINUTE)
    assert not clock.expired(DAY)
    assert clock.start_turn(1, DAY).banks[0] == 9 * MINUTE
    assert Clock.of(clock.spec, 0).stop(0).deadline is None


def test_who_waits_has_the_allowance_of_the_next_turn() -> None:
    clock = ticking("1d+2h 3h/move")
    assert clock.left(1, 5 * DAY) == DAY + 3 * HOUR
    assert clock.next_turn(1, HOUR).deadline == DAY + 4 * HOUR
    assert clock.next_turn(0, 4 * HOUR).deadline == 4 * HOUR + DAY + 3 * HOUR - HOUR + 2 * HOUR


def test_another_clock_begins_with_new_banks() -> None:
    clock = ticking("10m").start_turn(1, MINUTE).reset(TimeControl.parse("3d/move"), 2 * MINUTE)
    assert clock.deadline == 2 * MINUTE + 3 * DAY
    assert clock.banks == (0, 0)
    assert Clock.of(TimeControl(DAY), 0).reset(TimeControl(2 * DAY), 5).turn is None


# --- time off --------------------------------------------------------------------------------------------------------


def test_rest_hours_and_days_off_do_not_count() -> None:
    assert ticking("1d/move", hours=(NIGHTS, Hours())).deadline == DAY + 16 * HOUR  # 15 hours on Monday, 9 on Tuesday
    weekend = Hours(weekend=(5, 6))
    assert replace(ticking("1d/move"), hours=(weekend, weekend)).next_turn(1, 4 * DAY + HOUR).deadline == 7 * DAY + HOUR


def test_overlapping_time_off_counts_once() -> None:
    clock = (
        ticking("1d/move", hours=(NIGHTS, Hours()))
        .add_vacation(0, (20 * HOUR, 30 * HOUR))
        .add_vacation(0, (0, 8 * HOUR))
    )
    clock = clock.credit((21 * HOUR, 32 * HOUR)).credit((21 * HOUR, 33 * HOUR))
    # on Monday from 8 to 20, on Tuesday from 9 to 21
    assert clock.deadline == DAY + 21 * HOUR


def test_only_ones_own_vacation_counts_and_everybodys_credit() -> None:
    clock = ticking("1d/move").add_vacation(1, (0, 10 * HOUR))
    assert clock.deadline == DAY
    assert clock.credit((0, HOUR)).deadline == DAY + HOUR


def test_an_early_return_replaces_the_vacation() -> None:
    clock = ticking("1d/move").add_vacation(0, (HOUR, 10 * DAY))
    assert clock.deadline == 11 * DAY - HOUR
    assert clock.add_vacation(0, (HOUR, 2 * HOUR)).deadline == DAY + HOUR
    assert clock.add_vacation(0, (HOUR, HOUR)).deadline == DAY


def test_new_hours_count_from_the_next_turn_on() -> None:
    clock = ticking("1d/move").set_rest_hours(0, NIGHTS, 1)
    assert clock.deadline == DAY
    assert clock.start_turn(1, HOUR).start_turn(0, 8 * HOUR).deadline == DAY + 17 * HOUR
    assert ticking("1d/move").set_rest_hours(0, NIGHTS, 0).deadline == DAY + 16 * HOUR


def test_a_credit_known_after_the_turn_is_given_to_the_bank() -> None:
    clock = ticking("10m+5s").start_turn(1, 6 * MINUTE).start_turn(0, 8 * MINUTE)
    assert clock.banks == (4 * MINUTE + 5 * SECOND, 8 * MINUTE + 5 * SECOND)
    credited = clock.credit((5 * MINUTE, 7 * MINUTE))
    assert credited.banks == (5 * MINUTE + 5 * SECOND, 9 * MINUTE + 5 * SECOND)
    assert credited.credit((5 * MINUTE, 7 * MINUTE)).banks == credited.banks
    assert credited.deadline == 13 * MINUTE + 5 * SECOND


def test_a_credit_of_an_allowance_that_would_have_been_lost_is_no_gain() -> None:
    clock = ticking("10m 1m/move").start_turn(1, 30 * SECOND)
    assert clock.credit((0, 20 * SECOND)).banks == clock.banks


# --- laws ------------------------------------------------------------------------------------------------------------


@given(clocks(), st.integers(0, 60 * DAY))
def test_what_is_left_and_what_was_charged_make_up_the_allowance(clock: Clock, later: int) -> None:
    turn = clock.turn
    assert turn is not None
    allowance = clock.spec.bank + clock.spec.per_turn
    charged = clock.charged(turn, turn.since + later)
    assert 0 <= charged <= later
    assert clock.left(0, turn.since + later) == max(0, allowance - charged)


@given(clocks())
def test_the_deadline_is_the_first_moment_without_time_left(clock: Clock) -> None:
    deadline = clock.deadline
    assert deadline is not None
    assert clock.left(0, deadline) == 0
    assert clock.left(0, deadline - 1) == 1


@given(clocks(), intervals)
def test_more_time_off_never_brings_the_deadline_nearer(clock: Clock, interval: tuple[int, int]) -> None:
    assert clock.deadline is not None
    assert clock.deadline <= (clock.credit(interval).deadline or 0)
    assert (
        clock.deadline <= (clock.add_vacation(0, interval).deadline or 0) or clock.away[0]
    )  # it may replace a longer one


@given(clocks(), intervals, small, small)
def test_no_time_is_charged_within_time_off(clock: Clock, interval: tuple[int, int], one: int, other: int) -> None:
    begin, end = interval
    first, last = sorted((begin + one % (end - begin), begin + other % (end - begin)))
    away = [] if clock.spec.live else [clock.add_vacation(0, interval)]  # a live clock heeds no vacation
    for resting in (clock.credit(interval), *away):
        assert resting.left(0, first) == resting.left(0, last)


@given(clocks(), intervals)
def test_time_off_given_twice_counts_once(clock: Clock, interval: tuple[int, int]) -> None:
    once = clock.credit(interval)
    twice = once.credit(interval).add_vacation(0, (interval[0], interval[0] + 1))
    assert twice.deadline == once.add_vacation(0, (interval[0], interval[0] + 1)).deadline


@given(clocks(), small, small)
def test_a_pause_moves_the_deadline_as_if_it_had_been_credited(clock: Clock, before: int, length: int) -> None:
    assert clock.turn is not None
    begin = clock.turn.since + before
    end = begin + length
    paused = clock.stop(begin).start_turn(0, end)
    assert paused.deadline == clock.credit((begin, end)).deadline
