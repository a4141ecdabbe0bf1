"""Tests when reminders come, and how they keep out of time off and quiet hours."""

import pytest
from fakes.outbox import NOON
from hypothesis import given
from hypothesis import strategies as st

from bot.notifications.quiet_hours import LAST_DAY, LAST_HOUR, QUIET_LEAD, SHARE, quiet_until, reminders
from bot.players.preferences import DEFAULTS
from engine.core.clock import Clock, TimeControl
from engine.core.hours import HOUR, MINUTE, Hours


def running(text: str, hours: Hours | None = None) -> Clock:
    clock = Clock.of(TimeControl.parse(text), NOON)
    if hours is not None:
        clock = clock.set_rest_hours(0, hours, 0)
    return clock.next_turn(0, 0)


def chosen(**more: str) -> dict[str, str]:
    return {**DEFAULTS["user"], **more}


@pytest.mark.parametrize(
    ("text", "wanted", "planned"),
    [
        ("3d/move", "both", {SHARE: 57.6, LAST_HOUR: 71}),
        ("3d/move", "day", {LAST_DAY: 48}),
        ("3d/move", "none", {}),
        ("1d/move", "day", {}),  # it would come at once
        ("5h/move", "both", {LAST_HOUR: 4}),  # the other one falls on the same moment
        ("2d+12h", "share", {SHARE: 38.4}),
        ("10m+5s", "both", {}),
    ],
)
def test_when_reminders_come(text: str, wanted: str, planned: dict[int, float]) -> None:
    found = reminders(running(text), chosen(reminders=wanted), NOON)
    assert {kind: (at - NOON) / HOUR for kind, at in found.items()} == planned


def test_time_off_puts_reminders_off() -> None:
    """Ten hours of rest a day: of 24 hours four fifths are 19.2, of which 14 fall into the first day."""
    hours = Hours((20 * 60, 6 * 60), (), ((NOON - 1, 0),))
    clock = running("1d/move", hours)
    found = reminders(clock, chosen(), NOON)
    assert clock.deadline is not None
    assert clock.left(0, found[SHARE] - NOON) == pytest.approx(24 * HOUR / 5, abs=1000)
    assert found[LAST_HOUR] == NOON + clock.deadline - HOUR


def test_what_is_past_is_not_reminded_of() -> None:
    clock = running("3d/move")
    assert reminders(clock, chosen(), NOON + 60 * HOUR) == {LAST_HOUR: NOON + 71 * HOUR}
    assert reminders(clock, chosen(), NOON + 71 * HOUR) == {}


@pytest.mark.parametrize(
    ("quiet", "zone", "at", "end"),
    [
        ("11:00-13:00", "", 0, HOUR),
        ("12:00-13:00", "", 0, HOUR),
        ("11:00-12:00", "", 0, None),
        ("22:00-12:30", "Etc/UTC", 0, 30 * MINUTE),
        ("", "", 0, None),
        ("20:30-22:00", "Asia/Tokyo", 0, HOUR),
        ("23:00-07:00", "America/New_York", 11 * HOUR, None),  # 18:00 there
        ("23:00-07:00", "America/New_York", 17 * HOUR, 7 * HOUR),  # midnight there
    ],
)
def test_the_end_of_quiet_hours(quiet: str, zone: str, at: int, end: int | None) -> None:
    found = quiet_until(chosen(quiet=quiet, zone=zone), NOON + at)
    assert found == (None if end is None else NOON + at + end)


@pytest.mark.parametrize(
    ("quiet", "now", "reminded"),
    [
        ("10:30-11:30", 0, 70.5 - 1 / 12),  # an hour before the deadline is 11:00: told before they begin
        ("10:30-12:30", 0, 70.5 - 1 / 12),  # also if they last beyond the deadline
        ("23:00-11:30", 0, 59 - 1 / 12),
        ("10:30-11:30", 70.75, 71.5),  # planned when they have begun: told at their end
        ("10:30-12:30", 70.75, None),  # they last beyond the deadline: quiet hours are quiet
    ],
)
def test_what_would_fall_into_quiet_hours_is_told_before_them(quiet: str, now: float, reminded: float | None) -> None:
    found = reminders(running("3d/move"), chosen(quiet=quiet, reminders="hour"), NOON + int(now * HOUR))
    assert {kind: (at - NOON) / HOUR for kind, at in found.items()} == (
        {} if reminded is None else {LAST_HOUR: reminded}
    )


def test_quiet_hours_do_not_move_the_reminders_of_a_live_game() -> None:
    clock = Clock.of(TimeControl.parse("20h"), NOON).next_turn(0, 0)
    assert clock.spec.live
    assert reminders(clock, chosen(quiet="20:00-08:00"), NOON) == {SHARE: NOON + 16 * HOUR, LAST_HOUR: NOON + 19 * HOUR}


def test_two_that_move_to_the_same_moment_are_one() -> None:
    clock = running("1d/move")  # reminded at 7:12 and 11:00
    found = reminders(clock, chosen(quiet="07:00-11:30"), NOON)
    assert found == {LAST_HOUR: NOON + 19 * HOUR - QUIET_LEAD}


@given(begin=st.integers(0, 47), length=st.integers(1, 24), days=st.integers(1, 5), later=st.integers(0, 100))
def test_no_reminder_falls_into_quiet_hours(begin: int, length: int, days: int, later: int) -> None:
    """Quiet hours by half hours; the turn lasts some days; the reminders are planned at some hour of it."""
    minutes = begin * 30, (begin + length) % 48 * 30
    quiet = "-".join(f"{minute // 60:02}:{minute % 60:02}" for minute in minutes)
    clock, now = running(f"{days}d/move"), NOON + later * HOUR
    preferences = chosen(quiet=quiet, reminders="both")
    deadline = NOON + days * 24 * HOUR
    for at in reminders(clock, preferences, now).values():
        assert now < at < deadline
        assert quiet_until(preferences, at) is None
    if quiet_until(preferences, now) is None and now < deadline - 2 * HOUR:
        assert reminders(clock, preferences, now)  # there was time to tell it
