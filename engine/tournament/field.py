"""The field of each stage: its entrants, seeds and sections, and the order in which they finish it.

The qualifiers of a stage are the best of each section. Withdrawn entrants are passed over, and the next ones go on. All
who share the last of these places go on, too. With ``Stage.qualifiers`` of 0 everybody goes on. Qualifiers are seeded
by their rank in the section, those with the same rank by section, so that the winners of all groups come first. In a
knockout, players of the same section are kept apart in the first round where that is possible.

A stage that has begun keeps its field: the entrants with a pairing in it. Later corrections of results change the
standings of their stage, but not the field of the next one.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from engine.tournament.formats import arena, bracket, elimination, ladder, sections
from engine.tournament.model import IN_ROUNDS, KNOCKOUTS, Entrant, Format, Pairing, Stage
from engine.tournament.standings import standings


def field(
    stages: tuple[Stage, ...], number: int, entrants: Sequence[Entrant], pairings: Sequence[Pairing]
) -> tuple[Entrant, ...]:
    """Returns the entrants of the stage (from 1) by seed, with their sections and seeds in this stage.

    Raises ValueError if an entrant comes late to a stage without late entries.
    """
    stage = stages[number - 1]
    rows = [pairing for pairing in pairings if pairing.stage == number]
    members = {player for pairing in rows for player in pairing.players}
    if number == 1:
        is_free = stage.format not in IN_ROUNDS  # no rounds: entrants who have left were there
        chosen = [one for one in entrants if is_free or one.id in members or not sections.has_left(one, 1)]
        chosen.sort(key=lambda entrant: entrant.seed)
        _check_entry(stage, chosen)
        if rows and stage.format is not Format.SWISS and stage.format in IN_ROUNDS:
            chosen = [entrant for entrant in chosen if entrant.id in members]
    else:
        chosen = _promoted(stages, number, entrants, pairings, members)
    if stage.format in KNOCKOUTS:
        by_id = {entrant.id: entrant for entrant in chosen}
        chosen = [by_id[entrant] for entrant in bracket.seeding(number, list(by_id), rows)]
    section = {player: pairing.section for pairing in rows for player in pairing.players}
    known = [replace(entrant, section=section.get(entrant.id, entrant.section)) for entrant in chosen]
    dealt = sections.assigned(stage, known)
    return tuple(replace(entrant, section=dealt[entrant.id]) for entrant in known)


def _check_entry(stage: Stage, entrants: Sequence[Entrant]) -> None:
    late = [entrant.id for entrant in entrants if entrant.first_round > 1]
    if late and stage.format in IN_ROUNDS and stage.format is not Format.SWISS:
        raise ValueError(f"nobody can enter a {stage.format.value} late: entrants {late}")


def _promoted(
    stages: tuple[Stage, ...],
    number: int,
    entrants: Sequence[Entrant],
    pairings: Sequence[Pairing],
    members: set[int],
) -> list[Entrant]:
    """Returns the qualifiers of the stage before, seeded for this one."""
    former = number - 1
    earlier = [pairing for pairing in pairings if pairing.stage < number]
    start = max((pairing.round for pairing in earlier), default=0) + 1
    by_id = {entrant.id: entrant for entrant in entrants}
    most = stages[former - 1].qualifiers
    placed: list[tuple[int, int, int]] = []
    for section, parts in finished(stages, former, entrants, pairings).items():
        fit: list[int] = []
        for part in parts:
            if most and not members and len(fit) >= most:
                break
            fit += [one for one in part if one in members or (not members and not sections.has_left(by_id[one], start))]
        placed += [(place, section, one) for place, one in enumerate(fit)]
    placed.sort()
    if stages[number - 1].format in KNOCKOUTS and not members:
        placed = _apart(placed)
    return [
        replace(by_id[one], seed=seed, section=0, byes=frozenset()) for seed, (_, _, one) in enumerate(placed, start=1)
    ]


def _apart(placed: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Changes the seeds (place, section, entrant) so that players of a section do not meet in the first round.

    The weaker one changes places with the nearest player of the same rank, or else of any other rank, for whom that
    makes no new pair of one section.
    """
    if len(placed) < 2 or len({section for _, section, _ in placed}) < 2:
        return placed
    total = bracket.size_of(len(placed)) + 1
    found = list(placed)

    def clash(seat: int) -> bool:
        other = total - (seat + 1) - 1
        return 0 <= other < len(found) and other != seat and found[seat][1] == found[other][1]

    for seat in range(len(found)):
        weaker = max(seat, total - seat - 2)
        if not clash(seat):
            continue
        rank = found[weaker][0]
        nearest = sorted(range(len(found)), key=lambda other: (found[other][0] != rank, abs(other - weaker), -other))
        for other in nearest:
            if other in {weaker, total - weaker - 2}:
                continue
            found[weaker], found[other] = found[other], found[weaker]
            if not clash(weaker) and not clash(other):
                break
            found[weaker], found[other] = found[other], found[weaker]
    return found


def finished(
    stages: tuple[Stage, ...], number: int, entrants: Sequence[Entrant], pairings: Sequence[Pairing]
) -> dict[int, tuple[tuple[int, ...], ...]]:
    """Orders the ids of each section by the present standings, the best first.

    Entrants who share a place stand together.
    """
    stage = stages[number - 1]
    if stage.format in {Format.SWISS, Format.ROUND_ROBIN}:
        found: dict[int, list[list[int]]] = defaultdict(list)
        for standing in standings(stages, number, field(stages, number, entrants, pairings), pairings):
            parts = found[standing.section]
            if standing.rank > sum(map(len, parts)):
                parts.append([])
            parts[-1].append(standing.entrant)
        return {section: tuple(map(tuple, parts)) for section, parts in sorted(found.items())}
    return {1: tiers(stages, number, entrants, pairings)}


def tiers(
    stages: tuple[Stage, ...], number: int, entrants: Sequence[Entrant], pairings: Sequence[Pairing]
) -> tuple[tuple[int, ...], ...]:
    """Orders the ids of a stage's field by their places; entrants who share a place stand together.

    The sections of a stage are tournaments of equal standing: their winners share the first places, and so on.
    """
    stage = stages[number - 1]
    if stage.format in {Format.SWISS, Format.ROUND_ROBIN}:
        found: dict[int, list[int]] = defaultdict(list)
        for parts in finished(stages, number, entrants, pairings).values():
            rank = 1
            for part in parts:
                found[rank] += part
                rank += len(part)
        return tuple(tuple(found[rank]) for rank in sorted(found))
    here = field(stages, number, entrants, pairings)
    rows = [pairing for pairing in pairings if pairing.stage == number]
    if stage.format is Format.ARENA:
        return arena.tiers(arena.scores(here, rows))
    if stage.format is Format.LADDER:
        return tuple((one,) for one in ladder.order(here, rows))
    return elimination.tiers(number, stage, [entrant.id for entrant in here], rows)
