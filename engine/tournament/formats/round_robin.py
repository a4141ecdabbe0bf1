"""Round robins: everybody meets everybody of the group.

The schedule is that of the Berger tables (FIDE Handbook C.05, annex 1), by the circle method: the last number stands
still, the others move on by half the field from round to round. The number of first seats differs by at most one. The
second leg repeats the first with the seats exchanged; the last two rounds of the first leg change places, as FIDE
advises, so that nobody has the same seat three times in a row.

In a group of odd size, the player left over has a ``ZERO_BYE``: a row in the round, as a message to them, without
points and without a game. Tie-breaks and standings do not count it, see ``counted``.

With ``Stage.at_once`` the whole table is one round: one pairing for each game, in the order of the table. Its rounds
follow from the boards (``unfolded``), where tie-breaks and reports ask for them. Nobody is left over.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine.tournament.formats.sections import has_left
from engine.tournament.model import Entrant, Format, Pairing, Reason, Result, Stage

REASONS: Final = {"schedule": frozenset[str](), "left_over": frozenset[str](), "at_once": frozenset[str]()}
"""The keys of the reasons for pairings, with their parameters."""


@lru_cache(maxsize=64)
def schedule(size: int, legs: int = 1) -> tuple[tuple[tuple[int, int | None], ...], ...]:
    """Makes the rounds for a group of this size, by numbers from 1: first seat, second seat. None: left over."""
    if size < 2:
        return (((1, None),),) if size else ()
    even = size + size % 2
    leg = [_berger(even, turn, size) for turn in range(even - 1)]
    rounds: list[tuple[tuple[int, int | None], ...]] = []
    for number in range(legs):
        ordered = list(leg)
        if number < legs - 1 and len(leg) > 2:
            ordered[-2:] = leg[:-3:-1]
        if number % 2:
            ordered = [tuple(_turned(pair) for pair in pairs) for pairs in ordered]
        rounds += ordered
    return tuple(rounds)


def _turned(pair: tuple[int, int | None]) -> tuple[int, int | None]:
    first, second = pair
    return pair if second is None else (second, first)


def _berger(even: int, turn: int, size: int) -> tuple[tuple[int, int | None], ...]:
    """Makes one round for an even field. The opponent of a last number without a player is left over."""
    around = even - 1
    fixed = turn * even // 2 % around
    with_last = (fixed + 1, even) if turn % 2 == 0 else (even, fixed + 1)
    pairs = [with_last] + [((fixed + k) % around + 1, (fixed - k) % around + 1) for k in range(1, even // 2)]
    if size == even:
        return tuple(pairs)
    return (*pairs[1:], (fixed + 1, None))


def rounds_of(sizes: Iterable[int], legs: int) -> int:
    """Counts the rounds that the largest group needs."""
    return max((len(schedule(size, legs)) for size in sizes), default=0)


def numbers(first_round: Sequence[Pairing], ordered: Sequence[Entrant]) -> tuple[int, ...]:
    """Lists the ids of a group by their numbers in the schedule, from 1: as in its stored first round, or else by seed.

    A stored first round fixes the schedule, even if seeds and results change later on.
    """
    rows = sorted(first_round, key=lambda pairing: pairing.board)
    size = sum(len(pairing.players) for pairing in rows)
    pairs = schedule(size)[0] if size > 1 else ()
    found: dict[int, int] = {}
    for pairing, (first, second) in zip(rows, pairs, strict=False):
        if (pairing.second is None) != (second is None):
            break
        found[first] = pairing.first
        if second is not None and pairing.second is not None:
            found[second] = pairing.second
    if size and len(set(found.values())) == size:
        return tuple(found[number] for number in range(1, size + 1))
    return tuple(entrant.id for entrant in ordered)


def next_round(
    stage_number: int,
    stage: Stage,
    field: Sequence[Entrant],
    pairings: Sequence[Pairing],
    number: int,
) -> tuple[Pairing, ...]:
    """Pairs the round for all groups; none when the stage is over.

    The field is ordered by seed and knows its sections; ``pairings`` are those of the stage. Entrants who have left
    lose by forfeit.
    """
    if stage.at_once and pairings:
        return ()
    entrants = {entrant.id: entrant for entrant in field}
    groups: dict[int, list[Entrant]] = defaultdict(list)
    for entrant in field:
        groups[entrant.section].append(entrant)
    start = min((pairing.round for pairing in pairings), default=number)
    made: list[Pairing] = []
    for section, group in sorted(groups.items()):
        opening = [pairing for pairing in pairings if pairing.round == start and pairing.section == section]
        ids = numbers(opening, group)
        rounds = schedule(len(ids), stage.legs)
        if stage.at_once and len(ids) > 1:
            rounds = (tuple(pair for pairs in rounds for pair in pairs if pair[1] is not None),)
        if number - start >= len(rounds):
            continue
        for board, (one, other) in enumerate(rounds[number - start], start=1):
            first, second = ids[one - 1], None if other is None else ids[other - 1]
            made.append(
                Pairing(
                    stage_number,
                    number,
                    board,
                    first,
                    second,
                    section,
                    reason=Reason("left_over" if second is None else "at_once" if stage.at_once else "schedule"),
                    result=settled(entrants, first, second, number),
                )
            )
    return tuple(made)


def settled(entrants: Mapping[int, Entrant], first: int, second: int | None, number: int) -> Result | None:
    """Returns the result of a pairing without a game, as a player has left or has no opponent."""
    if second is None:
        return Result.ZERO_BYE
    gone = has_left(entrants[first], number), has_left(entrants[second], number)
    return {
        (True, True): Result.BOTH_FORFEIT,
        (True, False): Result.SECOND_WINS_BY_FORFEIT,
        (False, True): Result.FIRST_WINS_BY_FORFEIT,
    }.get(gone)


def unfolded(stage: Stage, pairings: Sequence[Pairing]) -> tuple[Pairing, ...]:
    """Gives the pairings of a stage the rounds and boards of its tables, if all games began at once.

    ``pairings``: all of the stage, or of a section. The rounds of a play-off follow after those of the tables.
    """
    if not stage.at_once:
        return tuple(pairings)
    members: dict[int, set[int]] = defaultdict(set)
    for pairing in pairings:
        if not pairing.slot:
            members[pairing.section].update(pairing.players)
    more = rounds_of(map(len, members.values()), stage.legs) - 1

    def moved(pairing: Pairing) -> Pairing:
        if pairing.slot:
            return replace(pairing, round=pairing.round + more)
        turn, place = divmod(pairing.board - 1, max(1, len(members[pairing.section]) // 2))
        return replace(pairing, round=pairing.round + turn, board=place + 1)

    return tuple(map(moved, pairings))


def uncounted(
    stage_number: int, stage: Stage, entrants: Iterable[Entrant], pairings: Iterable[Pairing]
) -> frozenset[int]:
    """Returns the ids of entrants who have left a round robin before half of their games were played.

    Their results are kept, but do not count for the standings of anybody (FIDE Handbook C.05, "withdrawals from a round
    robin"). An entrant who leaves later loses the rest by forfeit. If all games began at once, an entrant has left
    who did so before the last of them ended.
    """
    rows = [pairing for pairing in pairings if pairing.stage == stage_number and not pairing.slot]
    if stage.format is not Format.ROUND_ROBIN or not rows:
        return frozenset()
    start = min(pairing.round for pairing in rows)
    section = {player: pairing.section for pairing in rows for player in pairing.players}
    sizes = Counter(section.values())
    games = [pairing for pairing in rows if pairing.result is not None and pairing.result.played]
    played = Counter(player for pairing in games for player in pairing.players)
    found = set()
    for entrant in entrants:
        if entrant.id in section:
            size = sizes[section[entrant.id]]
            last = start + (1 if stage.at_once else len(schedule(size, stage.legs)) - 1)
            if has_left(entrant, last) and 2 * played[entrant.id] < stage.legs * (size - 1):
                found.add(entrant.id)
    return frozenset(found)


def counted(
    stage_number: int, stage: Stage, entrants: Iterable[Entrant], pairings: Iterable[Pairing]
) -> tuple[Pairing, ...]:
    """Returns the pairings of a stage that count for its standings.

    In a round robin these are all but those of the ``uncounted``, and the rows of players left over. In a Swiss they
    are all of the stage. A play-off counts in neither. They have the rounds of the table, see ``unfolded``.
    """
    rows = [pairing for pairing in pairings if pairing.stage == stage_number and not pairing.slot]
    if stage.format is not Format.ROUND_ROBIN:
        return tuple(rows)
    gone = uncounted(stage_number, stage, entrants, rows)
    return tuple(
        pairing
        for pairing in unfolded(stage, rows)
        if pairing.second is not None and not gone.intersection(pairing.players)
    )
