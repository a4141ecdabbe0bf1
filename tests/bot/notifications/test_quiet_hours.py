"""When reminders come, and how they wait for the end of time off and of quiet hours."""

import pytest
from fakes.outbox import NOON

from bot.notifications.quiet_hours import LAST_DAY, LAST_HOUR, SHARE, quiet_until, reminders
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


def test_a_reminder_waits_for_the_end_of_quiet_hours_unless_time_is_up_before() -> None:
    clock = running("3d/move")
    assert reminders(clock, chosen(quiet="10:30-11:30"), NOON)[LAST_HOUR] == NOON + int(71.5 * HOUR)
    assert reminders(clock, chosen(quiet="10:30-12:30"), NOON)[LAST_HOUR] == NOON + 71 * HOUR


def test_two_that_wait_for_the_same_moment_are_one() -> None:
    clock = running("8h/move")  # reminded at 18:24 and 19:00
    assert reminders(clock, chosen(quiet="18:00-19:30"), NOON) == {LAST_HOUR: NOON + int(7.5 * HOUR)}
