"""Brackets of single and double eliminations: their slots, and the way of players through them.

The best seeds are kept apart as long as possible: seeds 1 and 2 can meet only in the final, 1 to 4 only in the
semi-finals. If the field is no power of 2, the best seeds have the byes of the first round.

In a double elimination, the losers of the second and later rounds of the winners' bracket drop into a losers' bracket
whose halves they cross, so that two meet again as late as possible. Address the pairings of a round in binary from the
final downwards: the losers of round r go to the pairing whose address differs from theirs by the digits of r-1, its
lowest first. Losers of rounds r < s who have met then meet again only after as many halves as r-1 and s-1 have last
digits in common; for neighbouring rounds, that is the final of the losers' bracket.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal

from engine.tournament.model import Format, Pairing, Result, Stage

Side = Literal["W", "L", "F", "T"]
NOBODY: Final = 0
"""The id of an entrant where nobody will ever come. None: the player is not known yet."""


@dataclass(frozen=True, slots=True)
class Source:
    """The origin of a slot's player."""

    kind: Literal["seed", "winner", "loser"]
    seed_or_slot: int | str
    """A seed from 1 upwards, which may be larger than the field; or the id of a slot."""


@dataclass(frozen=True, slots=True)
class Slot:
    """One place in a bracket where two players meet."""

    id: str
    """The same as ``Pairing.slot``: ``W2-1``, ``L1-2``, ``F1``, ``F2``, ``T1``."""
    side: Side
    column: int
    """The round of its side, from 1."""
    row: int
    """The place from the top, from 1."""
    sources: tuple[Source, Source]
    players: tuple[int | None, int | None] = (None, None)
    """The ids of the players in the order of the sources (the pairing has the seats). None: not yet known, or
    nobody.
    """
    pairing: Pairing | None = None
    """The pairing; the latest one if a draw is played again."""
    is_bye: bool = False
    """Whether only one player can come."""
    needed: bool = True
    """Whether it is played or given as a bye. False if nobody can come; for a second final, False until it is due."""
    winner: int | None = None
    """The id of the player who goes on."""
    loser: int | None = None
    """The player who goes out, or on to the losers' bracket. After ``BOTH_FORFEIT`` there is no winner and no loser."""
    decided: bool = False

    @property
    def ready(self) -> bool:
        """Whether it can be paired now."""
        known = sum(player is not None for player in self.players)
        running = self.pairing is not None and self.pairing.result is None
        return self.needed and not self.decided and not running and known == (1 if self.is_bye else 2)


def size_of(players: int) -> int:
    """Computes the number of places in the first round: the next power of 2."""
    return 1 << max(1, (players - 1).bit_length())


def columns_of(size: int) -> int:
    """Counts the rounds of the winners' bracket."""
    return size.bit_length() - 1


@lru_cache(maxsize=32)
def seed_order(size: int) -> tuple[int, ...]:
    """Lists the seeds of the first round from top to bottom; the first pair is 1 v the last one."""
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for better in order for seed in (better, total - better)]
    return tuple(order)


@lru_cache(maxsize=64)
def layout(size: int, double: bool, third_place: bool, reset: bool) -> tuple[Slot, ...]:
    """Makes the empty slots, each after its sources."""
    order = seed_order(size)
    columns = columns_of(size)
    slots = [
        _slot("W", 1, row, Source("seed", order[2 * row - 2]), Source("seed", order[2 * row - 1]))
        for row in range(1, size // 2 + 1)
    ]
    for column in range(2, columns + 1):
        rows = range(1, (size >> column) + 1)
        slots += [_slot("W", column, row, *_both("winner", "W", column - 1, row)) for row in rows]
    if double:
        slots += _losers_bracket(columns)
        last = f"L{2 * columns - 2}-1"
        champion = Source("winner", f"W{columns}-1")
        slots.append(
            Slot("F1", "F", 1, 1, (champion, Source("winner", last) if columns > 1 else Source("loser", "W1-1")))
        )
        if reset:
            slots.append(Slot("F2", "F", 2, 1, (Source("winner", "F1"), Source("loser", "F1"))))
    elif third_place and columns > 1:
        slots.append(Slot("T1", "T", 1, 1, _both("loser", "W", columns - 1, 1)))
    return tuple(slots)


def _losers_bracket(columns: int) -> list[Slot]:
    slots = []
    for column in range(1, 2 * columns - 1):
        digits = columns - 1 - (column + 1) // 2
        for row in range(1, (1 << digits) + 1):
            if column == 1:
                slots.append(_slot("L", 1, row, *_both("loser", "W", 1, row)))
            elif column % 2:
                slots.append(_slot("L", column, row, *_both("winner", "L", column - 1, row)))
            else:
                upper = column // 2 + 1
                dropped = (row - 1) ^ crossing(upper, digits)
                slots.append(
                    _slot(
                        "L",
                        column,
                        row,
                        Source("loser", f"W{upper}-{dropped + 1}"),
                        Source("winner", f"L{column - 1}-{row}"),
                    )
                )
    return slots


def crossing(column: int, digits: int) -> int:
    """Returns the binary digits by which the losers of a round of the winners' bracket change their address."""
    return sum(((column - 1) >> place & 1) << (digits - 1 - place) for place in range(digits))


def _slot(side: Side, column: int, row: int, first: Source, second: Source) -> Slot:
    return Slot(f"{side}{column}-{row}", side, column, row, (first, second))


def _both(kind: Literal["winner", "loser"], side: Side, column: int, row: int) -> tuple[Source, Source]:
    return Source(kind, f"{side}{column}-{2 * row - 1}"), Source(kind, f"{side}{column}-{2 * row}")


@lru_cache(maxsize=64)
def _onward(size: int, double: bool, third_place: bool, reset: bool) -> dict[tuple[str, int | str], str]:
    """Maps each slot and outcome to the next slot of the winner or the loser."""
    return {
        (source.kind, source.seed_or_slot): slot.id
        for slot in layout(size, double, third_place, reset)
        if slot.id != "F2"
        for source in slot.sources
    }


def seeding(stage_number: int, seeds: Sequence[int], pairings: Iterable[Pairing]) -> tuple[int, ...]:
    """Lists the ids in the order of the bracket's seeds: as in its stored first round, or else as given.

    A stored first round fixes the bracket, even if seeds and earlier results change later on.
    """
    rows = {
        pairing.slot: pairing
        for pairing in pairings
        if pairing.stage == stage_number and pairing.slot.startswith("W1-")
    }
    if not rows:
        return tuple(seeds)
    size = 2 * len(rows)
    order = seed_order(size)
    strength = {entrant: place for place, entrant in enumerate(seeds)}
    found: dict[int, int] = {}
    for row in range(1, len(rows) + 1):
        pairing = rows.get(f"W1-{row}")
        if pairing is None:
            return tuple(seeds)
        here = sorted(pairing.players, key=lambda entrant: strength.get(entrant, len(strength)))
        found.update(zip(sorted(order[2 * row - 2 : 2 * row]), here, strict=False))
    if sorted(found) != list(range(1, len(found) + 1)):
        return tuple(seeds)  # the byes belong to other players now
    return tuple(found[seed] for seed in sorted(found))


def slots(stage_number: int, stage: Stage, seeds: Sequence[int], pairings: Iterable[Pairing]) -> tuple[Slot, ...]:
    """Builds the bracket at present, each slot after its sources; nothing for a field of one.

    ``seeds`` are the entrants' ids, the best one first. An existing pairing decides who plays there, even if an earlier
    result has been corrected since.
    """
    rows: dict[str, Pairing] = {}
    for pairing in pairings:
        if pairing.stage == stage_number and pairing.slot:
            former = rows.get(pairing.slot)
            if former is None or former.attempt < pairing.attempt:
                rows[pairing.slot] = pairing
    seeds = seeding(stage_number, seeds, rows.values())
    if len(seeds) < 2:
        return ()
    kind = (size_of(len(seeds)), stage.format is Format.DOUBLE_ELIMINATION, stage.third_place, stage.reset)
    return _filled(layout(*kind), _onward(*kind), seeds, rows)


def _filled(
    empty: tuple[Slot, ...], onward: dict[tuple[str, int | str], str], seeds: Sequence[int], rows: dict[str, Pairing]
) -> tuple[Slot, ...]:
    went: dict[tuple[str, int | str], int | None] = {("seed", seed): NOBODY for seed in range(1, 2 * len(seeds) + 1)}
    went.update((("seed", place), entrant) for place, entrant in enumerate(seeds, start=1))
    strength = {entrant: place for place, entrant in enumerate(seeds)}
    found: list[Slot] = []
    for slot in empty:
        pairing = rows.get(slot.id)
        one, other = (went[source.kind, source.seed_or_slot] for source in slot.sources)
        if slot.id == "F2":
            first = found[-1]
            due = first.decided and first.winner is not None and first.winner == first.players[1]
            if first.players[0] is None or not (due or pairing):
                one = other = NOBODY
            else:
                one, other = first.players
        if slot.side == "T" and not pairing and NOBODY in {one, other}:
            one = other = NOBODY
        if pairing is not None:
            one, other = _of_row(pairing, one, other)
        winner, loser, decided = _outcome(pairing, one, other, strength)
        if decided and winner and loser:
            winner, loser = _who_went_on(slot.id, winner, loser, onward, rows)
        went["winner", slot.id] = winner if decided else None
        went["loser", slot.id] = loser if decided else None
        found.append(
            replace(
                slot,
                players=(one or None, other or None),
                pairing=pairing,
                is_bye=(one == NOBODY) != (other == NOBODY),
                needed=not one == other == NOBODY,
                winner=winner or None,
                loser=loser or None,
                decided=decided,
            )
        )
    return tuple(found)


def _of_row(pairing: Pairing, one: int | None, other: int | None) -> tuple[int | None, int | None]:
    """Returns the players of a pairing in the order of the sources."""
    if pairing.second is None:
        return (NOBODY, pairing.first) if other == pairing.first else (pairing.first, NOBODY)
    if one == pairing.second or other == pairing.first:
        return pairing.second, pairing.first
    return pairing.first, pairing.second


def _outcome(
    pairing: Pairing | None, one: int | None, other: int | None, strength: dict[int, int]
) -> tuple[int | None, int | None, bool]:
    """Returns winner, loser, and whether the slot is decided. NOBODY as winner or loser: both are out, or no opponent
    came.
    """
    if one == other == NOBODY:
        return NOBODY, NOBODY, True
    if pairing is None or pairing.result is None:
        return None, None, False
    result = pairing.result
    if pairing.second is None:
        return (NOBODY if result is Result.ZERO_BYE else pairing.first), NOBODY, True
    first, second = pairing.first, pairing.second
    if result is Result.DRAW:
        if pairing.attempt < 2:
            return None, None, False
        better, worse = sorted((first, second), key=lambda entrant: strength.get(entrant, len(strength)))
        return better, worse, True
    if result.winner is None:
        return NOBODY, NOBODY, True
    return (first, second, True) if result.winner == 0 else (second, first, True)


def _who_went_on(
    slot: str, winner: int, loser: int, onward: dict[tuple[str, int | str], str], rows: dict[str, Pairing]
) -> tuple[int, int]:
    """Returns winner and loser. They are exchanged if a later round was paired before the result was corrected."""
    above = rows.get(onward.get(("winner", slot), ""))
    if above is not None and {winner, loser}.intersection(above.players):
        return (winner, loser) if winner in above.players else (loser, winner)
    below = rows.get(onward.get(("loser", slot), ""))
    if below is not None and winner in below.players:
        return loser, winner
    return winner, loser
