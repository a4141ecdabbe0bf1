"""The next round of a tournament, whatever its stages.

Every pairing of the rounds so far has its result. The answer depends on nothing else, so asking twice gives the same
round twice. All pairings of a round may be decided already (byes and forfeits); then the next one is due at once.

Late entries: the rounds that an entrant of a Swiss has missed have no pairings; they count as zero-point byes. Other
formats have no late entries.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.tournament.field import field
from engine.tournament.formats import elimination, play_off, round_robin, swiss
from engine.tournament.formats.bracket import columns_of, size_of
from engine.tournament.formats.pairer import Pairer
from engine.tournament.formats.sections import group_count, has_left
from engine.tournament.model import (
    IN_ROUNDS,
    KNOCKOUTS,
    LARGEST_SECTION,
    Entrant,
    Format,
    NoPairing,
    Pairing,
    Round,
    Stage,
    Ties,
)
from engine.tournament.standings import play_offs

REASONS: Final = {
    **round_robin.REASONS,
    **elimination.REASONS,
    **play_off.REASONS,
    "first_round": frozenset[str](),
    "score_group": frozenset({"points"}),
    "floated": frozenset({"first", "second"}),
    "bye": frozenset({"points"}),
    "half_bye": frozenset[str](),
}
"""All reasons for pairings: their keys, with their parameters. The last five are those of a Swiss."""


def next_round(
    stages: tuple[Stage, ...],
    entrants: Sequence[Entrant],
    pairings: Sequence[Pairing],
    pairer: Pairer | None = None,
) -> Round | None:
    """Computes the next round; None when the tournament is over.

    Raises ValueError if a pairing has no result yet, a format does not go in rounds, or an entrant is too late.
    """
    if open_ones := [pairing for pairing in pairings if pairing.result is None]:
        raise ValueError(f"{len(open_ones)} pairings have no result yet")
    number = max((pairing.round for pairing in pairings), default=0) + 1
    current = max((pairing.stage for pairing in pairings), default=1)
    for stage_number in range(current, len(stages) + 1):
        stage = stages[stage_number - 1]
        if stage.format not in IN_ROUNDS:
            raise ValueError(f"a {stage.format.value} does not go in rounds")
        here = field(stages, stage_number, entrants, pairings)
        made = _paired(stage_number, stage, here, pairings, number, pairer)
        made = made or _play_off(stages, stage_number, here, pairings, number)
        if made:
            return Round(stage_number, number, made)
    return None


def _paired(
    stage_number: int,
    stage: Stage,
    here: tuple[Entrant, ...],
    pairings: Sequence[Pairing],
    number: int,
    pairer: Pairer | None,
) -> tuple[Pairing, ...]:
    """Pairs the round of this stage; nothing when the stage is over."""
    if len(here) < 2:
        return ()
    if stage.format in KNOCKOUTS:
        return elimination.next_round(stage_number, stage, here, pairings, number)
    rows = [pairing for pairing in pairings if pairing.stage == stage_number and not pairing.slot]
    if stage.format is Format.ROUND_ROBIN:
        return round_robin.next_round(stage_number, stage, here, rows, number)
    return _swiss(stage_number, stage, here, rows, number, pairer)


def _play_off(
    stages: tuple[Stage, ...], stage_number: int, here: tuple[Entrant, ...], pairings: Sequence[Pairing], number: int
) -> tuple[Pairing, ...]:
    """Pairs the next round of the stage's play-offs, or nothing if no play-off is needed any more."""
    rows = [pairing for pairing in pairings if pairing.stage == stage_number]
    if stages[stage_number - 1].ties is not Ties.PLAY_OFF or not rows:
        return ()
    made: list[Pairing] = []
    for one in play_offs(stages, stage_number, here, rows, number):
        group = [entrant for entrant in here if entrant.id in one.group]
        of_section = [pairing for pairing in rows if pairing.section == one.section]
        made += play_off.next_round(stage_number, group, one.places, of_section, number, one.section)
    return tuple(made)


def _swiss(
    stage_number: int,
    stage: Stage,
    here: tuple[Entrant, ...],
    rows: Sequence[Pairing],
    number: int,
    pairer: Pairer | None,
) -> tuple[Pairing, ...]:
    """Pairs the round of all sections. A section without a possible pairing has ended, independently of the others."""
    start = min((pairing.round for pairing in rows), default=number)
    rounds = planned_rounds(stage, here, start)
    if number - start >= rounds:
        return ()
    made: list[Pairing] = []
    for section in sorted({entrant.section for entrant in here}):
        before = [pairing for pairing in rows if pairing.section == section]
        ended = number > start and not any(pairing.round == number - 1 for pairing in before)
        group = [entrant for entrant in here if entrant.section == section]
        if ended or sum(not has_left(entrant, number) for entrant in group) < 2:
            continue
        try:
            made += swiss.next_round(
                stage_number, replace(stage, rounds=rounds), group, before, number, section, pairer
            )
        except NoPairing:
            continue
    return tuple(made)


def planned_rounds(stage: Stage, here: Sequence[Entrant], start: int) -> int:
    """Counts the rounds of a Swiss with this field that begins with the round ``start``."""
    return stage.rounds or swiss.usual_rounds(_largest([entrant for entrant in here if entrant.first_round <= start]))


def _largest(entrants: Sequence[Entrant]) -> int:
    sizes: dict[int, int] = {}
    for entrant in entrants:
        sizes[entrant.section] = sizes.get(entrant.section, 0) + 1
    return max(sizes.values(), default=0)


def rounds_expected(stages: tuple[Stage, ...], players: int) -> int:
    """Counts the most rounds of a tournament with this many players, without play-offs and games played again.

    A stage that does not go in rounds has none.
    """
    total = 0
    for stage in stages:
        groups = _groups(stage, players)
        largest = -(-players // groups)
        if players < 2:
            break
        if stage.format is Format.SWISS:
            total += stage.rounds or swiss.usual_rounds(largest)
        elif stage.format is Format.ROUND_ROBIN:
            total += 1 if stage.at_once else round_robin.rounds_of([largest], stage.legs)
        elif stage.format is Format.SINGLE_ELIMINATION:
            total += columns_of(size_of(players))
        elif stage.format is Format.DOUBLE_ELIMINATION:
            total += 2 * columns_of(size_of(players)) + int(stage.reset)
        if stage.qualifiers:
            players = sum(min(stage.qualifiers, (players + place) // groups) for place in range(groups))
    return total


def _groups(stage: Stage, players: int) -> int:
    if stage.format is Format.SWISS:
        return max(1, -(-players // LARGEST_SECTION))
    if stage.format is Format.ROUND_ROBIN:
        return group_count(stage, players)
    return 1
