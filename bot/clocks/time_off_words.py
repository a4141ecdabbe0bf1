"""Time off in words: rest hours, days off, vacations, and outages of the bot."""

from typing import Final

from babel.dates import get_day_names

from bot.clocks.words import length, next_rest, stamp
from bot.core.translations import Language
from engine.core.hours import Hours
from engine.core.record import Entry, Kind
from engine.core.timekeeping import interval

ABSENCE: Final = frozenset({Kind.HOURS, Kind.AWAY, Kind.CREDIT})


def absence(entry: Entry, seat: str, started: int, say: Language) -> str:
    """Describes an entry of one of the kinds in ABSENCE; ``started`` is the game's start in ms since 1970."""
    if entry.kind is Kind.HOURS:
        return hours(Hours.parse(entry.body), seat, started + entry.at, say)
    begin, end = interval(entry.body)
    if entry.kind is Kind.CREDIT:
        return say("story.credit", time=length(end - begin, say))
    if end <= entry.at:
        return say("story.back", seat=seat)
    if begin == end:  # it never began, or none of its days count in the server any more
        return say("story.called_off", seat=seat, since=stamp(started + begin, "D"))
    until = stamp(started + end, "f")
    if begin <= entry.at:
        return say("story.away", seat=seat, until=until)
    return say("story.leaves", seat=seat, since=stamp(started + begin, "f"), until=until)


def hours(off: Hours, seat: str, now: int, say: Language) -> str:
    """Describes a player's rest hours, in the reader's own time, and days off. ``now`` in ms since 1970."""
    names = get_day_names("abbreviated", locale=say.code)
    days = say.listed(names[day] for day in off.weekend)
    rest = next_rest(off, now)
    if rest is None:
        return say("story.hours_days", seat=seat, days=days) if off else say("story.hours_none", seat=seat)
    begin, end = (stamp(moment, "t") for moment in rest)
    return say("story.hours_both" if days else "story.hours_rest", seat=seat, begin=begin, end=end, days=days)
