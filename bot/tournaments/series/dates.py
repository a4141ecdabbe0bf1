"""The dates and the name of the next tournament of a series. Times in ms since 1970; the calendar is UTC's."""

import re
from calendar import monthrange
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.tournaments.tournament import ARENAS, NAME_LENGTH, Plan, Repeat, Tournament
from engine.core.hours import DAY

ANNOUNCED_BEFORE: Final = 3 * DAY
"""The next one is announced this long before its registration opens, or before its last entries, even if this one still
runs.
"""
NUMBER: Final = re.compile(r" (\d{1,3})$")
"""The number at the end of a name. It has at most three digits, so a year is none."""


def repeats_at(plan: Plan) -> int | None:
    """Returns the time at which the next one is announced even if this one still runs; None if it does not repeat."""
    if not plan.repeats:
        return None
    moved = next_plan(plan, plan.starts or 0)
    first = _needed_by(moved)
    if moved.registration_opens is not None:
        first = min(first, moved.registration_opens)
    return first - ANNOUNCED_BEFORE


def next_plan(plan: Plan, now: int) -> Plan:
    """Returns the plan with all dates moved on, by as many weeks or months as needed for joining in time.

    Raises ValueError for a plan that does not repeat, or has no start.
    """
    if plan.starts is None:
        raise ValueError("a plan without a start")
    begins = datetime.fromtimestamp(plan.starts // 1000, UTC)
    day = _month_day(plan, begins)
    moved, times = plan, 0
    while moved is plan or _needed_by(moved) <= now:
        times += 1
        if plan.repeat is Repeat.WEEKLY:
            following = begins + timedelta(weeks=times)
        elif plan.repeat is Repeat.MONTHLY:
            following = _months_after(begins, times, day)
        else:
            raise ValueError("a plan that does not repeat")
        moved = _moved(plan, round((following - begins).total_seconds()) * 1000)
    return replace(moved, month_day=day if plan.repeat is Repeat.MONTHLY else 0)


def _needed_by(plan: Plan) -> int:
    """Returns the time by which players must have joined."""
    starts = plan.starts or 0
    return min(starts - plan.check_in, starts if plan.registration_closes is None else plan.registration_closes)


def _moved(plan: Plan, shift: int) -> Plan:
    opens, closes = plan.registration_opens, plan.registration_closes
    return replace(
        plan,
        starts=None if plan.starts is None else plan.starts + shift,
        registration_opens=None if opens is None else opens + shift,
        registration_closes=None if closes is None else closes + shift,
    )


def _month_day(plan: Plan, begins: datetime) -> int:
    """Returns the planned day of the month: that of the start, unless a short month has moved the start."""
    last = monthrange(begins.year, begins.month)[1]
    return plan.month_day if min(plan.month_day, last) == begins.day else begins.day


def _months_after(begins: datetime, months: int, day: int) -> datetime:
    years, month = divmod(begins.month - 1 + months, 12)
    year = begins.year + years
    return begins.replace(year=year, month=month + 1, day=min(day, monthrange(year, month + 1)[1]))


def copied(plan: Plan) -> Plan:
    """Returns the settings of a plan without dates, for another tournament.

    Its arena gets a usual length again, as a pause may have made it longer.
    """
    arena = max((length for length in ARENAS if length <= plan.arena), default=plan.arena)
    return replace(plan, starts=None, registration_opens=None, registration_closes=None, month_day=0, arena=arena)


def following(plan: Plan, now: int) -> Plan:
    """Returns the plan of the following tournament: the same settings, with the dates moved on."""
    moved = next_plan(plan, now)
    return replace(
        copied(moved),
        starts=moved.starts,
        registration_opens=moved.registration_opens,
        registration_closes=moved.registration_closes,
        month_day=moved.month_day,
    )


def next_name(tournament: Tournament) -> str:
    """Returns the name with the next number: ``Friday Abak``, ``Friday Abak 2``, ``Friday Abak 3``."""
    found = NUMBER.search(tournament.name)
    number = int(found[1]) + 1 if found else tournament.edition + 1
    name = tournament.name[: found.start()] if found else tournament.name
    return f"{name[: NAME_LENGTH - len(f' {number}')].rstrip()} {number}"
