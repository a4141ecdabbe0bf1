"""Hours of the day as users type them, and the offsets of time zones. ``places`` reads the zones."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from engine.core.errors import RuleError

SPAN: Final = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?h?\s*(?:-|\u2013|to|a)\s*(\d{1,2})(?:[:.h](\d{2}))?h?")
DAY: Final = 24 * 60
MOST_HOURS: Final = 12
"""The longest span, in hours. With longer rest hours a player would hardly ever be on the clock."""
YEARS_AHEAD: Final = 2


def read_span(text: str) -> str:
    """Reads a span of hours as ``23:00-07:30``; "" for an empty text. Raises RuleError if it is not a span, or too
    long.
    """
    if not text.strip():
        return ""
    match = SPAN.fullmatch(text.strip().casefold())
    if match is None:
        raise RuleError("zone.hours", hours=text.strip())
    from_hour, from_minute, to_hour, to_minute = (int(part or 0) for part in match.groups())
    times = (from_hour, from_minute), (to_hour, to_minute)
    if max(times) > (24, 0) or max(from_minute, to_minute) > 59:
        raise RuleError("zone.hours", hours=text.strip())
    begin, end = (from_hour * 60 + from_minute) % DAY, (to_hour * 60 + to_minute) % DAY
    length = (end - begin) % DAY
    if length == 0:
        raise RuleError("zone.hours", hours=text.strip())
    if length > MOST_HOURS * 60:
        raise RuleError("zone.long_hours", hours=text.strip(), most=MOST_HOURS)
    return f"{begin // 60:02}:{begin % 60:02}-{end // 60:02}:{end % 60:02}"


def span(text: str) -> tuple[int, int] | None:
    """Returns the begin and end of ``23:00-07:30`` in minutes of the day; None for ""."""
    if not text:
        return None
    begin, end = (int(part[:2]) * 60 + int(part[3:]) for part in text.split("-"))
    return begin, end


def offsets(zone: str, since: int, now: int) -> tuple[tuple[int, int], ...]:
    """Returns the zone's offsets from UTC as (ms since 1970, minutes), from ``since`` to at least a year after ``now``.

    ``now`` counts only in whole years after ``since``. So the result changes once a year, or when the zone's rules
    change.
    """
    years = (now - since) // (365 * DAY * 60_000) + YEARS_AHEAD
    until = since + years * 365 * DAY * 60_000
    begin = datetime.fromtimestamp(since / 1000, UTC).year
    known = _offsets(zone or "UTC", datetime(begin, 1, 1, tzinfo=UTC), years + 1)
    first = max((number for number, (moment, _) in enumerate(known) if moment <= since), default=0)
    return ((0, known[first][1]), *(change for change in known[first + 1 :] if change[0] < until))


@lru_cache(maxsize=1024)
def _offsets(zone: str, begin: datetime, years: int) -> tuple[tuple[int, int], ...]:
    place = ZoneInfo(zone)

    def at(moment: datetime) -> int:
        shift = place.utcoffset(moment.astimezone(place)) or timedelta()
        return int(shift.total_seconds()) // 60

    found = [(int(begin.timestamp()) * 1000, at(begin))]
    for day in range(366 * years):
        early, late = begin + timedelta(days=day), begin + timedelta(days=day + 1)
        if at(late) == found[-1][1]:
            continue
        while late - early > timedelta(minutes=1):  # zones change at most once a day
            middle = early + (late - early) / 2
            early, late = (middle, late) if at(middle) == found[-1][1] else (early, middle)
        late = late.replace(second=0, microsecond=0)
        found.append((int(late.timestamp()) * 1000, at(late)))
    return tuple(found)


def at_hour(zone: str, hour: int, after: int) -> int:
    """Returns the first time after ``after`` with that full hour in the zone. Times in ms since 1970."""
    place = ZoneInfo(zone or "UTC")
    local = datetime.fromtimestamp(after / 1000, place)
    for day in range(3):
        moment = (local + timedelta(days=day)).replace(hour=hour, minute=0, second=0, microsecond=0)
        found = int(moment.timestamp() * 1000)
        if found > after:
            return found
    raise ValueError(f"no {hour} o'clock in {zone}")
