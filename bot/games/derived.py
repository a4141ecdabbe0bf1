"""The columns of a game that are derived from its entries."""

import json
from typing import Any, Final

from bot.games.tables import OVER, RUNNING
from engine.core.clock import LAG
from engine.core.game import CHANCE
from engine.core.hours import Hours, Interval
from engine.core.table import Table
from engine.core.timekeeping import ABANDONED, NOTED

DERIVED: Final = (
    *("seq", "to_act", "status", "last_entry_at", "points0", "points1", "reason", "ended", "deadline", "counts"),
    *("awaited", "offered", "paused", "overdue", "due", "time_left", "time_off", "claimable_at", "leased_until"),
)
"""The names of these columns."""


def derived(table: Table[Any, Any]) -> dict[str, Any]:
    """Returns the derived columns of a table, by name. They are written in the same transaction as its entries."""
    record, outcome = table.record, table.outcome
    started, deadline = record.header.started, table.deadline
    last_entry_at = started + _last_entry_at(table)
    return {
        "seq": table.seq,
        "to_act": table.to_act,
        "status": RUNNING if outcome is None else OVER,
        "last_entry_at": last_entry_at,
        "points0": outcome and outcome.points[0],
        "points1": outcome and outcome.points[1],
        "reason": outcome and outcome.reason,
        "ended": outcome and last_entry_at,
        "deadline": next_tick(table, _last_entry_at(table)),
        "counts": outcome and table.counts,
        "awaited": table.to_act if table.offer is None else 1 - table.offer.seat,
        "offered": table.offer is not None,
        "paused": table.paused,
        "overdue": table.overdue is not None,
        "due": None if deadline is None else started + deadline,
        "time_left": _time_left(table),
        "time_off": _time_off(table),
        "claimable_at": _claimable_at(table),
        "leased_until": 0,
    }


def read_time_off(text: str) -> tuple[Hours, tuple[Interval, ...]]:
    """Returns the hours and the vacations (in ms since 1970) in the column ``time_off``."""
    if not text:
        return Hours(), ()
    found = json.loads(text)
    return Hours.parse(found["hours"]), tuple((begin, end) for begin, end in found["away"])


def _last_entry_at(table: Table[Any, Any]) -> int:
    """Returns the time of the last entry, in ms since the game's start."""
    entries = table.record.entries
    return entries[-1].at if entries else 0


def _time_left(table: Table[Any, Any]) -> int | None:
    if table.clock is None or table.outcome is not None:
        return None
    return table.clock.left(table.to_act or 0, _last_entry_at(table))


def _time_off(table: Table[Any, Any]) -> str:
    """Returns the time off, after the last entry, of the player whose clock runs, as JSON; "" for none."""
    clock = table.clock
    if clock is None or clock.turn is None or clock.running is None or table.outcome is not None:
        return ""
    hours = Hours() if clock.spec.live else clock.turn.hours
    coming = [interval for interval in clock.away[clock.running] if interval[1] > _last_entry_at(table)]
    if not hours and not coming:
        return ""
    away = [(clock.started + begin, clock.started + end) for begin, end in coming]
    return json.dumps({"hours": str(hours), "away": away})


def _claimable_at(table: Table[Any, Any]) -> int | None:
    """Returns the time, in ms since 1970, from which the waiting player may claim the game, according to the record."""
    seat, started = table.to_act, table.record.header.started
    if seat is None or seat == CHANCE or table.paused:
        return None
    if table.clock is not None:
        return started + _last_entry_at(table) if table.overdue == seat else None
    since = table.absent_at(ABANDONED)
    return None if since is None else started + since


def next_tick(table: Table[Any, Any], after: int) -> int | None:
    """Returns the next moment at which time alone changes the game, in ms since 1970; None if there is none.

    ``after`` is in ms since the start. At such a moment, time is up with its grace period, or a pause ends. In a game
    without a clock, outages begin to matter, or the game can be claimed.
    """
    started = table.record.header.started
    if table.outcome is not None:
        return None
    if table.resuming is not None:
        return started + table.resuming.at
    if table.clock is not None:
        return None if table.deadline is None else started + table.deadline + LAG
    moments = [table.absent_at(length) for length in (NOTED, ABANDONED)]
    first, last = moments
    if first is None or last is None or table.overdue is not None:
        return None
    return started + (first if after < first else last)
