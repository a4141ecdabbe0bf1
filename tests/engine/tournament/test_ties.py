"""Entrants whom no tie-break tells apart: shared places, a play-off, lots, or the initial order."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.tournament.director import next_round
from engine.tournament.field import field
from engine.tournament.model import Entrant, Format, Pairing, Result, Stage, Ties
from engine.tournament.ranking import ranking
from engine.tournament.standings import standings

ROUND_ROBIN = Stage(Format.ROUND_ROBIN)
KNOCKOUT = Stage(Format.SINGLE_ELIMINATION)
THREE = [Entrant(1, 1, lot=30), Entrant(2, 2, lot=10), Entrant(3, 3, lot=20)]
BEATS = {(1, 2), (2, 3), (3, 1)}
"""Each beats the next: all is equal."""


def circle(one: Pairing) -> Result:
    """Decides a pairing by BEATS. An entrant outside it loses against those inside."""
    first, second = one.players
    known = (first, second) in BEATS or (second > 3 and first < second)
    return Result.FIRST_WINS if known else Result.SECOND_WINS


def played(stages: tuple[Stage, ...], entrants: list[Entrant], rounds: int) -> list[Pairing]:
    pairings: list[Pairing] = []
    for _ in range(rounds):
        made = next_round(stages, entrants, pairings)
        assert made is not None
        pairings += [replace(one, result=one.result or circle(one)) for one in made.pairings]
    return pairings


def places(stages: tuple[Stage, ...], entrants: list[Entrant], pairings: list[Pairing]) -> list[tuple[int, int, int]]:
    """Returns the places of the stage's standings, and checks that the whole ranking has the same."""
    found = [(one.rank, one.last, one.entrant) for one in standings(stages, 1, entrants, pairings)]
    assert [(one.first, one.last, one.entrant) for one in ranking(stages, entrants, pairings)] == found
    return found


@pytest.mark.parametrize(
    ("ties", "expected"),
    [
        (Ties.SHARED, [(1, 3, 1), (1, 3, 2), (1, 3, 3)]),
        (Ties.LOTS, [(1, 1, 2), (2, 2, 3), (3, 3, 1)]),
        (Ties.SEED, [(1, 1, 1), (2, 2, 2), (3, 3, 3)]),
    ],
)
def test_nobody_is_champion_in_silence(ties: Ties, expected: list[tuple[int, int, int]]) -> None:
    stages = (replace(ROUND_ROBIN, ties=ties),)
    pairings = played(stages, THREE, 3)
    assert next_round(stages, THREE, pairings) is None
    assert places(stages, THREE, pairings) == expected
    assert [set(one.equals) for one in standings(stages, 1, THREE, pairings)] == [
        {1, 2, 3} - {entrant} for _, _, entrant in expected
    ]


def test_a_play_off_is_a_knockout_of_those_who_are_equal() -> None:
    stages = (replace(ROUND_ROBIN, ties=Ties.PLAY_OFF),)
    pairings = played(stages, THREE, 3)
    semi_final = next_round(stages, THREE, pairings)
    assert semi_final is not None
    assert (semi_final.stage, semi_final.number) == (1, 4)
    assert {one.players for one in semi_final.pairings} == {(1,), (2, 3)}
    assert {one.reason.key for one in semi_final.pairings if one.reason} == {"play_off"}
    before = {one.entrant: (one.points, one.tie_breaks) for one in standings(stages, 1, THREE, pairings)}
    pairings = played(stages, THREE, 5)
    assert next_round(stages, THREE, pairings) is None
    assert places(stages, THREE, pairings) == [(1, 1, 1), (2, 2, 2), (3, 3, 3)]
    assert {one.entrant: (one.points, one.tie_breaks) for one in standings(stages, 1, THREE, pairings)} == before


def test_a_play_off_decides_against_the_seeds() -> None:
    stages = (replace(ROUND_ROBIN, ties=Ties.PLAY_OFF),)
    pairings = played(stages, THREE, 4)
    final = next_round(stages, THREE, pairings)
    assert final is not None
    (one,) = final.pairings
    lost = Result.SECOND_WINS if one.first == 1 else Result.FIRST_WINS
    assert places(stages, THREE, [*pairings, replace(one, result=lost)]) == [(1, 1, 2), (2, 2, 1), (3, 3, 3)]


def test_who_has_left_plays_no_play_off() -> None:
    stages = (replace(ROUND_ROBIN, ties=Ties.PLAY_OFF),)
    pairings = played(stages, THREE, 3)
    entrants = [replace(THREE[0], last_round=3), *THREE[1:]]
    made = next_round(stages, entrants, pairings)
    assert made is not None
    assert [set(one.players) for one in made.pairings] == [{2, 3}]


@pytest.mark.parametrize(
    ("ties", "going_on"), [(Ties.SHARED, {1, 2, 3}), (Ties.LOTS, {2, 3}), (Ties.SEED, {1, 2}), (Ties.PLAY_OFF, {1, 2})]
)
def test_nobody_of_a_group_is_out_in_silence(ties: Ties, going_on: set[int]) -> None:
    """Three of four are equal, and two go on."""
    stages = (replace(ROUND_ROBIN, ties=ties, qualifiers=2), KNOCKOUT)
    entrants = [*THREE, Entrant(4, 4, lot=5)]
    pairings = played(stages, entrants, 3)
    if ties is Ties.PLAY_OFF:
        made = next_round(stages, entrants, pairings)
        assert made is not None
        assert made.stage == 1
        pairings = played(stages, entrants, 4)
    made = next_round(stages, entrants, pairings)
    assert made is not None
    assert made.stage == 2
    assert {entrant.id for entrant in field(stages, 2, entrants, pairings)} == going_on


def test_the_expelled_share_the_last_places_in_every_table() -> None:
    stages = (Stage(Format.SWISS, rounds=3, ties=Ties.SHARED),)
    entrants = [Entrant(number, number) for number in range(1, 7)]
    pairings = played(stages, entrants, 2)
    best = [one.entrant for one in standings(stages, 1, entrants, pairings)][:2]
    out = [replace(one, last_round=2, expelled=True) if one.id in best else one for one in entrants]
    found = places(stages, out, pairings)
    assert [(first, last) for first, last, one in found if one in best] == [(5, 6), (5, 6)]
