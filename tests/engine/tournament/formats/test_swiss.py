"""Laws of a Swiss, played with all that happens in one, and the cases that the laws do not reach."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from fakes.swiss import Luck, Tournament
from harness.examples import examples
from harness.thinning import one_of
from hypothesis import given
from hypothesis import strategies as st

from engine.tournament.formats.pairer import NOTHING, DutchPairer, histories
from engine.tournament.formats.swiss import initial_color, next_round, usual_rounds
from engine.tournament.model import Entrant, Format, NoPairing, Pairing, Reason, Result, Stage

LUCKS = (Luck(), Luck(late=0.25, leaves=0.25, bye=0.1, forfeit=0.2, nobody_comes=0.03))
SWISS = Stage(Format.SWISS, rounds=3)
FOUR = [Entrant(seed, seed) for seed in range(1, 5)]


def lawful(made: Tournament) -> None:
    """Asserts what holds in every Swiss."""
    by_id = {entrant.id: entrant for entrant in made.entrants}
    for number in range(1, made.played + 1):
        ofs = [pairing for pairing in made.pairings if pairing.round == number]
        seats = Counter(player for pairing in ofs for player in pairing.players)
        assert set(seats.values()) <= {1}
        assert [pairing.board for pairing in ofs] == list(range(1, len(ofs) + 1))
        expected = {
            entrant.id
            for entrant in made.entrants
            if entrant.first_round <= number and (entrant.last_round is None or number <= entrant.last_round)
        }
        assert set(seats) == expected
        asked = {pairing.first for pairing in ofs if pairing.result is Result.HALF_BYE}
        assert asked == {player for player in expected if number in by_id[player].byes}
        assert sum(pairing.result is Result.PAIRING_BYE for pairing in ofs) == (len(expected) - len(asked)) % 2
    met = Counter(frozenset(p.players) for p in made.pairings if p.result and p.result.played)
    assert set(met.values()) <= {1}
    before_last = [pairing for pairing in made.pairings if pairing.round < made.rounds]
    for pairings, most, in_a_row in ((before_last, 2, 2), (made.pairings, 3, 3)):
        for history in histories([], pairings).values():
            assert abs(history.color_difference) <= most
            runs = (history.colors[start : start + in_a_row + 1] for start in range(len(history.colors) - in_a_row))
            assert all(len(set(run)) > 1 for run in runs)
    for entrant in made.entrants:
        free = [
            pairing.round
            for pairing in made.pairings
            if pairing.result
            and not pairing.result.played
            and entrant.id in pairing.players
            and pairing.result.points[pairing.players.index(entrant.id)] == 1
        ]
        byes = [p.round for p in made.pairings if p.result is Result.PAIRING_BYE and p.first == entrant.id]
        assert len(byes) <= 1
        assert not byes or byes[0] == min(free)  # nobody has the bye after a win without playing
    leaders_only(made)
    given = sum(sum(pairing.result.points) for pairing in made.pairings if pairing.result)
    assert given == sum(history.points for history in histories([], made.pairings).values())


def leaders_only(made: Tournament) -> None:
    """Checks that in the last round colours give way only where one of the two has more than half of the points."""
    if made.played < made.rounds:
        return
    before = histories([entrant.id for entrant in made.entrants], [p for p in made.pairings if p.round < made.rounds])
    for pairing in made.pairings:
        if pairing.round == made.rounds and pairing.second is not None:
            first, second = before[pairing.first], before[pairing.second]
            if first.must_not_have("white") or second.must_not_have("black"):
                assert 2 * max(first.points, second.points) > made.rounds - 1


@pytest.mark.parametrize(
    ("colors", "forbidden"),
    [
        ("", ""),
        ("w", ""),
        ("ww", "w"),
        ("wwb", ""),
        ("wbw", ""),
        ("wwbw", "w"),
        ("wwbbw", ""),
        ("bb", "b"),
        ("bbwb", "b"),
    ],
)
def test_no_third_game_in_a_row_and_no_difference_of_three(colors: str, forbidden: str) -> None:
    named = tuple("white" if color == "w" else "black" for color in colors)
    history = replace(NOTHING, colors=named)
    assert [color[0] for color in ("white", "black") if history.must_not_have(color)] == list(forbidden)


@examples(30)
@given(st.integers(0, 100_000), st.integers(2, 18), st.integers(1, 9))
def test_laws(seed: int, size: int, rounds: int) -> None:
    made = Tournament(Random(seed), size, rounds, LUCKS[seed % 2])
    if not made.play(rounds):
        assert size < 2 * rounds + 6  # only a small field runs out of opponents
    lawful(made)


@one_of("size", [33, 64])
def test_laws_of_a_large_field(size: int) -> None:
    made = Tournament(Random(size), size, 3, LUCKS[1])
    assert made.play(3)
    lawful(made)


def test_two_players_meet_once() -> None:
    made = Tournament(Random(1), 2, 5, Luck(late=0, leaves=0, bye=0, forfeit=0, nobody_comes=0))
    assert made.play(1)
    with pytest.raises(NoPairing, match="too many have already met"):
        next_round(1, made.stage, made.entrants, made.pairings, 2, 1)


def test_after_a_forfeit_two_may_meet_again() -> None:
    pairings = [Pairing(1, 1, 1, 1, 2, result=Result.FIRST_WINS_BY_FORFEIT)]
    (again,) = next_round(1, SWISS, FOUR[:2], pairings, 2, 1)
    assert again.players in {(1, 2), (2, 1)}


def test_a_forfeit_win_forbids_the_bye() -> None:
    pairings = [
        Pairing(1, 1, 1, 1, 2, result=Result.FIRST_WINS_BY_FORFEIT),
        Pairing(1, 1, 2, 3, None, result=Result.PAIRING_BYE),
    ]
    made = next_round(1, SWISS, FOUR[:3], pairings, 2, 1)
    assert [pairing.first for pairing in made if pairing.result] == [2]
    alone = [Entrant(1, 1), Entrant(2, 2, last_round=1), Entrant(3, 3, last_round=1)]
    with pytest.raises(NoPairing, match="nobody can have the bye"):
        next_round(1, SWISS, alone, pairings, 2, 1)


def test_byes_late_entries_and_withdrawals() -> None:
    entrants = [*FOUR, Entrant(5, 5, first_round=2), Entrant(6, 6, last_round=0), Entrant(7, 7, byes=frozenset({1}))]
    made = next_round(1, SWISS, entrants, [], 1, 4)
    assert [(one.board, one.first, one.second, one.section, one.result) for one in made] == [
        (1, 1, 3, 4, None),
        (2, 4, 2, 4, None),
        (3, 7, None, 4, Result.HALF_BYE),
    ]
    # byes and late entries count through the first stage only
    later = next_round(2, SWISS, entrants, [], 1, 1)
    assert {player for one in later for player in one.players} == {1, 2, 3, 4, 5, 7}


def test_reasons() -> None:
    first = next_round(1, SWISS, FOUR, [], 1, 1)
    assert [one.reason for one in first] == [Reason("first_round")] * 2
    results = (Result.FIRST_WINS, Result.DRAW)
    played = [
        Pairing(1, 1, one.board, one.first, one.second, result=result)
        for one, result in zip(first, results, strict=True)
    ]
    five = [*FOUR, Entrant(5, 5, byes=frozenset({3}))]
    second = next_round(1, SWISS, five, played, 2, 1)
    assert [(one.players, one.reason) for one in second] == [
        ((2, 1), Reason("floated", (("first", 0.5), ("second", 1.0)))),
        ((5, 4), Reason("floated", (("first", 0.0), ("second", 0.5)))),
        ((3,), Reason("bye", (("points", 0.0),))),
    ]


def test_a_round_in_a_later_stage_counts_from_its_own_first() -> None:
    """Round 7 is the second of a stage of two rounds: it is the last, and the first stage's points do not count."""
    stage = Stage(Format.SWISS, rounds=2)
    before = [Pairing(1, 1, 1, 1, 2, result=Result.FIRST_WINS)]
    sixth = next_round(2, stage, FOUR, before, 6, 1)
    assert [one.players for one in sixth] == [(1, 3), (4, 2)]
    played = [Pairing(2, 6, one.board, one.first, one.second, result=Result.FIRST_WINS) for one in sixth]

    class Asked:
        def pair(self, entrants: object, pairings: object, round_number: int, rounds: int) -> list[tuple[int, int]]:
            assert (entrants, pairings, round_number, rounds) == (FOUR, played, 2, 2)
            return [(1, 4), (2, 3)]

    seventh = next_round(2, stage, FOUR, [*before, *played], 7, 1, pairer=Asked())
    assert [one.players for one in seventh] == [(1, 4), (2, 3)]


def test_a_pairing_without_a_result_is_an_error() -> None:
    with pytest.raises(ValueError, match="round 1 has no result"):
        next_round(1, SWISS, FOUR, [Pairing(1, 1, 1, 1, 2)], 2, 1)


def test_floats_go_by_the_scores_before_the_round() -> None:
    """Also where the opponent has left since."""
    pairings = [
        Pairing(1, 1, 1, 1, 2, result=Result.FIRST_WINS),
        Pairing(1, 1, 2, 3, None, result=Result.HALF_BYE),
        Pairing(1, 2, 1, 1, 3, result=Result.DRAW),
        Pairing(1, 2, 2, 2, None, result=Result.ZERO_BYE),
    ]
    known = histories([3], pairings)
    assert (known[1].floats, known[2].floats, known[3].floats) == (("none", "down"), ("none", "none"), ("down", "up"))
    assert known[3].points == 1.0
    assert known[1].colors == ("white", "white")


@pytest.mark.parametrize("color", ["white", "black"])
def test_the_first_color_is_kept(color: str) -> None:
    assert color in {"white", "black"}
    pairer = DutchPairer("white" if color == "white" else "black")
    first = next_round(1, SWISS, FOUR, [], 1, 1, pairer=pairer)
    assert initial_color(FOUR, first) == color
    assert initial_color(FOUR, []) is None
    # the best one was away: the second one's colour tells it
    away = [Entrant(1, 1, byes=frozenset({1})), *FOUR[1:]]
    assert initial_color(away, next_round(1, SWISS, away, [], 1, 1, pairer=pairer)) == color


def test_usual_rounds() -> None:
    assert [usual_rounds(players) for players in (2, 3, 4, 5, 8, 9, 40, 64)] == [1, 2, 2, 3, 3, 4, 6, 6]
    assert all(usual_rounds(a) <= usual_rounds(b) for a, b in pairwise(range(1, 200)))
