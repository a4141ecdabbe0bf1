"""The points of a season: the table, shared places, and the sums."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tournament.season import POINTS, points_of, table


@pytest.mark.parametrize(
    ("first", "last", "points"),
    [
        (1, 1, 10),
        (2, 2, 7),
        (7, 7, 1),
        (8, 8, 0),
        (1, 2, Fraction(17, 2)),
        (2, 4, Fraction(16, 3)),
        (5, 8, Fraction(6, 4)),
        (9, 16, 0),
    ],
)
def test_places_have_points_and_shared_ones_share_them(first: int, last: int, points: Fraction) -> None:
    assert points_of(first, last) == points


def test_the_table_sums_and_ranks() -> None:
    first = {"ana": (1, 1), "ben": (2, 3), "cleo": (2, 3), "dan": (4, 4)}
    second = {"ben": (1, 1), "dan": (2, 2), "eva": (3, 3)}
    rows = [(one.rank, one.who, one.points, one.tournaments) for one in table([first, second])]
    assert rows == [(1, "ben", 16, 2), (2, "dan", 11, 2), (3, "ana", 10, 1), (4, "cleo", 6, 1), (5, "eva", 5, 1)]
    assert [(one.rank, one.who) for one in table([{"a": (1, 2), "b": (1, 2), "c": (3, 3)}])] == [
        (1, "a"),
        (1, "b"),
        (3, "c"),
    ]
    assert table([]) == ()


@given(st.lists(st.integers(1, 5), min_size=1, max_size=8))
def test_sharing_takes_and_gives_nothing(groups: list[int]) -> None:
    """However places are shared, the points of all are those of the table."""
    places, at = {}, 1
    for size in groups:
        places |= dict.fromkeys(range(at, at + size), (at, at + size - 1))
        at += size
    rows = table([places])
    assert sum(one.points for one in rows) == sum(POINTS[: at - 1])
    assert [one.points for one in rows] == sorted((one.points for one in rows), reverse=True)
    assert all(one.rank == sum(other.points > one.points for other in rows) + 1 for one in rows)
