"""The final order of a whole tournament."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.tournament.field import tiers
from engine.tournament.model import Entrant, Pairing, Stage


@dataclass(frozen=True, slots=True)
class Placing:
    """The place of an entrant.

    Entrants share places if they went out in the same round of a knockout, if they are equal elsewhere, or if they were
    expelled.
    """

    first: int
    last: int
    """The same as ``first``, or later where the places from first to last are shared."""
    entrant: int


def ranking(stages: tuple[Stage, ...], entrants: Sequence[Entrant], pairings: Sequence[Pairing]) -> tuple[Placing, ...]:
    """Ranks all entrants, the best first; so far, if the tournament still goes on.

    Entrants who reached a later stage stand before those who did not. Sections share the places of a stage among
    themselves: the third of four groups share 9 to 12 if two of each have gone on. Entrants who have played no stage
    (withdrawn before the first round) share the last places.
    """
    current = max((pairing.stage for pairing in pairings), default=1)
    groups: list[tuple[int, ...]] = []
    for number in range(current, 0, -1):
        groups += tiers(stages, number, entrants, pairings)
    groups.append(tuple(entrant.id for entrant in sorted(entrants, key=lambda entrant: entrant.seed)))
    return placings(groups, entrants)


def placings(groups: Iterable[Sequence[int]], entrants: Iterable[Entrant]) -> tuple[Placing, ...]:
    """Computes the places of groups that share them, the best first, and of the expelled ones among the ``entrants``.

    An entrant of several groups has the place of the first.
    """
    expelled = {entrant.id for entrant in entrants if entrant.expelled}
    kept = list(groups)
    last = dict.fromkeys(one for group in kept for one in group if one in expelled)
    placed: dict[int, Placing] = {}
    for group in [*([one for one in group if one not in expelled] for group in kept), list(last)]:
        fresh = [one for one in group if one not in placed]
        first = len(placed) + 1
        placed |= {one: Placing(first, first + len(fresh) - 1, one) for one in fresh}
    return tuple(placed.values())
