"""Arenas: who is paired, seats, and points with streaks."""

import pytest

from engine.tournament.formats.arena import Waiting, pair_free, scores, tiers
from engine.tournament.model import Entrant, Pairing, Result

WIN, LOSS, DRAW = Result.FIRST_WINS, Result.SECOND_WINS, Result.DRAW


def games(*rows: tuple[int, int, Result | None]) -> list[Pairing]:
    return [Pairing(1, 0, board, one, other, result=how) for board, (one, other, how) in enumerate(rows, start=1)]


def free(*ids: int) -> list[Waiting]:
    return [Waiting(one, since) for since, one in enumerate(ids)]


@pytest.mark.parametrize(
    ("results", "sheet", "streak"),
    [
        ("", (), False),
        ("W", (2,), False),
        ("WW", (2, 2), True),
        ("WWW", (2, 2, 4), True),
        ("WWWW", (2, 2, 4, 4), True),
        ("WWD", (2, 2, 2), False),
        ("WWDW", (2, 2, 2, 2), False),
        ("WWLW", (2, 2, 0, 2), False),
        ("WDWW", (2, 1, 2, 2), True),
        ("DDLWW", (1, 1, 0, 2, 2), True),
    ],
)
def test_points_with_streaks(results: str, sheet: tuple[int, ...], streak: bool) -> None:
    rows = games(*((1, 2, {"W": WIN, "D": DRAW, "L": LOSS}[how]) for how in results))
    score = next(one for one in scores([Entrant(1, 1), Entrant(2, 2)], rows) if one.entrant == 1)
    assert (score.sheet, score.points, score.streak) == (sheet, sum(sheet), streak)


def test_order_of_the_standings() -> None:
    entrants = [Entrant(one, one) for one in (1, 2, 3, 4)]
    found = scores(entrants, games((1, 3, DRAW), (1, 3, DRAW), (2, 4, WIN), (4, 2, None)))
    assert [(one.rank, one.entrant, one.points) for one in found] == [(1, 2, 2), (2, 1, 2), (2, 3, 2), (4, 4, 0)]
    assert tiers(found) == ((2,), (1, 3), (4,))


def test_who_has_waited_longest_meets_the_closest() -> None:
    """Points: 8 for the first, 6, 2, 0 for the fourth."""
    rows = games(
        *[(1, 9, WIN)] * 2, (1, 9, WIN), *[(2, 8, WIN), (9, 8, WIN), (2, 7, DRAW)] * 2, (3, 7, WIN), (4, 7, LOSS)
    )
    assert {one.entrant: one.points for one in scores([Entrant(one, one) for one in (1, 2, 3, 4)], rows)} == {
        1: 8,
        2: 6,
        3: 2,
        4: 0,
    }
    assert {frozenset(pair) for pair in pair_free(free(1, 2, 3, 4), rows)} == {frozenset({1, 2}), frozenset({3, 4})}
    assert {frozenset(pair) for pair in pair_free(free(3, 1, 2), rows)} == {frozenset({3, 2})}
    assert {frozenset(pair) for pair in pair_free(free(1, 3, 4), rows)} == {frozenset({1, 3})}


def test_nobody_meets_the_same_twice_in_a_row_unless_alone() -> None:
    rows = games((1, 2, WIN))
    assert pair_free(free(1, 2), rows) == ((2, 1),)
    assert {frozenset(pair) for pair in pair_free(free(1, 2, 3), rows)} == {frozenset({1, 3})}
    after = games((1, 2, WIN), (1, 3, WIN))
    assert {frozenset(pair) for pair in pair_free(free(1, 2, 3), after)} == {frozenset({2, 3})}


def test_two_who_are_left_after_their_game_take_players_of_another_pair() -> None:
    rows = games((3, 4, WIN), (1, 9, LOSS), (2, 9, LOSS), (4, 3, WIN))
    pairs = pair_free(free(1, 2, 3, 4), rows)
    assert {3, 4} not in [set(pair) for pair in pairs]
    assert sorted(one for pair in pairs for one in pair) == [1, 2, 3, 4]


def test_seats_are_balanced() -> None:
    assert pair_free(free(1, 2), []) == ((1, 2),)
    assert pair_free(free(2, 1), []) == ((2, 1),)
    assert pair_free(free(1, 2), games((1, 3, WIN))) == ((2, 1),)
    assert pair_free(free(1, 2), games((1, 3, WIN), (3, 1, WIN), (4, 2, WIN), (2, 4, WIN))) == ((1, 2),)
    assert pair_free(free(1, 2), games((4, 2, WIN), (2, 4, WIN), (3, 1, WIN), (1, 3, WIN))) == ((2, 1),)


def test_one_alone_waits() -> None:
    assert pair_free([], []) == ()
    assert pair_free(free(7), games((7, 8, WIN))) == ()


def test_a_thousand_are_paired_at_once() -> None:
    pairs = pair_free(free(*range(1, 1001)), [])
    assert len({one for pair in pairs for one in pair}) == 1000
