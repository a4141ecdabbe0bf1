"""A play-off: a small knockout among entrants of a Swiss or a round robin who are equal by all tie-breaks.

Its pairings belong to the stage and to the section, in rounds of their own after the others. They have a slot, as in
any knockout; the other pairings of such a stage have none. They count for no points and no tie-breaks.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from engine.tournament.formats import elimination
from engine.tournament.formats.sections import has_left
from engine.tournament.model import Entrant, Format, Pairing, Reason, Stage

REASONS: Final = {"play_off": frozenset[str]()}
"""The reasons for pairings: their keys, with their parameters."""
_KNOCKOUT: Final = Stage(Format.SINGLE_ELIMINATION)
_THIRD: Final = 3


def tiers(group: Sequence[int], rows: Sequence[Pairing]) -> list[list[int]]:
    """Splits the ids of a group by its play-off so far. ``rows``: pairings of the section, of all rounds."""
    played = [pairing for pairing in rows if pairing.slot]
    members = {player for pairing in played for player in pairing.players}
    inside = [one for one in group if one in members]
    if not inside:
        return [list(group)]
    stage = replace(_KNOCKOUT, third_place=any(pairing.slot.startswith("T") for pairing in played))
    parted = [list(tier) for tier in elimination.tiers(played[0].stage, stage, inside, played)]
    outside = [one for one in group if one not in members]
    return [*parted, *([outside] if outside else [])]


def next_round(
    stage_number: int, group: Sequence[Entrant], places: int, rows: Sequence[Pairing], number: int, section: int
) -> tuple[Pairing, ...]:
    """Pairs the next round of a group's play-off for so many places; nothing once all places are given.

    The group is ordered by seed. Entrants who have left before the play-off begins do not play it; later, they forfeit.
    """
    members = {player for pairing in rows if pairing.slot for player in pairing.players}
    here = [one for one in group if (one.id in members if members else not has_left(one, number))]
    given = 0
    for tier in tiers([one.id for one in here], rows):
        given += len(tier)
        if given == places:
            return ()
    if len(here) < 2:
        return ()
    stage = replace(_KNOCKOUT, third_place=places == _THIRD)
    made = elimination.next_round(stage_number, stage, here, rows, number)
    return tuple(replace(pairing, section=section, reason=Reason("play_off")) for pairing in made)
