"""The features of an Abak position after a turn."""

from functools import lru_cache
from typing import Final, NamedTuple

from engine.ai.chances import Features
from engine.ai.features import Numbering, Scale
from engine.ai.race import rolls, rolls_to_first
from engine.ai.shots import BLOCK, escapes, hits, turned
from engine.core.game import Seat
from engine.games.abak.board import BAR, TALLEST, State, letters, seen_from

TALL: Final = 4
"""The longest run that has a feature of its own. Longer ones count as this one."""
KINDS: Final = {letter: number for number, letter in enumerate("gkdeo")}
"""The classes other than soldiers, by their small letters."""
LONE_GUARD: Final = len(KINDS)

_N: Final = Numbering()
_CONTACT: Final = _N.take(1)
_RUN: Final = (_N.take(26 * TALL), _N.take(26 * TALL))
"""By role (0 the mover, 1 the roller), own point and length of the run on top."""
_TOP: Final = (_N.take(26 * (LONE_GUARD + 1)), _N.take(26 * (LONE_GUARD + 1)))
"""By role, own point and class of the stone on top."""
_COVERED: Final = (_N.take(26 * 6), _N.take(26 * 6))
"""Stones under stones of their own side, by class."""
_PRISONER: Final = (_N.take(6), _N.take(6))
_HELD: Final = (_N.take(2 * 4), _N.take(2 * 4))
"""By role and their number up to three: prisoners under a single stone, and under a run."""
_FULL: Final = _N.take(2)
_BAR_KIND: Final = (_N.take(6), _N.take(6))
_ON_BAR: Final = _N.take(2 * 4 * 7)
_OFF: Final = _N.take(2)
_LEAD: Final = Scale(_N, range(-200, 201, 25))
_PIPS: Final = Scale(_N, range(0, 251, 50), 2)
_SHOTS: Final = Scale(_N, (0, 1, 4, 8, 11, 14, 18, 24, 36), 7)
_LOSS: Final = _N.take(1)
_GUARD_SHOTS: Final = Scale(_N, (0, 2, 6, 12, 36), 2)
_THREAT: Final = Scale(_N, (0, 4, 11, 18, 36), 7)
_PRIME: Final = _N.take(2 * 7 * 4)
_ESCAPES: Final = Scale(_N, (0, 2, 6, 12, 20, 36), 2)
_BACK: Final = _N.take(2 * 6)
_RACE: Final = _N.take(1)
_RACE_LEAD: Final = Scale(_N, (-5, -3, -2, -1.5, -1, -0.6, -0.3, 0, 0.3, 0.6, 1, 1.5, 2, 3, 5), 3)
_RACE_POINT: Final = (_N.take(26), _N.take(26))
_RACE_KIND: Final = (_N.take(26 * 2), _N.take(26 * 2))
"""By role and point, the wounded: even, then odd."""
_RACE_OFF: Final = _N.take(2)
_SAVED: Final = Scale(_N, (-6, -4, -2, -1, 0, 1, 2, 4, 6), 2)
"""The rolls that a side without a stone off has to spare against a gammon, by role."""
COUNT: Final = _N.count
"""The number of features."""


class Column(NamedTuple):
    """The features and properties of one column alone."""

    features: Features
    counts: tuple[int, int]
    """The stones of the mover and of the roller."""
    role: int
    """The role of the owner of the run on top."""
    run: int
    top: str
    prisoners: int
    """The stones of the other side below the run."""
    full: bool


@lru_cache(maxsize=4096)
def column(stones: str, point: int, mover: Seat) -> Column:
    """Describes a column that is not empty, on a point of the mover's."""
    own = letters(mover)
    sides = [int(stone not in own) for stone in stones]
    kinds = [KINDS.get(stone.lower(), LONE_GUARD) for stone in stones]  # LONE_GUARD: here a soldier
    role = sides[-1]
    run = next((length for length, side in enumerate(reversed(sides)) if side != role), len(stones))
    at = (point, BAR - point)
    found: Features = [(_RUN[role] + at[role] * TALL + min(run, TALL) - 1, 1.0)]
    if kinds[-1] != LONE_GUARD:
        kind = LONE_GUARD if stones[-1] in "Gg" and run == 1 else kinds[-1]
        found.append((_TOP[role] + at[role] * (LONE_GUARD + 1) + kind, 1.0))
    for side, kind in [*zip(sides, kinds, strict=True)][:-1]:
        if side == role:
            found.append((_COVERED[side] + at[side] * 6 + kind, 1.0))
        else:
            found.append((_PRISONER[side] + kind, 1.0))
    mine = sides.count(0)
    counts = (mine, len(stones) - mine)
    return Column(found, counts, role, run, stones[-1].lower(), counts[1 - role], len(stones) == TALLEST)


class Side:
    """One side of a position, by its own points."""

    __slots__ = ("bar", "blots", "counts", "even", "farthest", "guards", "made", "odd", "off", "pips", "walls")

    def __init__(self, bar: str, off: int) -> None:
        self.bar = len(bar)
        self.off = off
        self.counts = [0] * 26
        self.counts[BAR] = self.bar
        self.odd = self.even = 0
        self.made = self.guards = self.blots = 0
        """Runs of two or more; lone guards; single other stones."""
        self.walls = 0
        """The points where the other side cannot land."""
        self.farthest = 0
        self.pips = 0

    @property
    def home(self) -> int:
        """The number of blocked points in its home."""
        return (self.walls & 0b1111110).bit_count()


def features(state: State, mover: Seat) -> Features:
    """Returns the features of a position after the turn of ``mover``; the other side is to roll."""
    found: Features = []
    sides = tuple(Side(state.bar[seat], len(state.off[seat])) for seat in (mover, 1 - mover))
    held = [0] * 4  # role and security of the prisoner
    for point, stones in enumerate(seen_from(state.columns, mover)):
        if not stones:
            continue
        seen = column(stones, point, mover)
        found += seen.features
        for role in (0, 1):
            sides[role].counts[BAR - point if role else point] += seen.counts[role]
        _top(sides, point, seen)
        if seen.prisoners:
            held[2 * (1 - seen.role) + (seen.run > 1)] += seen.prisoners
        if seen.full:
            found.append((_FULL + seen.role, 1.0))
    for each in sides:
        each.pips = sum(point * count for point, count in enumerate(each.counts) if count)
        each.farthest = max((point for point, count in enumerate(each.counts) if count), default=0)
    own, other = sides
    if own.farthest + other.farthest < BAR:
        return _race(state, mover, own, other)
    found.append((_CONTACT, 1.0))
    for role, each in enumerate(sides):
        _PIPS.add(found, each.pips, role)
        if each.off:
            found.append((_OFF + role, each.off / 8))
        for secure in (0, 1):
            found.append((_HELD[role] + secure * 4 + min(held[2 * role + secure], 3), 1.0))
        if each.bar:
            bar = state.bar[mover if role == 0 else 1 - mover]
            found += [(_BAR_KIND[role] + KINDS.get(stone.lower(), LONE_GUARD), 1.0) for stone in bar]
            found.append((_ON_BAR + (role * 4 + min(each.bar, 3)) * 7 + sides[1 - role].home, 1.0))
    _LEAD.add(found, other.pips - own.pips)
    _danger(found, own, other)
    _blockade(found, 0, own, other)
    _blockade(found, 1, other, own)
    return found


def farthest(state: State, seat: Seat) -> int:
    """Returns the highest own point with a stone of the seat: 25 for the bar, 0 if all are off."""
    if state.bar[seat]:
        return BAR
    other = str.lower if seat == 0 else str.upper
    columns = seen_from(state.columns, seat)
    return next((point for point in range(24, 0, -1) if columns[point] != other(columns[point])), 0)


def _top(sides: tuple[Side, ...], point: int, seen: Column) -> None:
    """Adds the run on top of a column to the masks of its side."""
    side = sides[seen.role]
    bit = 1 << (BAR - point if seen.role else point)
    if seen.top != "e":
        side.odd |= bit
    if seen.top != "o":
        side.even |= bit
    if seen.run > 1:
        side.made |= bit
        side.walls |= bit
    elif seen.top == "g":
        side.guards |= bit
        side.walls |= bit
    else:
        side.blots |= bit


EVERYWHERE: Final = (1 << BAR) - 2


def _danger(found: Features, own: Side, other: Side) -> None:
    """Adds the rolls that hit stones of the mover now, and the rolls that may hit stones of the roller later."""
    blots = turned(own.blots)
    free = EVERYWHERE & ~turned(own.walls)
    _SHOTS.add(found, hits(other.odd, other.even, free, blots, other.bar), other.home)
    loss = 0
    left = blots
    while left:
        blot = left & -left
        left ^= blot
        point = blot.bit_length() - 1  # the pips that the mover loses
        if point > 1:
            loss += point * hits(other.odd, other.even, free, blot, other.bar)
    if loss:
        found.append((_LOSS, loss / 300))
    _GUARD_SHOTS.add(found, _captures(other, turned(own.guards)), 0)
    _GUARD_SHOTS.add(found, _captures(own, turned(other.guards)), 1)
    threats = hits(own.odd, own.even, EVERYWHERE & ~turned(other.walls), turned(other.blots), own.bar)
    _THREAT.add(found, threats, own.home)


def _captures(side: Side, guards: int) -> int:
    """Estimates how many rolls bring two stones to one of the lone guards."""
    count = 0
    while guards:
        guard = guards & -guards
        guards ^= guard
        dice = sum(bool((side.odd if die & 1 else side.even) & guard << die) for die in range(1, 7))
        count += dice * (dice - 1)
    return min(count, 36)


def _blockade(found: Features, role: int, builder: Side, runner: Side) -> None:
    """Adds how the builder, who has the role, holds the other side's stones."""
    rear = runner.farthest
    behind = sum(runner.counts[19:])
    found.append((_BACK + role * 6 + min(behind, 5), 1.0))
    walls = turned(builder.walls)  # in the runner's numbering
    best = 0
    for low in range(max(1, rear - 12), rear - BLOCK + 1):
        best = max(best, (walls >> low & 63).bit_count())
    found.append((_PRIME + (role * 7 + best) * 4 + min(behind, 3), 1.0))
    ahead = turned(walls & (1 << rear) - 1) >> BAR - rear  # bit n: n points ahead of the last stone
    _ESCAPES.add(found, escapes(ahead), role)


def _race(state: State, mover: Seat, own: Side, other: Side) -> Features:
    found: Features = [(_RACE, 1.0)]
    total = own.pips + other.pips
    lead = (other.pips - 4 - own.pips) / (total + 4) ** 0.5
    _RACE_LEAD.add(found, lead, 0 if total < 60 else 1 if total < 120 else 2)
    for role, each in enumerate((own, other)):
        first = _RACE_POINT[role]
        found += [(first + point, count / 4) for point, count in enumerate(each.counts) if count]
        found.append((_RACE_OFF + role, each.off / 8))
        seat = mover if role == 0 else 1 - mover
        for point, stones in enumerate(seen_from(state.columns, seat)):
            if stones:
                wounded = letters(seat)[4:]
                found += [(_RACE_KIND[role] + 26 * kind + point, 1.0) for kind in (0, 1) if wounded[kind] in stones]
    for role, (loser, winner) in enumerate(((own, other), (other, own))):
        if not loser.off:
            _SAVED.add(found, rolls(winner.counts) - rolls_to_first(loser.counts), role)
    return found
