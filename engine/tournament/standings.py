"""Who stands where in a Swiss or a round robin, and why."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.tournament.formats.round_robin import counted, uncounted
from engine.tournament.model import USUAL_TIE_BREAKS, Entrant, Format, Pairing, Stage, TieBreak
from engine.tournament.tie_breaks import (
    LOWEST_FIRST,
    RULES_2026,
    SUMS,
    Crosstable,
    Term,
    direct_encounter,
    points,
    value,
)


@dataclass(frozen=True, slots=True)
class Standing:
    rank: int
    """1 upwards within the section; the seed decides at last, so nobody shares one."""
    entrant: int
    section: int
    points: float
    played: int
    """Games played against somebody: no byes, no forfeits. So are wins, draws and losses."""
    wins: int
    draws: int
    losses: int
    tie_breaks: tuple[tuple[TieBreak, float], ...]
    """In the stage's order. A direct encounter is the place among those tied, 1 the best; 0: it decides nothing."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """How the points (``tie_break`` None) or a tie-break come about: the value is the sum of the terms that count."""

    tie_break: TieBreak | None
    value: float
    terms: tuple[Term, ...]


def standings(
    stages: tuple[Stage, ...],
    stage: int,
    entrants: Sequence[Entrant],
    pairings: Sequence[Pairing],
    rules: int = RULES_2026,
) -> tuple[Standing, ...]:
    """The standings of the stage of this number (from 1), by section, then by rank. Pairings without a result wait."""
    found: list[Standing] = []
    for section, explained in _sections(stages, stage, entrants, pairings, rules):
        for rank, (entrant, table, values) in enumerate(explained, start=1):
            notes = [turn.note for turn in table.turns[entrant] if turn.played]
            found.append(
                Standing(
                    rank=rank,
                    entrant=entrant,
                    section=section,
                    points=table.points[entrant],
                    played=len(notes),
                    wins=notes.count("won"),
                    draws=notes.count("drawn"),
                    losses=notes.count("lost"),
                    tie_breaks=tuple(
                        (explanation.tie_break, explanation.value) for explanation in values if explanation.tie_break
                    ),
                )
            )
    return tuple(found)


def explain(
    stages: tuple[Stage, ...],
    stage: int,
    entrants: Sequence[Entrant],
    pairings: Sequence[Pairing],
    entrant_id: int,
    rules: int = RULES_2026,
) -> tuple[Explanation, ...]:
    """The entrant's points and tie-breaks in the stage, term by term. Raises KeyError: the entrant is not in it."""
    for _, explained in _sections(stages, stage, entrants, pairings, rules):
        for entrant, _, explanations in explained:
            if entrant == entrant_id:
                return explanations
    raise KeyError(entrant_id)


def _sections(
    stages: tuple[Stage, ...], number: int, entrants: Sequence[Entrant], pairings: Sequence[Pairing], rules: int
) -> Iterable[tuple[int, list[tuple[int, Crosstable, tuple[Explanation, ...]]]]]:
    """Each section's entrants in order, with their explanations."""
    stage = stages[number - 1]
    of_stage = [pairing for pairing in pairings if pairing.stage == number]
    section_of = {player: pairing.section for pairing in of_stage for player in pairing.players}
    if number == 1:
        section_of = {entrant.id: section_of.get(entrant.id, entrant.section or 1) for entrant in entrants}
    seeds = {entrant.id: entrant.seed for entrant in entrants}
    counting = counted(number, stage, entrants, of_stage)
    gone = uncounted(number, stage, entrants, of_stage)  # they come last
    for section in sorted(set(section_of.values())):
        players = sorted((player for player in section_of if section_of[player] == section), key=seeds.__getitem__)
        table = Crosstable(
            players,
            [pairing for pairing in counting if pairing.section == section],
            is_round_robin=stage.format is Format.ROUND_ROBIN,
            rules=rules,
        )
        ordered = _ordered(table, players, stage.tie_breaks or USUAL_TIE_BREAKS.get(stage.format, ()))
        yield section, sorted(ordered, key=lambda line: line[0] in gone)


def _ordered(
    table: Crosstable, players: Sequence[int], tie_breaks: Sequence[TieBreak]
) -> list[tuple[int, Crosstable, tuple[Explanation, ...]]]:
    """The players in order. ``players`` come by seed, which decides at last."""
    explained = {player: [_explanation(None, points(table, player))] for player in players}
    groups = _split([list(players)], {player: -table.points[player] for player in players})
    for tie_break in tie_breaks:
        terms: dict[int, tuple[Term, ...]] = {}
        if tie_break is TieBreak.DIRECT_ENCOUNTER:
            for group in groups:
                terms |= direct_encounter(table, group)
        else:
            terms = {player: SUMS[tie_break](table, player) for player in players}
        for player in players:
            explained[player].append(_explanation(tie_break, terms[player]))
        sign = 1 if tie_break in LOWEST_FIRST else -1
        groups = _split(groups, {player: sign * value(terms[player]) for player in players})
    return [(player, table, tuple(explained[player])) for group in groups for player in group]


def _explanation(tie_break: TieBreak | None, terms: tuple[Term, ...]) -> Explanation:
    return Explanation(tie_break, value(terms), terms)


def _split(groups: Sequence[Sequence[int]], keys: dict[int, float]) -> list[list[int]]:
    """Each group in the order of the keys, lowest first, and parted where they differ."""
    return [
        [player for player in group if keys[player] == key]
        for group in groups
        for key in sorted({keys[player] for player in group})
    ]
