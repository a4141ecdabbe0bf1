"""Round robins: the tables of the handbook, seats, groups, and who withdraws."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from engine.tournament.director import next_round, rounds_expected
from engine.tournament.formats.round_robin import counted, schedule, uncounted
from engine.tournament.model import Entrant, Format, Pairing, Result, Stage
from engine.tournament.standings import standings

STAGE = Stage(Format.ROUND_ROBIN)
BERGER = {
    4: "1-4 2-3, 4-3 1-2, 2-4 3-1",
    6: "1-6 2-5 3-4, 6-4 5-3 1-2, 2-6 3-1 4-5, 6-5 1-4 2-3, 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5, 8-5 6-4 7-3 1-2, 2-8 3-1 4-7 5-6, 8-6 7-5 1-4 2-3, 3-8 4-2 5-1 6-7, 8-7 1-6 2-5 3-4, "
    "4-8 5-3 6-2 7-1",
}
"""FIDE Handbook C.05, annex 1."""


def field_of(players: int) -> list[Entrant]:
    return [Entrant(id=number, seed=number) for number in range(1, players + 1)]


def better_seed(pairing: Pairing) -> Result:
    assert pairing.second is not None
    return Result.FIRST_WINS if pairing.first < pairing.second else Result.SECOND_WINS


def play(
    stage: Stage, entrants: list[Entrant], rounds: int = 1000, pairings: list[Pairing] | None = None
) -> list[Pairing]:
    found = list(pairings or [])
    while rounds and (made := next_round((stage,), entrants, found)):
        rounds -= 1
        found += [replace(one, result=one.result or better_seed(one)) for one in made.pairings]
    return found


@pytest.mark.parametrize("size", [4, 6, 8])
def test_the_tables_of_the_handbook(size: int) -> None:
    rounds = [[tuple(map(int, pair.split("-"))) for pair in text.split()] for text in BERGER[size].split(", ")]
    assert [sorted(pairs) for pairs in schedule(size)] == [sorted(pairs) for pairs in rounds]


@pytest.mark.parametrize("size", [*range(2, 22), 63, 64])
@pytest.mark.parametrize("legs", [1, 2])
def test_everybody_meets_everybody(size: int, legs: int) -> None:
    rounds = schedule(size, legs)
    assert len(rounds) == legs * (size - 1 + size % 2)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs if pair[1] is not None)
    assert met == dict.fromkeys(map(frozenset, combinations(range(1, size + 1), 2)), legs)
    assert all(sorted(p for pair in pairs for p in pair if p) == list(range(1, size + 1)) for pairs in rounds)
    first = Counter(one for pairs in rounds for one, other in pairs if other is not None)
    assert all(abs(2 * first[number] - legs * (size - 1)) <= legs % 2 for number in range(1, size + 1))
    if legs == 2:
        seats = Counter(pair for pairs in rounds for pair in pairs if pair[1] is not None)
        assert set(seats.values()) == {1}


@pytest.mark.parametrize("size", range(4, 22))
@pytest.mark.parametrize("legs", [1, 2])
def test_nobody_has_the_same_seat_three_times_in_a_row(size: int, legs: int) -> None:
    seats = dict.fromkeys(range(1, size + 1), "")
    for pairs in schedule(size, legs):
        for first, second in pairs:
            if second is not None:
                seats[first] += "1"
                seats[second] += "2"
    assert not [seat for seat in seats.values() if "111" in seat or "222" in seat]


def test_who_is_left_over_has_a_row_but_no_points() -> None:
    pairings = play(STAGE, field_of(5))
    left_over = [pairing for pairing in pairings if pairing.second is None]
    assert sorted(pairing.first for pairing in left_over) == [1, 2, 3, 4, 5]
    assert {pairing.result for pairing in left_over} == {Result.ZERO_BYE}
    lines = standings((STAGE,), 1, field_of(5), pairings)
    assert [(line.entrant, line.points, line.played) for line in lines] == [
        (1, 4, 4),
        (2, 3, 4),
        (3, 2, 4),
        (4, 1, 4),
        (5, 0, 4),
    ]


def test_groups_of_unequal_size() -> None:
    stage = replace(STAGE, sections=3)
    pairings = play(stage, field_of(8))
    groups = {number: {p for one in pairings if one.section == number for p in one.players} for number in (1, 2, 3)}
    assert groups == {1: {1, 6, 7}, 2: {2, 5, 8}, 3: {3, 4}}
    games = Counter(one.section for one in pairings if one.second is not None)
    assert games == {1: 3, 2: 3, 3: 1}
    assert rounds_expected((stage,), 8) == max(one.round for one in pairings) == 3


def test_there_are_no_groups_of_one() -> None:
    pairings = play(replace(STAGE, sections=4), field_of(5))
    assert {one.section for one in pairings} == {1, 2}


def test_a_group_of_which_one_is_left_ends_at_once() -> None:
    entrants = [replace(entrant, section=1 + (entrant.id > 3)) for entrant in field_of(4)]
    pairings = play(STAGE, entrants)
    assert [(one.first, one.second, one.result) for one in pairings if one.section == 2] == [(4, None, Result.ZERO_BYE)]


@pytest.mark.parametrize(("last_round", "is_counted"), [(1, False), (2, False), (3, True), (4, True)])
def test_withdrawing_before_half_of_the_games(last_round: int, is_counted: bool) -> None:
    """Six players, five games each: two are fewer than half, three are not."""
    entrants = field_of(6)
    pairings = play(STAGE, entrants, rounds=last_round)
    entrants[0] = replace(entrants[0], last_round=last_round)
    pairings = play(STAGE, entrants, pairings=pairings)
    rest = [one for one in pairings if 1 in one.players and one.round > last_round]
    assert len(rest) == 5 - last_round
    assert {one.result for one in rest} <= {Result.FIRST_WINS_BY_FORFEIT, Result.SECOND_WINS_BY_FORFEIT}
    assert uncounted(1, STAGE, entrants, pairings) == (set() if is_counted else {1})
    assert any(1 in one.players for one in counted(1, STAGE, entrants, pairings)) is is_counted
    lines = {line.entrant: line for line in standings((STAGE,), 1, entrants, pairings)}
    assert lines[1].points == (last_round if is_counted else 0)
    assert sum(line.points for line in lines.values()) == (15 if is_counted else 10)
    assert (lines[1].rank == 6) is not is_counted


def test_exactly_half_of_the_games_count() -> None:
    entrants = field_of(5)
    pairings = play(STAGE, entrants, rounds=3)
    entrants[0] = replace(entrants[0], last_round=3)
    assert sum(1 in one.players and one.second is not None for one in pairings) == 2
    assert not uncounted(1, STAGE, entrants, play(STAGE, entrants, pairings=pairings))


def test_who_was_not_counted_stands_behind_who_lost_everything() -> None:
    entrants = field_of(5)
    entrants[0] = replace(entrants[0], last_round=1)
    pairings = play(STAGE, entrants)
    assert [line.entrant for line in standings((STAGE,), 1, entrants, pairings)] == [2, 3, 4, 5, 1]


def test_two_who_have_left_forfeit_both() -> None:
    entrants = field_of(4)
    pairings = play(STAGE, entrants, rounds=1)
    gone = [replace(entrant, last_round=1) if entrant.id in {3, 4} else entrant for entrant in entrants]
    found = play(STAGE, gone, pairings=pairings)
    assert [one.result for one in found if set(one.players) == {3, 4}] == [Result.BOTH_FORFEIT]


def test_the_first_round_fixes_the_schedule() -> None:
    """Seeds that change later do not change who meets whom."""
    entrants = field_of(7)
    pairings = play(STAGE, entrants, rounds=1)
    turned = [replace(entrant, seed=8 - entrant.seed) for entrant in entrants]
    assert play(STAGE, turned, pairings=pairings) == play(STAGE, entrants)
