"""The points of a season, for the places in the tournaments of a series.

====== == = = = = = = =====
place   1 2 3 4 5 6 7 lower
points 10 7 5 4 3 2 1 none
====== == = = = = = = =====

Players who share places share their points: second and third together have (7 + 5) / 2 each.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Generic, TypeVar

POINTS: Final = (10, 7, 5, 4, 3, 2, 1)
"""The points of each place, from the first."""

Who = TypeVar("Who", bound=Hashable)


def points_of(first: int, last: int) -> Fraction:
    """Computes the points of each player who shares the places from ``first`` to ``last``."""
    return Fraction(sum(POINTS[first - 1 : last]), last - first + 1)


@dataclass(frozen=True, slots=True)
class SeasonLine(Generic[Who]):
    rank: int
    """1 upwards; players with equal points have the same."""
    who: Who
    points: Fraction
    tournaments: int
    """The number of tournaments in which the player has a place."""


def table(tournaments: Iterable[Mapping[Who, tuple[int, int]]]) -> tuple[SeasonLine[Who], ...]:
    """Computes the table of a season, from the first and last place of each player in each tournament.

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
