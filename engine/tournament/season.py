"""Points of a season: what the places of the tournaments of a series are worth together.

====== == = = = = = = =====
place   1 2 3 4 5 6 7 lower
points 10 7 5 4 3 2 1 none
====== == = = = = = = =====

Those who share places share their points: second and third together have (7 + 5) / 2 each.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Generic, TypeVar

POINTS: Final = (10, 7, 5, 4, 3, 2, 1)
"""By place, from the first."""

Who = TypeVar("Who", bound=Hashable)


def points_of(first: int, last: int) -> Fraction:
    """The points of each of those who share the places from ``first`` to ``last``."""
    return Fraction(sum(POINTS[first - 1 : last]), last - first + 1)


@dataclass(frozen=True, slots=True)
class SeasonLine(Generic[Who]):
    """A player in the table of a season."""

    rank: int
    """1 upwards; those with equal points have the same."""
    who: Who
    points: Fraction
    tournaments: int
    """In how many of them the player has a place."""


def table(tournaments: Iterable[Mapping[Who, tuple[int, int]]]) -> tuple[SeasonLine[Who], ...]:
    """The table of a season, from the first and last place of each player in each tournament.

    The best come first; players with equal points are in the order in which they first appear.
    """
    points: dict[Who, Fraction] = {}
    played: Counter[Who] = Counter()
    for places in tournaments:
        for who, (first, last) in places.items():
            points[who] = points.get(who, Fraction()) + points_of(first, last)
            played[who] += 1
    ordered = sorted(points, key=lambda who: -points[who])
    ranks = {value: sum(other > value for other in points.values()) + 1 for value in set(points.values())}
    return tuple(SeasonLine(ranks[points[who]], who, points[who], played[who]) for who in ordered)
