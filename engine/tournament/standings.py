"""The standings of a Swiss or a round robin, and their explanation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.tournament.formats import play_off
from engine.tournament.formats.round_robin import counted, uncounted
from engine.tournament.formats.sections import has_left
from engine.tournament.model import USUAL_TIE_BREAKS, Entrant, Format, Pairing, Stage, TieBreak, Ties
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
    """1 upwards within the section."""
    last: int
    """The same as ``rank``, or later where the places from ``rank`` to ``last`` are shared."""
    entrant: int
    section: int
    points: float
    played: int
    """Games played against an opponent, without byes and forfeits. Wins, draws and losses count the same games."""
    wins: int
    draws: int
    losses: int
    tie_breaks: tuple[tuple[TieBreak, float], ...]
    """The values in the stage's order.

    A direct encounter is the place among the tied, 1 the best; 0: it decides nothing.
    """
    equals: tuple[int, ...]
    """The other entrants with the same points and tie-breaks. ``Stage.ties`` may still order them."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The origin of the points (``tie_break`` None) or of a tie-break: the value is the sum of the counted terms."""

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
    """Computes the standings of the stage of this number (from 1), by section, then by rank.

    Pairings without a result do not count yet.
    """
    found: list[Standing] = []
    for table in _tables(stages, stage, entrants, pairings, rules):
        rank = 1
        for group in table.groups:
            for part in table.parted(group):
                found += [table.standing(rank, len(part), player, group) for player in part]
                rank += len(part)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class PlayOff:
    """The entrants whom a play-off has to order."""

    section: int
    group: tuple[int, ...]
    """Their ids, by seed."""
    places: int
    """The number of places to win."""


def play_offs(
    stages: tuple[Stage, ...], stage: int, entrants: Sequence[Entrant], pairings: Sequence[Pairing], number: int
) -> tuple[PlayOff, ...]:
    """Finds the play-offs of a stage whose other rounds are over, at most one for each section.

    That of the last stage is for the first place, that of another one for going on. Entrants who have left before the
    round ``number`` take no place.
    """
    wanted = stages[stage - 1].qualifiers if stage < len(stages) else 1
    out = {entrant.id for entrant in entrants if has_left(entrant, number)}
    members = {player for one in pairings if one.stage == stage and one.slot for player in one.players}
    found = []
    for table in _tables(stages, stage, entrants, pairings):
        left = wanted
        for group in table.groups:
            here = tuple(one for one in group if one in members or one not in out)
            if 0 < left < len(here):
                found.append(PlayOff(table.section, here, left))
            left -= len(here)
    return tuple(found)


def explain(
    stages: tuple[Stage, ...],
    stage: int,
    entrants: Sequence[Entrant],
    pairings: Sequence[Pairing],
    entrant_id: int,
    rules: int = RULES_2026,
) -> tuple[Explanation, ...]:
    """Explains the entrant's points and tie-breaks in the stage, term by term.

    Raises KeyError if the entrant is not in the stage.
    """
    for table in _tables(stages, stage, entrants, pairings, rules):
        if entrant_id in table.explained:
            return table.explained[entrant_id]
    raise KeyError(entrant_id)


@dataclass(frozen=True, slots=True)
class _Table:
    """The standings of one section."""

    stage: Stage
    section: int
    crosstable: Crosstable
    explained: dict[int, tuple[Explanation, ...]]
    groups: tuple[tuple[int, ...], ...]
    """The entrants in order; those equal by points and tie-breaks stand together, by seed."""
    lots: dict[int, int]
    expelled: frozenset[int]
    rows: tuple[Pairing, ...]
    """All pairings of the section, with its play-off."""

    def parted(self, group: tuple[int, ...]) -> list[list[int]]:
        """Splits a group by ``Stage.ties``; entrants who still stand together share the places."""
        if self.stage.ties is Ties.SHARED or self.expelled.issuperset(group):
            return [list(group)]
        if self.stage.ties is Ties.PLAY_OFF:
            return play_off.tiers(group, self.rows)
        return [[one] for one in (sorted(group, key=self.lots.__getitem__) if self.stage.ties is Ties.LOTS else group)]

    def standing(self, rank: int, shared: int, player: int, group: tuple[int, ...]) -> Standing:
        notes = [turn.note for turn in self.crosstable.turns[player] if turn.played]
        return Standing(
            rank=rank,
            last=rank + shared - 1,
            entrant=player,
            section=self.section,
            points=self.crosstable.points[player],
            played=len(notes),
            wins=notes.count("won"),
            draws=notes.count("drawn"),
            losses=notes.count("lost"),
            tie_breaks=tuple((one.tie_break, one.value) for one in self.explained[player] if one.tie_break),
            equals=() if player in self.expelled else tuple(one for one in group if one != player),
        )


def _tables(
    stages: tuple[Stage, ...],
    number: int,
    entrants: Sequence[Entrant],
    pairings: Sequence[Pairing],
    rules: int = RULES_2026,
) -> Iterable[_Table]:
    """Yields the sections of a stage. Uncounted entrants come last in theirs, expelled ones after them."""
    stage = stages[number - 1]
    of_stage = [pairing for pairing in pairings if pairing.stage == number]
    section_of = {player: pairing.section for pairing in of_stage for player in pairing.players}
    if number == 1:
        section_of = {entrant.id: section_of.get(entrant.id, entrant.section or 1) for entrant in entrants}
    by_id = {entrant.id: entrant for entrant in entrants}
    counting = counted(number, stage, entrants, of_stage)
    gone = uncounted(number, stage, entrants, of_stage)
    expelled = frozenset(entrant.id for entrant in entrants if entrant.expelled)
    for section in sorted(set(section_of.values())):
        players = [player for player in section_of if section_of[player] == section]
        players.sort(key=lambda player: by_id[player].seed)
        table = Crosstable(
            players,
            [pairing for pairing in counting if pairing.section == section],
            is_round_robin=stage.format is Format.ROUND_ROBIN,
            rules=rules,
        )
        explained, equal = _ordered(table, players, stage.tie_breaks or USUAL_TIE_BREAKS.get(stage.format, ()))
        groups = [
            tuple(one for one in group if one not in expelled and (one in gone) is is_gone)
            for is_gone in (False, True)
            for group in equal
        ]
        groups.append(tuple(one for one in players if one in expelled))
        yield _Table(
            stage,
            section,
            table,
            explained,
            tuple(group for group in groups if group),
            {one: by_id[one].lot for one in players},
            expelled,
            tuple(pairing for pairing in of_stage if pairing.section == section),
        )


def _ordered(
    table: Crosstable, players: Sequence[int], tie_breaks: Sequence[TieBreak]
) -> tuple[dict[int, tuple[Explanation, ...]], list[list[int]]]:
    """Returns each player's explanations, and the players in order; equal ones stand together, as in ``players``."""
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
    return {player: tuple(explanations) for player, explanations in explained.items()}, groups


def _explanation(tie_break: TieBreak | None, terms: tuple[Term, ...]) -> Explanation:
    return Explanation(tie_break, value(terms), terms)


def _split(groups: Sequence[Sequence[int]], keys: dict[int, float]) -> list[list[int]]:
    """Orders each group by the keys, lowest first, and splits it where they differ."""
    return [
        [player for player in group if keys[player] == key]
        for group in groups
        for key in sorted({keys[player] for player in group})
    ]
