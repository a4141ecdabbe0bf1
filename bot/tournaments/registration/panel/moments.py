"""Moments as people type them: ``tomorrow 18:00``, ``Sat 20:00``, ``3 Feb 19:30``, ``in 2h``.

They are read in any of the bot's languages, whatever language the writer has chosen.
"""

import re
from datetime import date, datetime, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import get_day_names, get_month_names

from bot.core.translations import CODES, language, plain
from engine.core.errors import RuleError, Translated
from engine.core.hours import DAY, HOUR, MINUTE

FARTHEST: Final = 366 * DAY
SHOWN: Final = 30
"""The most characters of an unreadable text that are quoted."""
UNITS: Final = {"week": 7 * DAY, "day": DAY, "hour": HOUR, "minute": MINUTE}
CLOCK: Final = re.compile(r"(?<![\d:./-])(\d{1,2})(?::(\d{2})(?!\d)|h(\d{2})?\b)? ?([ap]\.?m\b\.?)?")
ISO: Final = re.compile(r"\b(\d{4})[./-](\d{1,2})[./-](\d{1,2})\b")
NUMBERS: Final = re.compile(r"(?<![\d:])(\d{1,2})[./-](\d{1,2})(?:[./-](\d{4})?)?(?!\d)")


def read_moment(text: str, now: int, zone: str) -> int | None:
    """Reads a moment in ms since 1970; None for an empty text. ``zone``: an IANA name, or empty for UTC.

    A day without a year, or an hour without a day, means the next one. Raises RuleError if the text is no moment, or if
    the moment is past or more than a year ahead.
    """
    typed = text.strip()
    if not typed:
        return None
    words = plain(typed).replace(",", " ")
    shown = typed[:SHOWN]
    there = datetime.fromtimestamp(now / 1000, ZoneInfo(zone or "UTC"))
    try:
        moment = _after(words, now)
        if moment is None:
            moment = _on_calendar(words, there)
    except ValueError:  # there is no such day
        moment = None
    if moment is None:
        raise RuleError("moment.no_hour" if _is_day(words, there.date()) else "moment.unread", text=shown)
    if moment <= now:
        raise RuleError("moment.past", text=shown)
    if moment > now + FARTHEST:
        raise RuleError("moment.far", text=shown)
    return moment


def write_moment(moment: int | None, zone: str) -> str:
    """Writes a text for ``read_moment``, to the minute; empty for None."""
    if moment is None:
        return ""
    return datetime.fromtimestamp(moment / 1000, ZoneInfo(zone or "UTC")).strftime("%Y-%m-%d %H:%M")


def read_length(text: str, most: int) -> int:
    """Reads a duration, such as ``30 min`` or ``1h 30m``, in ms; 0 for an empty text.

    Raises RuleError if the text is no duration, or if it is longer than ``most``.
    """
    typed = text.strip()
    if not typed:
        return 0
    found = _after(plain(typed).replace(",", " "), 0)
    if found is None or found > most:
        raise RuleError("moment.no_length", text=typed[:SHOWN], most=Translated(f"~{most // DAY}d"))
    return found


def write_length(length: int) -> str:
    """Writes a text for ``read_length``, to the minute; empty for 0."""
    hours, minutes = divmod(length // MINUTE, 60)
    return " ".join(f"{count}{unit}" for count, unit in ((hours, "h"), (minutes, "m")) if count)


@cache
def _words(key: str) -> frozenset[str]:
    """Returns the words of a message in every language."""
    return frozenset(plain(word) for code in CODES for word in language(code)(key).split(", ") if word)


@cache
def _lengths() -> dict[str, int]:
    """Returns the words for units of time, with their lengths in ms."""
    return {word: length for unit, length in UNITS.items() for word in _words(f"write.{unit}")}


@cache
def _names(kind: str) -> dict[str, int]:
    """Returns the long and short names of weekdays (from 0, Monday) or months (from 1) in every language."""
    read = get_day_names if kind == "day" else get_month_names
    return {
        plain(name).rstrip("."): number
        for code in CODES
        for width in ("wide", "abbreviated")
        for number, name in read(width, locale=code).items()
    }


def _after(words: str, now: int) -> int | None:
    """Reads the end of a duration from now, such as ``in 1 day 2h``; None if the text is no duration."""
    pieces = re.findall(r"\d+|[^\W\d_]+|\S", words)
    pieces = [piece for piece in pieces if piece not in _words("moment.filler")]
    if not pieces or len(pieces) % 2:
        return None
    found = now
    for count, unit in zip(pieces[::2], pieces[1::2], strict=True):
        if not (count.isdecimal() and len(count) < 5 and unit in _lengths()):
            return None
        found += int(count) * _lengths()[unit]
    return found


def _on_calendar(words: str, now: datetime) -> int | None:
    """Reads a day and an hour; None without an hour, or with words left over.

    Raises ValueError for a day that does not exist, such as 29 February of the next year.
    """
    day, repeats, rest = _day(words, now.date())
    hour = CLOCK.search(rest)
    if hour is None or not (hour[2] or hour[4] or "h" in hour[0]):
        return None
    left = f"{rest[: hour.start()]} {rest[hour.end() :]}".split()
    if any(word not in _words("moment.filler") for word in left):
        return None
    number, minute = int(hour[1]), int(hour[2] or hour[3] or 0)
    if hour[4]:
        if not 1 <= number <= 12:
            return None
        number = number % 12 + (12 if hour[4].startswith("p") else 0)
    if number > 23 or minute > 59:
        return None
    moment = datetime.combine(day or now.date(), datetime.min.time(), now.tzinfo).replace(hour=number, minute=minute)
    if moment <= now and repeats == "year":
        moment = moment.replace(year=moment.year + 1)
    if moment <= now and (day is None or repeats == "week"):
        moment += timedelta(days=1 if day is None else 7)
    return int(moment.timestamp() * 1000)


def _is_day(words: str, today: date) -> bool:
    """Returns whether a text is a day that lacks its hour."""
    try:
        day, _, rest = _day(words, today)
    except ValueError:
        return False
    return day is not None and all(word in _words("moment.filler") for word in rest.split())


def _day(words: str, today: date) -> tuple[date | None, str, str]:
    """Returns the named day, the period of its repetition (``week``, ``year`` or nothing), and the remaining words.

    Raises ValueError for a day that does not exist.
    """
    if found := ISO.search(words):
        year, month, day = (int(part) for part in found.groups())
        return date(year, month, day), "", _without(words, found)
    if found := NUMBERS.search(words):
        day, month, year = (int(part) if part else 0 for part in found.groups())
        return date(year or today.year, month, day), "" if year else "year", _without(words, found)
    for found in re.finditer(r"[^\W\d_]+\.?", words):
        word = found[0].rstrip(".")
        if word in _names("month") and (named := _named_date(words, found, today)):
            return named  # months come before weekdays: "mar" is both, and only a month has a number beside it
        if word in _words("moment.today") | _words("moment.tomorrow"):
            return today + timedelta(days=word in _words("moment.tomorrow")), "", _without(words, found)
        if word in _names("day"):
            ahead = (_names("day")[word] - today.weekday()) % 7
            return today + timedelta(days=ahead), "week", _without(words, found)
    return None, "", words


def _named_date(words: str, name: re.Match[str], today: date) -> tuple[date | None, str, str] | None:
    """Reads a date with the name of a month: ``3 feb``, ``3 de febrero de 2027``, ``feb 3``; None without a number."""
    month = _names("month")[name[0].rstrip(".")]
    spoken = re.escape(name[0])
    for pattern in (
        rf"(?<![\d:])(\d{{1,2}})(?:st|nd|rd|th)? (?:de )?{spoken}(?: (?:de )?(\d{{4}}))?(?!\d)",
        rf"{spoken} (\d{{1,2}})(?:st|nd|rd|th)?(?![\d:])(?: (\d{{4}}))?",
    ):
        if found := re.search(pattern, words):
            year = int(found[2]) if found[2] else 0
            return date(year or today.year, month, int(found[1])), "" if year else "year", _without(words, found)
    return None


def _without(words: str, found: re.Match[str]) -> str:
    return f"{words[: found.start()]} {words[found.end() :]}"
