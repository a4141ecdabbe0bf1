"""Single and double eliminations: the next round of a bracket, and the order in which its players went out.

In the end, every slot that is played or passed has exactly one decided pairing. A player without an opponent in a slot
has a ``PAIRING_BYE`` and goes on. A withdrawn player without one has a ``ZERO_BYE``, and the slot stays empty. If two
forfeit against each other, both are out, also in the winners' bracket: the next opponent has a bye.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import inf
from typing import Final

from engine.tournament.formats.bracket import Slot, columns_of, size_of, slots
from engine.tournament.formats.round_robin import settled
from engine.tournament.formats.sections import has_left
from engine.tournament.model import Entrant, Format, Pairing, Reason, Result, Stage

FINAL: Final = 1000.0
"""The time at which the loser of a final went out, on the scale of ``tiers``."""
REASONS: Final = {
    "bye_in_bracket": frozenset({"slot"}),
    "replay": frozenset({"slot"}),
    "knockout": frozenset({"players"}),
    "final": frozenset[str](),
    "third_place": frozenset[str](),
    "winners_bracket": frozenset({"round"}),
    "losers_bracket": frozenset({"round"}),
    "grand_final": frozenset[str](),
    "second_final": frozenset[str](),
}
"""The reasons for pairings: their keys, with their parameters, which are the number of players at the start of the
round, or the round of its bracket.
"""


def next_round(
    stage_number: int, stage: Stage, field: Sequence[Entrant], pairings: Sequence[Pairing], number: int
) -> tuple[Pairing, ...]:
    """Pairs all slots that are ready; none when the stage is over.

    The field is ordered by seed. ``pairings`` are those of all stages, to count each player's first seats.
    """
    entrants = {entrant.id: entrant for entrant in field}
    seats = Counter(pairing.first for pairing in pairings if pairing.result is not None and pairing.result.played)
    strength = {entrant.id: place for place, entrant in enumerate(field)}
    bracket = slots(stage_number, stage, [entrant.id for entrant in field], pairings)
    ready = [slot for slot in bracket if slot.ready]
    made = []
    for board, slot in enumerate(sorted(ready, key=lambda slot: slot.is_bye), start=1):
        first, second = _seated(slot, seats, strength)
        again = slot.pairing is not None
        made.append(
            Pairing(
                stage_number,
                number,
                board,
                first,
                second,
                slot=slot.id,
                attempt=slot.pairing.attempt + 1 if slot.pairing is not None else 1,
                reason=_reason(slot, stage, columns_of(size_of(len(field))), again=again),
                result=_result(entrants, first, second, number),
            )
        )
    return tuple(made)


def _seated(slot: Slot, seats: Mapping[int, int], strength: Mapping[int, int]) -> tuple[int, int | None]:
    """Gives the first seat to the player with fewer ones, then to the better seed.

    In a second attempt the seats change.
    """
    if slot.pairing is not None and slot.pairing.second is not None:
        return slot.pairing.second, slot.pairing.first
    here = [player for player in slot.players if player is not None]
    here.sort(key=lambda player: (seats.get(player, 0), strength[player]))
    return here[0], here[1] if len(here) > 1 else None


def _result(entrants: Mapping[int, Entrant], first: int, second: int | None, number: int) -> Result | None:
    if second is None:
        return Result.ZERO_BYE if has_left(entrants[first], number) else Result.PAIRING_BYE
    return settled(entrants, first, second, number)


def _reason(slot: Slot, stage: Stage, columns: int, *, again: bool) -> Reason:
    if slot.is_bye:
        return Reason("bye_in_bracket", (("slot", slot.id),))
    if again:
        return Reason("replay", (("slot", slot.id),))
    if slot.side == "F":
        return Reason("grand_final" if slot.id == "F1" else "second_final")
    if slot.side == "T":
        return Reason("third_place")
    if stage.format is Format.DOUBLE_ELIMINATION:
        return Reason("winners_bracket" if slot.side == "W" else "losers_bracket", (("round", slot.column),))
    if slot.column == columns:
        return Reason("final")
    return Reason("knockout", (("players", 2 << (columns - slot.column)),))


def tiers(
    stage_number: int, stage: Stage, seeds: Sequence[int], pairings: Sequence[Pairing]
) -> tuple[tuple[int, ...], ...]:
    """Orders the ids by their places, the best first; players who share a place stand together, by seed.

    Players who went out in the same round share their places. Players still in come first.
    """
    bracket = slots(stage_number, stage, seeds, pairings)
    double = stage.format is Format.DOUBLE_ELIMINATION
    out: dict[int, float] = {}
    for slot in bracket:
        if not slot.decided or slot.pairing is None:
            continue
        here = [player for player in slot.players if player is not None and player != slot.winner]
        if slot.side == "T":
            if slot.winner is not None:
                out[slot.winner] += 0.5
            continue
        if slot.side == "F":
            second_final = slot.id == "F1" and any(other.id == "F2" and other.needed for other in bracket)
            when = FINAL if not second_final else None
        elif slot.side == "L":
            when = float(slot.column)
        elif double:
            when = max(1.0, 2.0 * slot.column - 2) if slot.winner is None else None
        else:
            when = float(slot.column)
        if when is not None:
            out.update((player, when) for player in here)
    found: dict[float, list[int]] = defaultdict(list)
    for player in seeds:
        found[out.get(player, inf)].append(player)
    return tuple(tuple(found[when]) for when in sorted(found, reverse=True))
