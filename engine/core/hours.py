"""A player's recurring time off: daily rest hours and days off, in the player's own time zone.

The zone's UTC offsets are part of the data. So the engine needs no time zone database, and an old record never changes.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final, TypeAlias

from engine.core.errors import RuleError

Interval: TypeAlias = tuple[int, int]
"""A pair of times in ms: from (inclusive) and to (exclusive)."""

MINUTE: Final = 60_000
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR
NONE: Final = "-"
DAY_MINUTES: Final = 24 * 60
LONGEST_REST: Final = 12 * 60
MOST_DAYS_OFF: Final = 3
FARTHEST: Final = 18 * 60
"""The largest UTC offset accepted, in minutes. Every zone is within it."""
FIRST_WEEKDAY: Final = 3
"""The weekday of 1970-01-01, a Thursday."""
TEXT: Final = re.compile(r"(-|\d{1,4}-\d{1,4}) (-|\d(?:,\d)*) (-?\d{1,4})((?: \d{1,15}:-?\d{1,4})*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Hours:
    """Daily rest hours and days off; none by default. Raises RuleError for values out of range.

    A moment is off if its local weekday is one of ``weekend`` (0 = Monday), or its local time of day lies in ``rest``.
    """

    rest: tuple[int, int] | None = None
    """Start and end in minutes of the local day; may cross midnight."""
    weekend: tuple[int, ...] = ()
    offsets: tuple[tuple[int, int], ...] = ((0, 0),)
    """Pairs of a moment in ms since 1970 and the UTC offset in minutes from then on; the first also holds before."""

    def __post_init__(self) -> None:
        if self.rest is not None:
            begin, end = self.rest
            within = 0 <= begin < DAY_MINUTES and 0 <= end < DAY_MINUTES
            if not within or not 0 < (end - begin) % DAY_MINUTES <= LONGEST_REST:
                raise RuleError("hours.rest", most=LONGEST_REST // 60)
        days = self.weekend
        if days != tuple(sorted({day for day in days if 0 <= day < 7})) or len(days) > MOST_DAYS_OFF:
            raise RuleError("hours.weekend", most=MOST_DAYS_OFF)
        rising = all(earlier[0] < later[0] for earlier, later in pairwise(self.offsets))
        if not rising or not self.offsets or any(abs(minutes) > FARTHEST for _, minutes in self.offsets):
            raise RuleError("hours.text", text=str(self.offsets))

    @classmethod
    def parse(cls, text: str) -> "Hours":
        """Reads the output of ``str``: ``1320-420 5,6 60 1774746000000:120``; ``-`` for none. Raises RuleError."""
        if text == NONE:
            return cls()
        found = TEXT.fullmatch(text)
        if found is None:
            raise RuleError("hours.text", text=text)
        rest, weekend, first, later = found.groups()
        begin, _, end = rest.partition("-")
        changes = [change.split(":") for change in later.split()]
        return cls(
            rest=None if rest == NONE else (int(begin), int(end)),
            weekend=() if weekend == NONE else tuple(map(int, weekend.split(","))),
            offsets=((0, int(first)), *((int(since), int(minutes)) for since, minutes in changes)),
        )

    def __str__(self) -> str:
        if not self:
            return NONE
        rest = NONE if self.rest is None else f"{self.rest[0]}-{self.rest[1]}"
        weekend = ",".join(map(str, self.weekend)) or NONE
        first, *later = self.offsets
        return " ".join([rest, weekend, str(first[1]), *(f"{since}:{minutes}" for since, minutes in later)])

    def __bool__(self) -> bool:
        return self.rest is not None or bool(self.weekend)

    def intervals(self, since: int) -> Iterator[Interval]:
        """Yields the time off from about ``since`` on, in ms since 1970: disjoint, in ascending order, endless."""
        if not self:
            return
        week = _week(self.rest, self.weekend)
        ends = [begin for begin, _ in self.offsets[1:]]
        for number, (begin, minutes) in enumerate(self.offsets):
            last = number == len(ends)
            if not last and ends[number] <= since:
                continue
            shift = minutes * MINUTE
            day = ((max(since, begin) if number else since) + shift) // DAY
            while last or day * DAY - shift < ends[number]:
                midnight = day * DAY - shift
                for start, stop in week[(day + FIRST_WEEKDAY) % 7]:
                    opens = max(midnight + start, begin) if number else midnight + start
                    closes = midnight + stop if last else min(midnight + stop, ends[number])
                    if opens < closes:
                        yield opens, closes
                day += 1


@lru_cache(maxsize=256)
def _week(rest: tuple[int, int] | None, weekend: tuple[int, ...]) -> tuple[tuple[Interval, ...], ...]:
    """Returns the time off of each weekday, in ms of its day."""
    pieces: tuple[Interval, ...] = ()
    if rest is not None:
        begin, end = (minute * MINUTE for minute in rest)
        pieces = ((begin, end),) if begin < end else ((0, end), (begin, DAY))
    return tuple(((0, DAY),) if day in weekend else pieces for day in range(7))
