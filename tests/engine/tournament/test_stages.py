"""Sections, qualifiers, the rounds of a whole tournament, and its final order."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.tournament.director import REASONS, next_round, rounds_expected
from engine.tournament.field import field, finished
from engine.tournament.formats.bracket import size_of, slots
from engine.tournament.formats.sections import assigned
from engine.tournament.model import Entrant, Format, NoPairing, Pairing, Result, Stage
from engine.tournament.ranking import Placing, ranking

SWISS = Stage(Format.SWISS)
GROUPS = Stage(Format.ROUND_ROBIN, sections=4, qualifiers=2)
SINGLE = Stage(Format.SINGLE_ELIMINATION)
Stages = tuple[Stage, ...]


def field_of(players: int) -> list[Entrant]:
    return [Entrant(id=number, seed=number) for number in range(1, players + 1)]


def better_seed(pairing: Pairing) -> Result:
    assert pairing.second is not None
    return Result.FIRST_WINS if pairing.first < pairing.second else Result.SECOND_WINS


def play(
    stages: Stages, entrants: Sequence[Entrant], stage: int = 9, pairings: Sequence[Pairing] = ()
) -> list[Pairing]:
    """Plays the stage to its end; the better seed wins every game."""
    found = list(pairings)
    while (made := next_round(stages, entrants, found)) and made.stage <= stage:
        for one in made.pairings:
            assert one.reason is not None
            assert REASONS[one.reason.key] == {name for name, _ in one.reason.parameters}
        found += [replace(one, result=one.result or better_seed(one)) for one in made.pairings]
    return found


def test_groups_are_dealt_to_and_fro() -> None:
    assert list(assigned(replace(GROUPS, sections=3), field_of(8)).values()) == [1, 2, 3, 3, 2, 1, 1, 2]


@given(st.integers(1, 1024))
def test_a_large_swiss_is_cut_by_seed_into_equal_sections(players: int) -> None:
    sections = list(assigned(SWISS, field_of(players)).values())
    sizes = [sections.count(section) for section in sorted(set(sections))]
    assert sections == sorted(sections)
    assert max(sizes) <= 64
    assert max(sizes) - min(sizes) <= 1
    assert len(sizes) == -(-players // 64)


def test_late_entries_leave_the_sections_as_they_are() -> None:
    stored = [replace(entrant, section=1 + (entrant.id > 50)) for entrant in field_of(100)]
    found = assigned(SWISS, [*stored, Entrant(101, 1000), Entrant(102, 0)])
    assert {one.id: one.section for one in stored}.items() <= found.items()
    assert (found[101], found[102]) == (2, 1)
    full = [replace(entrant, section=1 + (entrant.id > 64)) for entrant in field_of(100)]
    assert assigned(SWISS, [*full, Entrant(101, 0)])[101] == 2
    both_full = [replace(entrant, section=1 + (entrant.id > 64)) for entrant in field_of(128)]
    assert assigned(SWISS, [*both_full, Entrant(129, 0)])[129] in {1, 2}


def test_group_winners_come_first_and_groups_are_kept_apart() -> None:
    stages = (GROUPS, SINGLE)
    entrants = field_of(16)
    pairings = play(stages, entrants, stage=1)
    made = next_round(stages, entrants, pairings)
    assert made is not None
    assert (made.stage, made.number) == (2, 4)
    here = field(stages, 2, entrants, pairings)
    assert [entrant.id for entrant in here] == [1, 2, 3, 4, 8, 7, 6, 5]
    sections = assigned(GROUPS, entrants)
    for one in made.pairings:
        assert one.second is not None
        assert sections[one.first] != sections[one.second]


@pytest.mark.parametrize("groups", range(2, 9))
@pytest.mark.parametrize("qualifiers", range(1, 5))
def test_nobody_meets_the_own_group_in_the_first_round_of_a_knockout(groups: int, qualifiers: int) -> None:
    stages = (replace(GROUPS, sections=groups, qualifiers=qualifiers), SINGLE)
    entrants = field_of(5 * groups)
    pairings = play(stages, entrants, stage=1)
    made = next_round(stages, entrants, pairings)
    sections = assigned(stages[0], entrants)
    assert made is not None
    seeds = [one.id for one in field(stages, 2, entrants, pairings)]
    assert set(seeds[:groups]) == set(range(1, groups + 1))
    assert len(seeds) == groups * qualifiers
    byes = [one.first for one in made.pairings if one.second is None]
    assert sorted(byes) == sorted(seeds[: size_of(len(seeds)) - len(seeds)])
    for one in made.pairings:
        assert one.second is None or sections[one.first] != sections[one.second]


def test_a_qualifier_who_has_withdrawn_is_passed_over() -> None:
    stages = (replace(GROUPS, sections=1), SINGLE)
    entrants = field_of(5)
    pairings = play(stages, entrants, stage=1)
    entrants[0] = replace(entrants[0], last_round=5)
    assert finished(stages, 1, entrants, pairings) == {1: ((1,), (2,), (3,), (4,), (5,))}
    assert [entrant.id for entrant in field(stages, 2, entrants, pairings)] == [2, 3]


def test_a_stage_that_has_begun_keeps_its_field() -> None:
    stages = (replace(GROUPS, sections=2), SINGLE)
    entrants = field_of(8)
    groups = play(stages, entrants, stage=1)
    semi_finals = next_round(stages, entrants, groups)
    assert semi_finals is not None
    corrected = [replace(one, result=Result.BOTH_FORFEIT) if 1 in one.players else one for one in groups]
    played = [replace(one, result=better_seed(one)) for one in semi_finals.pairings]
    final = next_round(stages, entrants, [*corrected, *played])
    assert final == next_round(stages, entrants, [*groups, *played])
    assert final is not None
    assert set(final.pairings[0].players) == {1, 2}


def test_all_go_on_without_a_number_of_qualifiers() -> None:
    stages = (Stage(Format.SWISS, rounds=2), SINGLE)
    assert len(field(stages, 2, field_of(6), play(stages, field_of(6), stage=1))) == 6


def test_a_swiss_into_a_knockout_and_the_final_order() -> None:
    stages = (Stage(Format.SWISS, rounds=3, qualifiers=4), replace(SINGLE, third_place=False))
    entrants = [*field_of(8), Entrant(9, 9, last_round=0)]
    pairings = play(stages, entrants)
    assert max(one.round for one in pairings) == 5 == rounds_expected(stages, 8)
    places = [(placing.first, placing.last) for placing in ranking(stages, entrants, pairings)]
    assert places == [(1, 1), (2, 2), (3, 4), (3, 4), (5, 5), (6, 6), (7, 7), (8, 8), (9, 9)]
    assert ranking(stages, entrants, pairings)[0] == Placing(1, 1, 1)
    assert ranking(stages, entrants, pairings)[-1] == Placing(9, 9, 9)


def test_sections_share_the_places() -> None:
    stages = (GROUPS, SINGLE)
    found = ranking(stages, field_of(16), play(stages, field_of(16)))
    assert [(placing.first, placing.last) for placing in found][8:] == [(9, 12)] * 4 + [(13, 16)] * 4
    assert {placing.entrant for placing in found[8:12]} == {9, 10, 11, 12}


def test_the_order_so_far() -> None:
    entrants = field_of(8)
    assert {(one.first, one.last) for one in ranking((SINGLE,), entrants, [])} == {(1, 8)}
    made = next_round((SINGLE,), entrants, [])
    assert made is not None
    first = [replace(one, result=better_seed(one)) for one in made.pairings]
    assert [one.last for one in ranking((SINGLE,), entrants, first)] == [4] * 4 + [8] * 4


def test_late_entries_of_a_swiss_are_paired_from_their_round_on() -> None:
    stages = (Stage(Format.SWISS, rounds=4),)
    entrants = [*field_of(6), Entrant(7, 7, first_round=3)]
    rows = [one for one in play(stages, entrants) if 7 in one.players]
    assert [one.round for one in rows] == [3, 4]
    last = ranking(stages, entrants, play(stages, entrants))
    assert len(last) == 7


def test_a_swiss_that_cannot_be_paired_ends_early_and_the_next_stage_follows() -> None:
    class Once:
        """Pairs the first round alone."""

        def pair(
            self, entrants: Sequence[Entrant], pairings: Sequence[Pairing], round_number: int, rounds: int
        ) -> list[tuple[int, int | None]]:
            if pairings or round_number > rounds:
                raise NoPairing("everybody has met everybody")
            ids = [entrant.id for entrant in entrants]
            return list(zip(ids[::2], ids[1::2], strict=True))

    stages = (Stage(Format.SWISS, rounds=5, qualifiers=2), SINGLE)
    entrants = field_of(6)
    made = next_round(stages, entrants, [], Once())
    assert made is not None
    first = [replace(one, result=better_seed(one)) for one in made.pairings]
    final = next_round(stages, entrants, first, Once())
    assert final is not None
    assert (final.stage, final.number, len(final.pairings)) == (2, 2, 1)
    assert next_round((SWISS,), entrants, first, Once()) is None


def test_a_section_that_has_ended_stays_so() -> None:
    class Pause:
        """Cannot pair the second round of the lower section."""

        def pair(
            self, entrants: Sequence[Entrant], pairings: Sequence[Pairing], round_number: int, rounds: int
        ) -> list[tuple[int, int | None]]:
            ids = [entrant.id for entrant in entrants]
            if ids[0] == 5 and len(pairings) == 2 and round_number <= rounds:
                raise NoPairing("not now")
            half = len(ids) // 2
            return list(zip(ids[:half], ids[half:], strict=True))

    stages = (Stage(Format.SWISS, rounds=3),)
    entrants = [replace(entrant, section=1 + (entrant.id > 4)) for entrant in field_of(8)]
    pairings: list[Pairing] = []
    while made := next_round(stages, entrants, pairings, Pause()):
        pairings += [replace(one, result=better_seed(one)) for one in made.pairings]
        if made.number == 2:  # now there would be more of the lower section's pairings than that
            pairings.append(replace(pairings[0], section=2, round=1, board=9, first=5, second=6))
    assert {(one.section, one.round) for one in pairings} == {(1, 1), (2, 1), (1, 2), (1, 3)}


def test_a_round_in_which_everybody_has_asked_for_a_bye() -> None:
    stages = (Stage(Format.SWISS, rounds=2),)
    entrants = [replace(entrant, byes=frozenset({1})) for entrant in field_of(2)]
    pairings = play(stages, entrants)
    assert [(one.round, one.result) for one in pairings][:2] == [(1, Result.HALF_BYE)] * 2
    assert pairings[-1].second is not None


@pytest.mark.parametrize("players", [0, 1])
@pytest.mark.parametrize("stage", [SWISS, GROUPS, SINGLE, Stage(Format.DOUBLE_ELIMINATION)])
def test_a_field_of_one_is_over(stage: Stage, players: int) -> None:
    entrants = field_of(players)
    assert next_round((stage,), entrants, []) is None
    assert [one.first for one in ranking((stage,), entrants, [])] == [1] * players
    assert rounds_expected((stage,), players) == 0


@pytest.mark.parametrize("one", [Format.ARENA, Format.LADDER])
def test_an_arena_has_no_rounds(one: Format) -> None:
    with pytest.raises(ValueError, match="does not go in rounds"):
        next_round((Stage(one),), field_of(4), [])
    assert rounds_expected((Stage(one),), 4) == 0


def test_the_rounds_of_several_stages_are_counted_through() -> None:
    stages = (Stage(Format.SWISS, rounds=3, qualifiers=8), replace(GROUPS, sections=2), SINGLE)
    pairings = play(stages, field_of(12))
    numbers = sorted({(one.stage, one.round) for one in pairings})
    assert all(before[1] + 1 == after[1] for before, after in pairwise(numbers))
    assert len(numbers) == rounds_expected(stages, 12) == 8
    assert all(slot.decided for slot in slots(3, SINGLE, [1, 2, 3, 4], pairings))
