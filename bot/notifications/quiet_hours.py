"""When a user is pinged: outside their quiet hours, and reminded at the times they chose."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from bot.players.zones import DAY, span
from engine.core.clock import Clock
from engine.core.hours import DAY as DAY_MS
from engine.core.hours import HOUR, MINUTE

SHARE, LAST_HOUR, LAST_DAY = range(3)
"""At which part of a turn's time a reminder comes: the numbers of its notifications."""
WANTED: Final[Mapping[str, tuple[int, ...]]] = {
    "both": (SHARE, LAST_HOUR),
    "hour": (LAST_HOUR,),
    "day": (LAST_DAY,),
    "share": (SHARE,),
    "none": (),
}
"""The choices of the preference ``reminders``."""
SPENT: Final = 80
"""Per cent of a turn's allowance after which the reminder of that name comes."""
LEAST: Final = HOUR
"""Nobody is reminded of a turn that has less time than this: they play it at once."""
CLOSE: Final = 30 * MINUTE
"""Of two reminders so close together the later one is enough."""


def quiet_until(preferences: Mapping[str, str], at: int) -> int | None:
    """The end of the quiet hours in which ``at`` lies, both in ms since 1970; None if it lies in none."""
    hours = span(preferences["quiet"])
    if hours is None:
        return None
    local = datetime.fromtimestamp(at / 1000, ZoneInfo(preferences["zone"] or "UTC"))
    begin, end = hours
    into = (local.hour * 60 + local.minute - begin) % DAY
    length = (end - begin) % DAY
    if into >= length:
        return None
    wall = local.replace(second=0, microsecond=0) + timedelta(minutes=length - into)
    return max(int(wall.timestamp() * 1000), at + 1)


def reminders(clock: Clock, preferences: Mapping[str, str], now: int) -> dict[int, int]:
    """When whoever's turn it is has to be reminded from ``now`` on, in ms since 1970, by the kind of reminder.

    In quiet hours a reminder waits for their end, unless time is up before.
    """
    turn, deadline = clock.turn, clock.deadline
    if turn is None or deadline is None:
        return {}
    allowance = clock.spec.per_turn + clock.banks[turn.seat]
    if allowance < LEAST:
        return {}
    moments = {LAST_HOUR: deadline - HOUR, LAST_DAY: deadline - DAY_MS, SHARE: _spent(clock, allowance) or deadline}
    planned: dict[int, int] = {}
    for kind in WANTED[preferences["reminders"]]:
        if turn.since < moments[kind] < deadline:
            planned[kind] = clock.started + moments[kind]
    if LAST_HOUR in planned and planned.get(SHARE, 0) > planned[LAST_HOUR] - CLOSE:
        del planned[SHARE]
    up = clock.started + deadline
    put_off = {kind: _after_quiet(preferences, at, up) for kind, at in planned.items()}
    coming = {kind: at for kind, at in put_off.items() if at > now}
    # two that were put off to the same moment are one
    return {kind: at for kind, at in coming.items() if not any(k > kind and t == at for k, t in coming.items())}


def _after_quiet(preferences: Mapping[str, str], at: int, up: int) -> int:
    end = quiet_until(preferences, at)
    return at if end is None or end >= up else end


def _spent(clock: Clock, allowance: int) -> int | None:
    """The moment at which the turn has used the share of its allowance, time off left out."""
    turn = clock.turn
    assert turn is not None  # noqa: S101 - asked for a turn that runs
    bank = allowance * SPENT // 100 - clock.spec.per_turn
    banks = (bank, clock.banks[1]) if turn.seat == 0 else (clock.banks[0], bank)
    return replace(clock, banks=banks).deadline
