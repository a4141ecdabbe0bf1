"""Dates of a file's header, in UTC, from and to milliseconds since 1970."""

import re
from typing import Final

_DAY: Final = 86_400_000
_MINUTE: Final = 60_000
_DATE: Final = re.compile(r"(\d{4})[.\-/](\d{1,2})[.\-/](\d{1,2})", re.ASCII)
_TIME: Final = re.compile(r"(\d{1,2})[.:](\d{2})", re.ASCII)


def date_text(started: int) -> str:
    """Writes a date as ``2026.11.22``, by ``civil_from_days`` (Howard Hinnant, chrono-compatible date algorithms)."""
    era, day_of_era = divmod(started // _DAY + 719_468, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + 3 if shifted < 10 else shifted - 9
    return f"{year_of_era + era * 400 + (month <= 2):04}.{month:02}.{day:02}"


def time_text(started: int) -> str:
    """Writes a time as ``06.30``."""
    hours, minutes = divmod(started % _DAY // _MINUTE, 60)
    return f"{hours:02}.{minutes:02}"


def milliseconds(date: str, time: str) -> int:
    """Reads the moment of a date and a time (``days_from_civil``, as above); 0 for an unknown date."""
    found = _DATE.search(date)
    if found is None:
        return 0
    year, month, day = map(int, found.groups())
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * (month - 3 if month > 2 else month + 9) + 2) // 5 + day - 1
    days = era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468
    clock = _TIME.search(time)
    minutes = int(clock[1]) * 60 + int(clock[2]) if clock else 0
    return max(days, 0) * _DAY + minutes * _MINUTE
