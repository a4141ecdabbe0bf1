"""Arenas: all free entrants are paired, and streaks of wins count double.

Points count as in lichess's arenas (lichess.org/tournament/help): 2 for a win, 1 for a draw. After two wins in a row
every game counts double until one is not won; that game still counts double itself, so a draw gives 2.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from typing import Final

from engine.tournament.model import Entrant, Pairing

STREAK: Final = 2
"""The wins in a row after which games count double."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """An entrant without a running game."""

    entrant: int
    since: int
    """The moment at which they became free, in any unit; smaller is earlier."""


@dataclass(frozen=True, slots=True)
class ArenaScore:
    """The line of an entrant in the standings of an arena."""

    rank: int
    """The first of the places that equal entrants share."""
    entrant: int
    points: int
    streak: bool
    """Whether the next game counts double."""
    wins: int
    draws: int
    losses: int
    sheet: tuple[int, ...]
    """The points of each game, in order."""


def scores(entrants: Sequence[Entrant], pairings: Sequence[Pairing]) -> tuple[ArenaScore, ...]:
    """Computes the standings: by points, then by more wins, then by fewer games.

    Entrants equal in all of these share the place, listed by seed. Games that go on do not count.
    """
    halves = _halves(pairings)
    lines = []
    for entrant in entrants:
        own = halves.get(entrant.id, [])
        sheet = _sheet(own)
        row = 0
        for half in own:
            row = row + 1 if half == 2 else 0
        counts = own.count(2), own.count(1), own.count(0)
        key = (-sum(sheet), -counts[0], len(own))
        lines.append((key, entrant.seed, entrant.id, row >= STREAK, counts, sheet))
    ranks: dict[tuple[int, int, int], int] = {}
    return tuple(
        ArenaScore(ranks.setdefault(key, place), entrant, sum(sheet), streak, *counts, sheet)
        for place, (key, _, entrant, streak, counts, sheet) in enumerate(sorted(lines), start=1)
    )


def tiers(found: Sequence[ArenaScore]) -> tuple[tuple[int, ...], ...]:
    """Groups the entrants of standings by the place that they share."""
    ranked = groupby(found, key=lambda score: score.rank)
    return tuple(tuple(score.entrant for score in equal) for _, equal in ranked)


def _halves(pairings: Sequence[Pairing]) -> dict[int, list[int]]:
    """Lists the results of each entrant in order: 2 for a win, 1 for a draw, 0 for a loss."""
    found: dict[int, list[int]] = {}
    for pairing in sorted(pairings, key=lambda pairing: pairing.board):
        if pairing.result is not None and pairing.second is not None:
            for player, points in zip(pairing.players, pairing.result.points, strict=True):
                found.setdefault(player, []).append(int(2 * points))
    return found


def _sheet(halves: Sequence[int]) -> tuple[int, ...]:
    row = 0
    found = []
    for half in halves:
        found.append(2 * half if row >= STREAK else half)
        row = row + 1 if half == 2 else 0
    return tuple(found)


def pair_free(free: Sequence[Waiting], pairings: Sequence[Pairing]) -> tuple[tuple[int, int], ...]:
    """Pairs the free entrants: first seat, second seat.

    The entrant with the longest wait is paired first, with the one closest in the standings. Two never meet twice in a
    row, unless no other entrants are free. The first seat goes to the one with fewer first seats, then to the one whose
    last first seat is longer ago, then to the one with the longer wait.
    """
    waiting = sorted(free, key=lambda one: (one.since, one.entrant))
    place = {one.entrant: number for number, one in enumerate(waiting)}
    ordered = sorted(pairings, key=lambda pairing: pairing.board)
    last: dict[int, int] = {}
    for pairing in ordered:
        if pairing.second is not None:
            last[pairing.first], last[pairing.second] = pairing.second, pairing.first
    if len(waiting) == 2:
        pairs = [(waiting[0].entrant, waiting[1].entrant)]
    else:
        halves = _halves(ordered)
        points = {one: sum(_sheet(halves.get(one, []))) for one in place}
        pairs = _matched([one.entrant for one in waiting], points, last)
    balance = _balance(ordered)
    return tuple(
        (one, other)
        if (*balance.get(one, (0, 0)), place[one]) <= (*balance.get(other, (0, 0)), place[other])
        else (other, one)
        for one, other in pairs
    )


def _balance(ordered: Sequence[Pairing]) -> dict[int, tuple[int, int]]:
    """Computes for each entrant first seats less second seats, and the number of the last first seat."""
    found: dict[int, tuple[int, int]] = {}
    for pairing in ordered:
        if pairing.second is not None:
            more, _ = found.get(pairing.first, (0, 0))
            found[pairing.first] = more + 1, pairing.board
            less, when = found.get(pairing.second, (0, 0))
            found[pairing.second] = less - 1, when
    return found


def _matched(waiting: Sequence[int], points: dict[int, int], last: dict[int, int]) -> list[tuple[int, int]]:
    table = sorted(waiting, key=lambda one: -points[one])
    where = {one: number for number, one in enumerate(table)}
    after = list(range(1, len(table) + 1))
    before = list(range(-1, len(table) - 1))
    taken: set[int] = set()
    pairs: list[tuple[int, int]] = []
    left: list[int] = []

    def just_met(one: int, other: int) -> bool:
        return last.get(one) == other or last.get(other) == one

    def remove(one: int) -> None:
        taken.add(one)
        at = where[one]
        if after[at] < len(table):
            before[after[at]] = before[at]
        if before[at] >= 0:
            after[before[at]] = after[at]

    def gap(one: int, at: int) -> float:
        return abs(points[table[at]] - points[one]) if 0 <= at < len(table) else inf

    def nearest(one: int) -> int | None:
        down, up = after[where[one]], before[where[one]]
        while down < len(table) or up >= 0:
            at = down if gap(one, down) <= gap(one, up) else up
            if not just_met(one, table[at]):
                return table[at]
            if at == down:
                down = after[down]
            else:
                up = before[up]
        return None

    for one in waiting:
        if one in taken:
            continue
        other = nearest(one)
        if other is None:
            left.append(one)
            continue
        remove(one)
        remove(other)
        pairs.append((one, other))
    left = [one for one in left if one not in taken]
    if len(left) == 2:
        _exchanged(pairs, left[0], left[1], just_met)
    return pairs


def _exchanged(pairs: list[tuple[int, int]], one: int, other: int, just_met: Callable[[int, int], bool]) -> None:
    """Mixes two leftover entrants who have just met with a pair made before, the latest possible one."""
    for at in range(len(pairs) - 1, -1, -1):
        for first, second in (pairs[at], pairs[at][::-1]):
            if not just_met(one, first) and not just_met(other, second):
                pairs[at] = (first, one)
                pairs.append((second, other))
                return
