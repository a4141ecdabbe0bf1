"""The sections of a stage, and the entrants who have left the tournament."""

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.tournament.model import KNOCKOUTS, LARGEST_SECTION, Entrant, Format, Stage


def has_left(entrant: Entrant, number: int) -> bool:
    """Returns whether the entrant has withdrawn before the round, which is counted through all stages."""
    return entrant.last_round is not None and entrant.last_round < number


def assigned(stage: Stage, entrants: Iterable[Entrant]) -> dict[int, int]:
    """Assigns a section to each entrant by id, from 1.

    An entrant with a section keeps it. If nobody has one, the groups of a round robin are dealt by seed to and fro (1 2
    3 3 2 1 …; at least two players each), and a Swiss is cut by seed into equal sections of at most
    ``LARGEST_SECTION``. Late entries join the section of the next stronger entrant; if it is full, the nearest one with
    room, or else the smallest, which then grows beyond.
    """
    ordered = sorted(entrants, key=lambda entrant: entrant.seed)
    if stage.format in KNOCKOUTS or not ordered:
        return {entrant.id: 1 for entrant in ordered}
    if any(entrant.section for entrant in ordered):
        return _joined(stage, ordered)
    if stage.format is Format.ROUND_ROBIN:
        count = group_count(stage, len(ordered))
        return {entrant.id: _dealt(place, count) for place, entrant in enumerate(ordered)}
    if stage.format is Format.SWISS:
        count = -(-len(ordered) // LARGEST_SECTION)
        return {entrant.id: place * count // len(ordered) + 1 for place, entrant in enumerate(ordered)}
    return {entrant.id: 1 for entrant in ordered}


def group_count(stage: Stage, players: int) -> int:
    """Counts the groups of a round robin: as many as the stage says, but at least two players in each."""
    return max(1, min(stage.sections, players // 2))


def _dealt(place: int, count: int) -> int:
    row, column = divmod(place, count)
    return (count - column) if row % 2 else column + 1


def _joined(stage: Stage, ordered: Sequence[Entrant]) -> dict[int, int]:
    """Assigns sections when some entrants already have theirs."""
    sizes = Counter(entrant.section for entrant in ordered if entrant.section)
    found: dict[int, int] = {}
    nearest = next(entrant.section for entrant in ordered if entrant.section)
    for entrant in ordered:
        if entrant.section:
            nearest = found[entrant.id] = entrant.section
            continue
        room = [section for section in sizes if sizes[section] < LARGEST_SECTION] or list(sizes)
        if stage.format is Format.SWISS and min(sizes.values()) < LARGEST_SECTION:
            section = min(room, key=lambda section: (abs(section - nearest), sizes[section], section))
        else:
            section = min(room, key=lambda section: (sizes[section], section))
        sizes[section] += 1
        found[entrant.id] = section
    return found
