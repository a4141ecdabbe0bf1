"""The times at which a user may be pinged: outside their quiet hours, with the reminders that they have chosen."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from bot.players.zones import DAY, span
from engine.core.clock import Clock
from engine.core.hours import DAY as DAY_MS
from engine.core.hours import HOUR, MINUTE, Interval
from engine.core.table import Table
from engine.core.timekeeping import ABANDONED

SHARE, LAST_HOUR, LAST_DAY = range(3)
"""The kinds of reminders: the ``n`` of their notifications. SHARE comes after SHARE_PERCENT per cent of the time."""
REMINDER_CHOICES: Final[Mapping[str, tuple[int, ...]]] = {
    "both": (SHARE, LAST_HOUR),
    "hour": (LAST_HOUR,),
    "day": (LAST_DAY,),
    "share": (SHARE,),
    "none": (),
}
"""The kinds of reminders for each choice of the preference ``reminders``."""
SHARE_PERCENT: Final = 80
"""Per cent of the time of a turn after which the SHARE reminder comes."""
MIN_TURN_TIME: Final = HOUR
"""The shortest turn with reminders. Shorter ones are played at once."""
MIN_GAP: Final = 30 * MINUTE
"""The least time between two reminders. If they are closer, only the later one is sent."""
WARNED: Final = (20, 27)
"""The days without a move after which a player is warned in a game without a clock: the ``n`` of the reminders."""
QUIET_LEAD: Final = 5 * MINUTE
"""How long before quiet hours a reminder is sent that would fall into them."""


def quiet_hours(preferences: Mapping[str, str], at: int) -> Interval | None:
    """Returns the quiet hours that contain ``at``: their begin and end in ms since 1970; None outside quiet hours."""
    hours = span(preferences["quiet"])
    if hours is None:
        return None
    local = datetime.fromtimestamp(at / 1000, ZoneInfo(preferences["zone"] or "UTC"))
    begin, end = hours
    elapsed = (local.hour * 60 + local.minute - begin) % DAY
    length = (end - begin) % DAY
    if elapsed >= length:
        return None
    minute = local.replace(second=0, microsecond=0)
    since, until = minute - timedelta(minutes=elapsed), minute + timedelta(minutes=length - elapsed)
    return int(since.timestamp() * 1000), max(int(until.timestamp() * 1000), at + 1)


def quiet_until(preferences: Mapping[str, str], at: int) -> int | None:
    """Returns the end of the quiet hours that contain ``at``, both in ms since 1970; None outside quiet hours."""
    found = quiet_hours(preferences, at)
    return None if found is None else found[1]


def holds_back(preferences: Mapping[str, str], at: int) -> bool:
    """Returns whether a notification that is not urgent would be delayed at that moment, in ms since 1970."""
    return preferences["pings"] == "digest" or quiet_until(preferences, at) is not None


def reminders(clock: Clock, preferences: Mapping[str, str], now: int) -> dict[int, int]:
    """Returns the times after ``now`` at which to remind the player to act: by kind of reminder, in ms since 1970.

    A reminder in quiet hours is moved to QUIET_LEAD before them, or to their end if that is past. If time is up before
    their end, it is left out. A live game ignores quiet hours.
    """
    turn, deadline = clock.turn, clock.deadline
    if turn is None or deadline is None:
        return {}
    allowance = clock.spec.per_turn + clock.banks[turn.seat]
    if allowance < MIN_TURN_TIME:
        return {}
    moments = {
        LAST_HOUR: deadline - HOUR,
        LAST_DAY: deadline - DAY_MS,
        SHARE: _share_used_at(clock, allowance) or deadline,
    }
    planned: dict[int, int | None] = {}
    for kind in REMINDER_CHOICES[preferences["reminders"]]:
        if turn.since < moments[kind] < deadline:
            planned[kind] = clock.started + moments[kind]
    if {LAST_HOUR, SHARE} <= planned.keys() and moments[SHARE] > moments[LAST_HOUR] - MIN_GAP:
        del planned[SHARE]
    if not clock.spec.live:
        time_up_at = clock.started + deadline
        earliest = max(now, clock.started + turn.since)
        planned = {kind: _outside_quiet(preferences, at, earliest, time_up_at) for kind, at in planned.items()}
    coming = {kind: at for kind, at in planned.items() if at is not None and at > now}
    if LAST_HOUR in coming and SHARE in coming and abs(coming[LAST_HOUR] - coming[SHARE]) < MIN_GAP:
        del coming[SHARE]  # moves out of quiet hours may bring them close together
    return coming


def warnings(table: Table[Any, Any], preferences: Mapping[str, str], now: int) -> dict[int, int]:
    """Returns the times after ``now`` at which to warn the player to act without a clock: by days of WARNED, in ms
    since 1970.

    A warning in quiet hours is moved before them.
    """
    claimable = table.absent_at(ABANDONED)
    if claimable is None or table.overdue is not None or not REMINDER_CHOICES[preferences["reminders"]]:
        return {}
    started = table.record.header.started
    planned = {days: started + (table.absent_at(days * DAY_MS) or 0) for days in WARNED}
    moved = {days: _outside_quiet(preferences, at, now, started + claimable) for days, at in planned.items()}
    return {days: at for days, at in moved.items() if at is not None and at > now}


def _outside_quiet(preferences: Mapping[str, str], at: int | None, earliest: int, time_up_at: int) -> int | None:
    """Returns a reminder moved out of quiet hours; None if there is no time for it."""
    quiet = None if at is None else quiet_hours(preferences, at)
    if quiet is None:
        return at
    begin, end = quiet
    if begin - QUIET_LEAD > earliest:
        return begin - QUIET_LEAD
    return end if end < time_up_at else None


def _share_used_at(clock: Clock, allowance: int) -> int | None:
    """Returns the moment at which the turn has used SHARE_PERCENT per cent of its time, without time off; ms since the
    game's start.
    """
    turn = clock.turn
    assert turn is not None  # noqa: S101 - the caller has checked that a turn runs
    bank = allowance * SHARE_PERCENT // 100 - clock.spec.per_turn
    banks = (bank, clock.banks[1]) if turn.seat == 0 else (clock.banks[0], bank)
    return replace(clock, banks=banks).deadline
