"""The features of a backgammon position after a turn."""

from functools import lru_cache
from typing import Final, NamedTuple

from engine.ai.chances import Features
from engine.ai.features import Numbering, Scale
from engine.ai.race import rolls, rolls_to_first
from engine.ai.shots import BLOCK, escapes, hits, turned
from engine.games.backgammon.board import BAR, unpack
from engine.games.backgammon.masks import blots_of, free_of, occupied_by

BOARD: Final = (1 << 25) - 2
TALL: Final = 4
"""The most checkers on a point with a feature of their own. The others on it are counted together."""

_N: Final = Numbering()
_CONTACT: Final = _N.take(1)
_POINT: Final = (_N.take(26 * TALL), _N.take(26 * TALL))
"""By role (0 the mover, 1 the roller), own point and number of checkers."""
_STACK: Final = _N.take(2)
_OFF: Final = _N.take(2)
_LEAD: Final = Scale(_N, range(-160, 161, 20))
_PIPS: Final = Scale(_N, range(0, 251, 50), 2)
_SHOTS: Final = Scale(_N, (0, 1, 4, 8, 11, 14, 18, 24, 36), 7)
_LOSS: Final = _N.take(1)
_THREAT: Final = Scale(_N, (0, 4, 11, 18, 36), 7)
_ON_BAR: Final = _N.take(2 * 4 * 7)
_PRIME: Final = _N.take(2 * 7 * 4)
_ESCAPES: Final = Scale(_N, (0, 2, 6, 12, 20, 36), 2)
_BACK: Final = _N.take(2 * 6)
_RACE: Final = _N.take(1)
_RACE_LEAD: Final = Scale(_N, (-5, -3, -2, -1.5, -1, -0.6, -0.3, 0, 0.3, 0.6, 1, 1.5, 2, 3, 5), 3)
_RACE_POINT: Final = (_N.take(26), _N.take(26))
_RACE_OFF: Final = _N.take(2)
_SAVED: Final = Scale(_N, (-6, -4, -2, -1, 0, 1, 2, 4, 6), 2)
"""The rolls that a side without a checker off has to spare against a gammon, by role."""
COUNT: Final = _N.count
"""The number of features."""


class Side(NamedTuple):
    """The properties of one side alone."""

    counts: tuple[int, ...]
    pips: int
    occupied: int
    made: int
    """The mask of points with two checkers or more."""
    home: int
    """The number of points made in its home."""
    farthest: int
    points: tuple[int, ...]
    """A feature for each occupied point. The role's first number is added to it."""
    stacked: int


@lru_cache(maxsize=4096)
def side(packed: int) -> Side:
    counts = unpack(packed)
    pips = stacked = made = 0
    points: list[int] = []
    for point in range(1, 26):
        count = counts[point]
        if count:
            pips += point * count
            if count > 1:
                made |= 1 << point
            if count > TALL:
                stacked += count - TALL
                count = TALL
            points.append(point * TALL + count - 1)
    made &= BOARD
    occupied = occupied_by(packed)
    home = (made & 0b1111110).bit_count()
    return Side(counts, pips, occupied, made, home, occupied.bit_length() - 1, tuple(points), stacked)


def features(mover: int, roller: int) -> Features:
    """Returns the features of a position from the packed sides of the mover and of the roller."""
    own, other = side(mover), side(roller)
    if own.farthest + other.farthest <= BAR - 1:
        return _race(own, other)
    found: Features = [(_CONTACT, 1.0)]
    for role, each in enumerate((own, other)):
        first = _POINT[role]
        found += [(first + point, 1.0) for point in each.points]
        if each.stacked:
            found.append((_STACK + role, each.stacked / 4))
        if each.counts[0]:
            found.append((_OFF + role, each.counts[0] / 8))
        _PIPS.add(found, each.pips, role)
    _LEAD.add(found, other.pips - own.pips)
    _danger(found, mover, roller, own, other)
    for role, (builder, runner) in enumerate(((own, other), (other, own))):
        _blockade(found, role, builder, runner)
    return found


def _danger(found: Features, mover: int, roller: int, own: Side, other: Side) -> None:
    """Adds the rolls that hit blots now, those that may hit blots of the roller later, and the checkers on the bar."""
    on_bar = other.counts[BAR]
    blots = blots_of(mover)
    free = free_of(mover)
    _SHOTS.add(found, hits(other.occupied, other.occupied, free, blots, on_bar), other.home)
    loss = 0
    left = blots
    while left:
        blot = left & -left
        left ^= blot
        point = blot.bit_length() - 1  # the pips that the mover loses
        if point > 1:
            loss += point * hits(other.occupied, other.occupied, free, blot, on_bar)
    if loss:
        found.append((_LOSS, loss / 300))
    _THREAT.add(found, hits(own.occupied, own.occupied, free_of(roller), blots_of(roller), own.counts[BAR]), own.home)
    for role, (barred, home) in enumerate(((own.counts[BAR], other.home), (on_bar, own.home))):
        if barred:
            found.append((_ON_BAR + (role * 4 + min(barred, 3)) * 7 + home, 1.0))


def _blockade(found: Features, role: int, builder: Side, runner: Side) -> None:
    """Adds how the builder, who has the role, holds the other side's checkers."""
    rear = runner.farthest
    behind = sum(runner.counts[19:])
    found.append((_BACK + role * 6 + min(behind, 5), 1.0))
    walls = turned(builder.made)  # in the runner's numbering
    best = 0
    for low in range(max(1, rear - 12), rear - BLOCK + 1):
        best = max(best, (walls >> low & 63).bit_count())
    found.append((_PRIME + (role * 7 + best) * 4 + min(behind, 3), 1.0))
    ahead = turned(walls & (1 << rear) - 1) >> BAR - rear  # bit n: n points ahead of the last checker
    _ESCAPES.add(found, escapes(ahead), role)


def _race(own: Side, other: Side) -> Features:
    found: Features = [(_RACE, 1.0)]
    total = own.pips + other.pips
    lead = (other.pips - 4 - own.pips) / (total + 4) ** 0.5
    _RACE_LEAD.add(found, lead, 0 if total < 60 else 1 if total < 120 else 2)
    for role, each in enumerate((own, other)):
        first = _RACE_POINT[role]
        found += [(first + point, count / 4) for point, count in enumerate(each.counts[1:], 1) if count]
        found.append((_RACE_OFF + role, each.counts[0] / 8))
    for role, (loser, winner) in enumerate(((own, other), (other, own))):
        if not loser.counts[0]:
            _SAVED.add(found, rolls(winner.counts) - rolls_to_first(loser.counts), role)
    return found
