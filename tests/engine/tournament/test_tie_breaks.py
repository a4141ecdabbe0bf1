"""FIDE's tie-breaks: against gacrux, whose author checks the programs that FIDE endorses, and by hand."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from fakes.swiss import AnyPairer, Luck, Tournament
from gacrux.tiebreak import tiebreak
from gacrux.trf2json import trf2json
from hypothesis import given
from hypothesis import strategies as st

from engine.tournament import trf
from engine.tournament.model import Entrant, Format, Pairing, Result, Stage, TieBreak
from engine.tournament.standings import Explanation, explain, standings
from engine.tournament.tie_breaks import rules_on

NAMES = {
    TieBreak.BUCHHOLZ: "BH",
    TieBreak.MEDIAN_BUCHHOLZ: "BH/M1",
    TieBreak.SONNEBORN_BERGER: "SB",
    TieBreak.DIRECT_ENCOUNTER: "DE",
    TieBreak.WINS: "WIN",
    TieBreak.PROGRESSIVE: "PS",
}
LUCKS = (Luck(), Luck(late=0.2, leaves=0.2, bye=0.15, forfeit=0.2, nobody_comes=0.05))
DAYS = ("2025/10/01", "2026/02/28", "01.03.2026", "2026/10/01", "")
REPORTS = 120


def by_gacrux(text: str, order: Sequence[TieBreak], rounds: int, *, swiss: bool) -> dict[int, tuple[int, list[float]]]:
    """Returns the rank, the points and the tie-breaks of each starting rank."""
    file = trf2json()
    file.parse_file(text, 0)
    assert file.get_status() == 0
    tournament = file.get_tournament(1)
    params = {"tiebreak": ["PTS", *(NAMES[one] for one in order)], "check": False}
    params |= {"swiss": swiss, "pre_determined": not swiss}
    result = tiebreak(tournament, rounds, params).compute_tiebreaks(tournament, params)
    return {
        one["cid"]: (one["rank"], [float(value) for value in one["tiebreakScore"]]) for one in result["competitors"]
    }


def compare(entrants: Sequence[Entrant], pairings: Sequence[Pairing], form: Format, chance: Random) -> set[TieBreak]:
    """Asserts equal values and the same order. Returns the tie-breaks that told somebody from somebody."""
    order = tuple(chance.sample(list(TieBreak), len(TieBreak)))
    names = {entrant.id: f"Player {entrant.id}" for entrant in entrants}
    rounds = max(pairing.round for pairing in pairings)
    text = trf.write(trf.report_of("Oracle", entrants, names, pairings, rounds, chance.choice(DAYS)))
    expected = by_gacrux(text, order, rounds, swiss=form is Format.SWISS)
    read = trf.read(text)
    found = standings((Stage(form, tie_breaks=order),), 1, *trf.tournament(read), rules_on(read.first_day))
    for standing in found:
        values = [standing.points, *(value for _, value in standing.tie_breaks)]
        assert values == expected[standing.entrant][1], (standing, order, text)
    ranks = [expected[standing.entrant][0] for standing in found]
    assert ranks == sorted(ranks)
    return {
        one[0]
        for above, below in pairwise(found)
        for one, other in zip(above.tie_breaks, below.tie_breaks, strict=True)
        if above.points == below.points and one != other
    }


def test_swiss_like_gacrux() -> None:
    told, compared = set[TieBreak](), 0
    for seed in range(REPORTS):
        chance = Random(seed)
        made = Tournament(chance, chance.randint(4, 20), chance.randint(1, 8), LUCKS[seed % 2], AnyPairer(chance))
        made.play(made.rounds)
        if any(pairing.result and pairing.result.played for pairing in made.pairings):
            told |= compare(made.entrants, made.pairings, Format.SWISS, chance)
            compared += 1
    assert compared > 100
    assert told == set(TieBreak)


@pytest.mark.parametrize("legs", [1, 2])
def test_round_robins_like_gacrux(legs: int) -> None:
    told = set[TieBreak]()
    for seed in range(20):
        chance = Random(seed)
        entrants, pairings = round_robin(chance, chance.randint(3, 8), legs)
        told |= compare(entrants, pairings, Format.ROUND_ROBIN, chance)
    assert TieBreak.DIRECT_ENCOUNTER in told


def round_robin(chance: Random, size: int, legs: int) -> tuple[list[Entrant], list[Pairing]]:
    """Pairs everybody with everybody by the circle; a few do not come."""
    entrants = [Entrant(seed, seed, 2500 - seed) for seed in range(1, size + 1)]
    ring: list[int | None] = [*range(1, size + 1)]
    if size % 2:
        ring.append(None)
    results = [Result.FIRST_WINS, Result.SECOND_WINS, Result.DRAW] * 4
    results += [Result.FIRST_WINS_BY_FORFEIT, Result.SECOND_WINS_BY_FORFEIT, Result.BOTH_FORFEIT]
    pairings = []
    for number in range(1, legs * (len(ring) - 1) + 1):
        for first, second in zip(ring[: len(ring) // 2], reversed(ring), strict=False):
            if first is not None and second is not None:
                seats = (first, second) if number < len(ring) else (second, first)
                pairings.append(Pairing(1, number, len(pairings) + 1, *seats, result=chance.choice(results)))
        ring.insert(1, ring.pop())
    return entrants, pairings


ALL = (Stage(Format.SWISS, tie_breaks=tuple(TieBreak)),)


@given(st.integers(0, 10_000), st.integers(2, 16), st.integers(1, 7))
def test_every_value_is_the_sum_of_its_terms(seed: int, size: int, rounds: int) -> None:
    chance = Random(seed)
    made = Tournament(chance, size, rounds, LUCKS[seed % 2], AnyPairer(chance))
    made.play(rounds)
    if chance.random() < 0.5:  # a round is going on
        last = made.played
        made.pairings = [
            replace(one, result=None) if one.round == last and one.second and chance.random() < 0.5 else one
            for one in made.pairings
        ]
    found = standings(ALL, 1, made.entrants, made.pairings)
    assert [standing.rank for standing in found] == list(range(1, size + 1))
    assert {standing.entrant for standing in found} == {entrant.id for entrant in made.entrants}
    total = sum(sum(pairing.result.points) for pairing in made.pairings if pairing.result)
    assert sum(standing.points for standing in found) == total
    for standing in found:
        points, *rest = explain(ALL, 1, made.entrants, made.pairings, standing.entrant)
        assert (points.tie_break, points.value) == (None, standing.points)
        assert tuple((one.tie_break, one.value) for one in rest) == standing.tie_breaks
        for one in (points, *rest):
            assert sum(term.value for term in one.terms if term.counts) == one.value
        assert standing.played == standing.wins + standing.draws + standing.losses


def game(number: int, first: int, second: int | None, result: Result | None) -> Pairing:
    return Pairing(1, number, 1, first, second, result=result)


def field(size: int) -> list[Entrant]:
    return [Entrant(seed, seed) for seed in range(1, size + 1)]


def of(explanations: Sequence[Explanation], tie_break: TieBreak) -> Explanation:
    return next(one for one in explanations if one.tie_break is tie_break)


def test_buchholz_of_unplayed_rounds_by_hand() -> None:
    """1 beats 2, then has the bye, then half a point on request at the end; 3 loses by forfeit to 2."""
    pairings = [
        game(1, 1, 2, Result.FIRST_WINS),
        game(1, 3, None, Result.PAIRING_BYE),
        game(2, 2, 3, Result.FIRST_WINS_BY_FORFEIT),
        game(2, 1, None, Result.PAIRING_BYE),
        game(3, 2, 3, Result.DRAW),
        game(3, 1, None, Result.HALF_BYE),
    ]

    def buchholz(entrant: int, rules: int) -> list[tuple[int, float, str]]:
        found = of(explain(ALL, 1, field(3), pairings, entrant, rules), TieBreak.BUCHHOLZ)
        return [(term.round, term.value, term.note) for term in found.terms]

    # 1 has 2.5 points, 2 and 3 have 1.5
    assert buchholz(1, 2024) == [(1, 1.5, "opponent"), (2, 2.5, "virtual"), (3, 2.5, "virtual")]
    # since 2026 a virtual opponent has at most half a point a round
    assert buchholz(1, 2026) == [(1, 1.5, "opponent"), (2, 1.5, "virtual"), (3, 1.5, "virtual")]
    assert buchholz(2, 2026) == [(1, 2.5, "opponent"), (2, 1.5, "virtual"), (3, 1.5, "opponent")]
    median = of(explain(ALL, 1, field(3), pairings, 1, 2024), TieBreak.MEDIAN_BUCHHOLZ)
    # the voluntary round goes first though it is not the lowest
    assert [term.note for term in median.terms] == ["opponent", "cut_highest", "cut_lowest"]
    assert median.value == 1.5


def test_direct_encounter_by_hand() -> None:
    """1, 2 and 3 have a point each: 1 has beaten 2, 2 has beaten 3, 3 has beaten 4, and 1 has lost to 4."""
    by_encounter = (Stage(Format.SWISS, tie_breaks=(TieBreak.DIRECT_ENCOUNTER,)),)
    pairings = [
        game(1, 1, 2, Result.FIRST_WINS),
        game(1, 3, 4, Result.FIRST_WINS),
        game(2, 2, 3, Result.FIRST_WINS),
        game(2, 4, 1, Result.FIRST_WINS),
    ]
    # in a circle that nobody has closed, nobody can be told apart: all could still reach two points
    found = {one.entrant: one.tie_breaks[0][1] for one in standings(by_encounter, 1, field(4), pairings)}
    assert found == {1: 0, 2: 0, 3: 0, 4: 0}
    # two who have met
    two = [game(1, 1, 2, Result.SECOND_WINS), game(2, 1, None, Result.PAIRING_BYE), game(2, 2, None, Result.ZERO_BYE)]
    standing = standings(by_encounter, 1, field(2), two)
    assert [(one.entrant, one.points, one.tie_breaks[0][1]) for one in standing] == [(2, 1, 1), (1, 1, 2)]
    terms = explain(by_encounter, 1, field(2), two, 1)[1].terms
    assert [(term.round, term.opponent, term.value, term.note, term.counts) for term in terms] == [
        (1, 2, 0.0, "met", False),
        (0, None, 2.0, "place", True),
    ]


def test_sections_and_later_stages_stand_alone() -> None:
    stages = (Stage(Format.SWISS, sections=2), Stage(Format.ROUND_ROBIN))
    entrants = [Entrant(1, 1, section=1), Entrant(2, 2, section=2), Entrant(3, 3, section=1), Entrant(4, 4, section=2)]
    pairings = [
        game(1, 3, 1, Result.FIRST_WINS),
        replace(game(1, 2, 4, Result.FIRST_WINS), section=2),
        replace(game(2, 2, 3, Result.FIRST_WINS), stage=2),
    ]
    first = [(one.section, one.rank, one.entrant, one.points) for one in standings(stages, 1, entrants, pairings)]
    assert first == [(1, 1, 3, 1.0), (1, 2, 1, 0.0), (2, 1, 2, 1.0), (2, 2, 4, 0.0)]
    second = [(one.rank, one.entrant, one.points) for one in standings(stages, 2, entrants, pairings)]
    assert second == [(1, 2, 1.0), (2, 3, 0.0)]
    with pytest.raises(KeyError):
        explain(stages, 2, entrants, pairings, 1)
