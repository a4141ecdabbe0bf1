"""Time off in words: rest hours and days off, vacations, and the times when the bot itself was away."""

from typing import Final

from babel.dates import get_day_names

from bot.i18n import Language
from bot.ui.clocks import length, stamp
from engine.core.hours import Hours
from engine.core.record import Entry, Kind
from engine.core.timekeeping import interval

ABSENCE: Final = frozenset({Kind.HOURS, Kind.AWAY, Kind.CREDIT})


def absence(entry: Entry, seat: str, started: int, say: Language) -> str:
    """An entry of one of those kinds in words; ``started`` is the game's start in ms since 1970."""
    if entry.kind is Kind.HOURS:
        return hours(Hours.parse(entry.body), seat, say)
    begin, end = interval(entry.body)
    if entry.kind is Kind.CREDIT:
        return say("story.credit", time=length(end - begin, say))
    if end <= entry.at:
        return say("story.back", seat=seat)
    until = stamp(started + end, "f")
    if begin <= entry.at:
        return say("story.away", seat=seat, until=until)
    return say("story.leaves", seat=seat, since=stamp(started + begin, "f"), until=until)


def hours(off: Hours, seat: str, say: Language) -> str:
    """A player's rest hours and days off, in the player's local time."""
    begin, end = off.rest or (0, 0)
    rest = f"{_clock(begin)}–{_clock(end)}"  # noqa: RUF001 - a range takes a dash
    names = get_day_names("abbreviated", locale=say.code)
    days = say.listed(names[day] for day in off.weekend)
    if off.rest is None:
        return say("story.hours_days", seat=seat, days=days) if off else say("story.hours_none", seat=seat)
    return say("story.hours_both" if off.weekend else "story.hours_rest", seat=seat, rest=rest, days=days)


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
