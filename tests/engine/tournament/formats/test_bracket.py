"""The brackets: seeds apart, byes to the best, rematches late, and every slot decided."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.tournament.director import next_round, rounds_expected
from engine.tournament.formats.bracket import Slot, layout, seed_order, size_of, slots
from engine.tournament.formats.elimination import tiers
from engine.tournament.model import Entrant, Format, Pairing, Result, Stage

SINGLE = Stage(Format.SINGLE_ELIMINATION)
DOUBLE = Stage(Format.DOUBLE_ELIMINATION)


def field_of(players: int) -> list[Entrant]:
    return [Entrant(id=number, seed=number) for number in range(1, players + 1)]


def play(stage: Stage, players: int, winner: Callable[..., int] = min) -> list[Pairing]:
    """Plays the whole knockout; ``winner`` chooses the winner of two ids."""
    entrants = field_of(players)
    pairings: list[Pairing] = []
    while made := next_round((stage,), entrants, pairings):
        for pairing in made.pairings:
            first_wins = pairing.result is None and winner(pairing.players) == pairing.first
            result = pairing.result or (Result.FIRST_WINS if first_wins else Result.SECOND_WINS)
            pairings.append(replace(pairing, result=result))
    return pairings


def by_id(found: tuple[Slot, ...]) -> dict[str, Slot]:
    return {slot.id: slot for slot in found}


def test_seeds_of_eight() -> None:
    assert seed_order(8) == (1, 8, 4, 5, 2, 7, 3, 6)


@pytest.mark.parametrize("size", [4, 16, 64, 1024])
def test_the_best_seeds_are_kept_apart_as_long_as_possible(size: int) -> None:
    order = seed_order(size)
    best = 2
    while best <= size:
        share = size // best
        assert all(sum(seed <= best for seed in order[at : at + share]) == 1 for at in range(0, size, share))
        best *= 2


@pytest.mark.parametrize("players", [2, 3, 5, 6, 8, 11, 16, 33])
def test_byes_go_to_the_best_seeds(players: int) -> None:
    made = next_round((SINGLE,), field_of(players), [])
    assert made is not None
    byes = {pairing.first for pairing in made.pairings if pairing.result is Result.PAIRING_BYE}
    assert byes == set(range(1, size_of(players) - players + 1))


@pytest.mark.parametrize(
    "players",
    [
        *(2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 33),
        *(
            pytest.param(more, marks=pytest.mark.thorough)
            for more in (*range(10, 15), *range(18, 33), 63, 65, 128, 200)
        ),
    ],
)
@pytest.mark.parametrize("stage", [SINGLE, replace(SINGLE, third_place=True), DOUBLE, replace(DOUBLE, reset=False)])
def test_the_better_seed_wins_every_game(stage: Stage, players: int) -> None:
    pairings = play(stage, players)
    found = slots(1, stage, range(1, players + 1), pairings)
    assert all(slot.decided for slot in found)
    ids = list(range(1, players + 1))
    assert [one for tier in tiers(1, stage, ids, pairings) for one in tier][:2] == [1, 2]
    assert max(pairing.round for pairing in pairings) <= rounds_expected((stage,), players)
    games = sum(pairing.second is not None for pairing in pairings)
    if stage.format is Format.SINGLE_ELIMINATION:
        assert games == players - 1 + (stage.third_place and players > 3)
    else:
        assert games == 2 * players - 2


@pytest.mark.parametrize("players", [2, 3, 4, 8, 13, 16])
def test_the_expected_rounds_of_a_double_elimination_are_reached(players: int) -> None:
    beaten: set[int] = set()

    def one_slip(two: tuple[int, int]) -> int:
        """Returns the winner: seed 1 loses its first game, and none after it."""
        if 1 in two and not beaten:
            beaten.add(1)
            return max(two)
        return min(two)

    assert max(pairing.round for pairing in play(DOUBLE, players, one_slip)) == rounds_expected((DOUBLE,), players)
    assert rounds_expected((SINGLE,), 9) == 4


def test_the_third_place_is_played_with_the_final() -> None:
    stage = replace(SINGLE, third_place=True)
    pairings = play(stage, 8)
    last = [pairing for pairing in pairings if pairing.round == 3]
    assert [pairing.slot for pairing in last] == ["W3-1", "T1"]
    assert tiers(1, stage, range(1, 9), pairings) == ((1,), (2,), (3,), (4,), (5, 6, 7, 8))
    assert tiers(1, SINGLE, range(1, 9), play(SINGLE, 8)) == ((1,), (2,), (3, 4), (5, 6, 7, 8))


def test_places_of_a_double_elimination() -> None:
    assert [len(tier) for tier in tiers(1, DOUBLE, range(1, 17), play(DOUBLE, 16))] == [1, 1, 1, 1, 2, 2, 4, 4]


def test_the_second_final_is_played_only_if_the_first_makes_it_due() -> None:
    def winner(two: tuple[int, int]) -> int:
        return min(two)

    assert "F2" not in {pairing.slot for pairing in play(DOUBLE, 4, winner)}
    beaten = set()

    def one_slip(two: tuple[int, int]) -> int:
        """Returns the winner: seed 1 loses the first game against 2."""
        if set(two) == {1, 2} and not beaten:
            beaten.add(1)
            return 2
        return min(two)

    pairings = play(DOUBLE, 4, one_slip)
    finals = [pairing for pairing in pairings if pairing.slot.startswith("F")]
    assert [pairing.slot for pairing in finals] == ["F1", "F2"]
    assert [frozenset(pairing.players) for pairing in finals] == [{1, 2}, {1, 2}]
    assert tiers(1, DOUBLE, [1, 2, 3, 4], pairings)[0] == (1,)
    beaten.clear()
    short = replace(DOUBLE, reset=False)
    assert [pairing.slot for pairing in play(short, 4, one_slip) if pairing.slot.startswith("F")] == ["F1"]


def first_rematches(size: int) -> dict[int, int]:
    """For each round of the winners' bracket, the round of the losers' bracket in which two of it can meet again.

    That is where the way of the loser crosses that of the winner, who has lost in a later round.
    """
    onward: dict[str, str] = {}
    dropped: dict[str, str] = {}
    bracket = layout(size, double=True, third_place=False, reset=True)
    for slot in bracket:
        for source in slot.sources:
            if source.kind == "winner":
                onward[str(source.seed_or_slot)] = slot.id
            elif source.kind == "loser" and slot.side == "L":
                dropped[str(source.seed_or_slot)] = slot.id

    def way(slot: str) -> list[str]:
        found = [slot]
        while onward[found[-1]] != "F1":
            found.append(onward[found[-1]])
        return found

    earliest: dict[int, int] = {}
    for slot in bracket:
        later = onward.get(slot.id, "F1")
        while slot.side == "W" and later[0] == "W":
            of_loser = way(dropped[slot.id])
            meeting = next(one for one in way(dropped[later]) if one in of_loser)
            column = int(meeting[1:].split("-")[0])
            earliest[slot.column] = min(earliest.get(slot.column, column), column)
            later = onward[later]
    return earliest


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (8, {1: 3, 2: 4}),
        (16, {1: 4, 2: 5, 3: 6}),
        (32, {1: 5, 2: 6, 3: 7, 4: 8}),
        (64, {1: 7, 2: 7, 3: 8, 4: 9, 5: 10}),
    ],
)
def test_rematches_come_late(size: int, expected: dict[int, int]) -> None:
    assert first_rematches(size) == expected


def test_crossing_is_a_permutation() -> None:
    for size in (4, 8, 64, 1024):
        sources = [
            (source.kind, source.seed_or_slot)
            for slot in layout(size, double=True, third_place=False, reset=True)
            if slot.id != "F2"
            for source in slot.sources
        ]
        assert len(sources) == len(set(sources)) == 2 * (2 * size - 2)


def test_a_drawn_game_is_played_again_with_the_seats_exchanged_then_the_better_seed_goes_on() -> None:
    entrants = field_of(2)
    first = next_round((SINGLE,), entrants, [])
    assert first is not None
    drawn = [replace(first.pairings[0], result=Result.DRAW)]
    second = next_round((SINGLE,), entrants, drawn)
    assert second is not None
    again = second.pairings[0]
    assert (again.first, again.second, again.attempt, again.slot) == (2, 1, 2, "W1-1")
    over = [*drawn, replace(again, result=Result.DRAW)]
    assert next_round((SINGLE,), entrants, over) is None
    assert tiers(1, SINGLE, [1, 2], over) == ((1,), (2,))


def test_seats_are_balanced_then_go_to_the_better_seed() -> None:
    entrants = field_of(4)
    first = next_round((SINGLE,), entrants, [])
    assert first is not None
    assert [pairing.players for pairing in first.pairings] == [(1, 4), (2, 3)]
    results = [
        replace(first.pairings[0], result=Result.FIRST_WINS),
        replace(first.pairings[1], result=Result.SECOND_WINS),
    ]
    final = next_round((SINGLE,), entrants, results)
    assert final is not None
    assert final.pairings[0].players == (3, 1)


@pytest.mark.parametrize("stage", [SINGLE, DOUBLE, replace(SINGLE, third_place=True)])
def test_both_forfeit_and_the_next_opponent_goes_on(stage: Stage) -> None:
    entrants = field_of(4)
    pairings: list[Pairing] = []
    while made := next_round((stage,), entrants, pairings):
        for pairing in made.pairings:
            gone = set(pairing.players) == {1, 4}
            result = pairing.result or (Result.BOTH_FORFEIT if gone else Result.FIRST_WINS)
            pairings.append(replace(pairing, result=result))
    order = tiers(1, stage, [1, 2, 3, 4], pairings)
    assert len(order[0]) == 1
    assert order[0][0] in {2, 3}
    assert all(slot.decided for slot in slots(1, stage, [1, 2, 3, 4], pairings))


@pytest.mark.parametrize("stage", [SINGLE, DOUBLE])
def test_all_withdraw_and_it_ends(stage: Stage) -> None:
    entrants = field_of(8)
    made = next_round((stage,), entrants, [])
    assert made is not None
    pairings = [replace(pairing, result=Result.FIRST_WINS) for pairing in made.pairings]
    gone = [replace(entrant, last_round=1) for entrant in entrants]
    while made := next_round((stage,), gone, pairings):
        assert all(pairing.result for pairing in made.pairings)
        pairings += made.pairings
    assert all(slot.decided for slot in slots(1, stage, range(1, 9), pairings))


def test_who_has_withdrawn_does_not_go_on_by_a_bye() -> None:
    """1 and 8 forfeit both, 4 beats 5 and leaves: nobody comes out of that half, and 2 has a bye in the final."""
    entrants = field_of(8)
    made = next_round((SINGLE,), entrants, [])
    assert made is not None
    pairings = [
        replace(one, result=Result.BOTH_FORFEIT if one.slot == "W1-1" else Result.FIRST_WINS) for one in made.pairings
    ]
    entrants[3] = replace(entrants[3], last_round=1)
    while made := next_round((SINGLE,), entrants, pairings):
        pairings += [replace(one, result=one.result or Result.FIRST_WINS) for one in made.pairings]
    found = by_id(slots(1, SINGLE, range(1, 9), pairings))
    assert found["W2-1"].pairing is not None
    assert (found["W2-1"].pairing.first, found["W2-1"].pairing.result) == (4, Result.ZERO_BYE)
    assert found["W3-1"].pairing is not None
    assert (found["W3-1"].pairing.first, found["W3-1"].pairing.result) == (2, Result.PAIRING_BYE)
    assert tiers(1, SINGLE, range(1, 9), pairings) == ((2,), (3, 4), (1, 5, 6, 7, 8))


def test_a_corrected_result_changes_no_pairing() -> None:
    entrants = field_of(4)
    pairings = [replace(p, result=Result.FIRST_WINS) for p in next_round((DOUBLE,), entrants, []).pairings]
    second = next_round((DOUBLE,), entrants, pairings)
    assert second is not None
    assert {frozenset(p.players) for p in second.pairings} == {frozenset({1, 2}), frozenset({3, 4})}
    corrected = [replace(pairings[0], result=Result.SECOND_WINS), pairings[1]]
    corrected += [replace(p, result=Result.FIRST_WINS) for p in second.pairings]
    third = next_round((DOUBLE,), entrants, corrected)
    assert third is not None
    assert [p.slot for p in third.pairings] == ["L2-1"]
    assert by_id(slots(1, DOUBLE, [1, 2, 3, 4], corrected))["W1-1"].winner == 1


def test_an_open_pairing_and_a_late_entry_are_refused() -> None:
    entrants = field_of(4)
    made = next_round((SINGLE,), entrants, [])
    assert made is not None
    with pytest.raises(ValueError, match="no result"):
        next_round((SINGLE,), entrants, made.pairings)
    for stage in (SINGLE, DOUBLE, Stage(Format.ROUND_ROBIN)):
        with pytest.raises(ValueError, match="late"):
            next_round((stage,), [*entrants, Entrant(5, 5, first_round=2)], [])


def test_who_withdraws_before_the_start_has_no_place() -> None:
    entrants = [*field_of(4), Entrant(5, 5, last_round=0)]
    made = next_round((SINGLE,), entrants, [])
    assert made is not None
    assert len(made.pairings) == 2


def test_a_bracket_of_1024() -> None:
    made = next_round((DOUBLE,), field_of(1024), [])
    assert made is not None
    assert len(made.pairings) == 512
    assert rounds_expected((DOUBLE,), 1024) == 21
