"""The doubling cube: what owning it is worth, when to turn it, and when to take.

By Rick Janowski's model (Take-Points in Money Games, 1993): the value of a position lies between its value with a dead
cube, which nobody turns again, and that with a live cube, which is turned at the best moment. In a match, points are
replaced by the chances of winning the match.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

from engine.ai.chances import Chances
from engine.ai.match_chances import match_chance
from engine.core.game import Seat
from engine.kits import cube, scoring
from engine.kits.cube import CubeAction
from engine.kits.xgid import MatchFields

RECUBE: Final = 0.5
"""The worth of the right to redouble after a take, in units of the cube: half a point."""
CRAWFORD: Final = "1"
"""The rules of a match's Crawford game, in which nobody may double."""
LONGEST: Final = 4
"""The most digits of a score that is read. A position text may have any number of them."""
FARTHEST: Final = 64
"""The most points that a side can need. Larger needs count as this one."""


class Stakes(NamedTuple):
    """The gains and losses of a side in a game with this cube.

    A unit is half the difference between winning and losing a single game.
    """

    points: int
    middle: float
    unit: float
    gammon: float
    """A gammon won, in units above the middle."""
    gammoned: float
    """A gammon lost, in units below the middle."""
    backgammon: float
    backgammoned: float
    """Backgammons won and lost, in the same units."""

    def equity(self, chances: Chances) -> float:
        """Returns what the side can expect with a dead cube, in units."""
        return 2 * chances.win - 1 + self.more_won(chances) - self.more_lost(chances)

    def more_won(self, chances: Chances) -> float:
        """Returns what gammons and backgammons add to the wins, in units."""
        return chances.gammon * (self.gammon - 1) + chances.backgammon * (self.backgammon - self.gammon)

    def more_lost(self, chances: Chances) -> float:
        """Returns what gammons and backgammons add to the losses, in units."""
        return chances.gammoned * (self.gammoned - 1) + chances.backgammoned * (self.backgammoned - self.gammoned)

    def in_points(self, worth: float) -> float:
        """Converts a worth into points of this game."""
        return (worth - self.middle) / self.unit * self.points


@lru_cache(maxsize=256)
def stakes(fields: MatchFields, seat: Seat, points: int) -> Stakes:
    """Returns what the seat wins and loses in a game for so many points. Gammons count single under the Jacoby rule."""
    won, lost = _worth(fields, seat, points), _worth(fields, seat, -points)
    middle, unit = (won + lost) / 2, (won - lost) / 2
    if scoring.jacoby(fields) and points == fields.cube_value:
        return Stakes(points, middle, unit, 1.0, 1.0, 1.0, 1.0)
    gammon, backgammon = ((_worth(fields, seat, times * points) - middle) / unit for times in (2, 3))
    gammoned, backgammoned = ((middle - _worth(fields, seat, -times * points)) / unit for times in (2, 3))
    return Stakes(points, middle, unit, gammon, gammoned, backgammon, backgammoned)


def _worth(fields: MatchFields, seat: Seat, points: int) -> float:
    """Returns the worth of winning so many points, or of losing them if negative; in a match, the chance of
    winning it.
    """
    needs = _needs(fields, seat)
    if needs is None:
        return float(points)
    own, other = needs
    crawford_over = 1 in needs
    return match_chance(own - max(points, 0), other - max(-points, 0), crawford_over=crawford_over)


def _needs(fields: MatchFields, seat: Seat) -> tuple[int, int] | None:
    """Returns the points that the seat and the other side still need; None outside a match, or if it is over."""
    texts = (fields.length, fields.white_score, fields.black_score)
    if not all(text.isascii() and text.isdecimal() and len(text) <= LONGEST for text in texts):
        return None
    length, *scores = map(int, texts)
    own, other = (min(length - scores[side], FARTHEST) for side in (seat, 1 - seat))
    return (own, other) if own > 0 and other > 0 else None


Line: TypeAlias = list[tuple[float, float]]
"""A value by the chance to win: the corners of a line, from 0 to 1."""


def _live(fields: MatchFields, seat: Seat, chances: Chances, turned: int, owner: Seat | None) -> Line:
    """Returns the worth for ``seat`` of a live cube after ``turned`` more doubles: straight between the points at which
    a double is just passed. How many wins and losses are gammons is that of ``chances``.

    For money the cube can always be turned again, and the points are Janowski's. In a match they follow from the worth
    after a double that is taken, up to a cube that nobody gains by turning.
    """
    at = stakes(fields, seat, fields.cube_value << turned)
    gain, loss = _gain_and_loss(fields, seat, chances, turned)
    other = 1 - seat
    lost, won = at.middle - at.unit, at.middle + at.unit
    in_match = _needs(fields, seat) is not None
    total = gain + loss + RECUBE
    corners = [(0.0, at.middle - at.unit * loss)]
    if _may_turn(fields, other, owner, at.points):
        passed = _where(_live(fields, seat, chances, turned + 1, seat), lost) if in_match else (loss - RECUBE) / total
        corners.append((passed, lost))
    if _may_turn(fields, seat, owner, at.points):
        passed = _where(_live(fields, seat, chances, turned + 1, other), won) if in_match else (loss + 1) / total
        corners.append((passed, won))
    return [*corners, (1.0, at.middle + at.unit * gain)]


def _at(line: Line, win: float) -> float:
    """Returns the value of a line."""
    for (x, low), (y, high) in pairwise(line):
        if win <= y:
            return low + (high - low) * (win - x) / (y - x) if y > x else high
    return line[-1][1]


def _where(line: Line, value: float) -> float:
    """Returns the chance to win at which a line, which never falls, reaches a value."""
    for (x, low), (y, high) in pairwise(line):
        if value <= high:
            return x + (y - x) * max(value - low, 0.0) / (high - low) if high > low else x
    return 1.0


def _gain_and_loss(fields: MatchFields, seat: Seat, chances: Chances, turned: int) -> tuple[float, float]:
    """Returns the means of a win and of a loss, in units, with gammons as they count once a double is taken."""
    uncounted = scoring.jacoby(fields) and not turned
    at = stakes(fields, seat, fields.cube_value << (1 if uncounted else turned))
    win = min(max(chances.win, 1e-6), 1 - 1e-6)
    return 1 + at.more_won(chances) / win, 1 + at.more_lost(chances) / (1 - win)


def _may_turn(fields: MatchFields, seat: Seat, owner: Seat | None, points: int) -> bool:
    """Returns whether the seat may turn a cube of so many points, and gains by it."""
    needs = _needs(fields, seat)
    gains = needs is None or (needs[0] > points and fields.rules != CRAWFORD)
    return gains and owner != 1 - seat


class CubeValues(NamedTuple):
    """The expectation of the side to roll after each cube action, in points of the present cube."""

    roll: float
    take: float
    """After a double that is taken."""
    pass_: float
    beaver: float
    """After a double that is answered by a beaver."""

    def of(self, action: CubeAction, answers: Sequence[CubeAction]) -> float:
        """Returns the value of an action for the side to roll. The other side chooses the best of ``answers`` to a
        double.
        """
        if action is CubeAction.DOUBLE:
            return min(self.of(answer, ()) for answer in answers)
        return {
            CubeAction.ROLL: self.roll,
            CubeAction.TAKE: self.take,
            CubeAction.PASS: self.pass_,
            CubeAction.BEAVER: self.beaver,
        }[action]


def values(fields: MatchFields, roller: Seat, chances: Chances, life: float) -> CubeValues:
    """Returns the values for the side to roll. ``life`` says how alive the cube is, from 0 (dead) to 1 (live)."""
    return _each(fields, roller, lambda turned, owner: _value(fields, roller, chances, life, turned, owner))


class Reply(NamedTuple):
    """The position after the best turn of a roll."""

    weight: int
    """Of the roll."""
    chances: Chances
    """Of the side that rolls next."""
    life: float


def values_by_rolls(fields: MatchFields, roller: Seat, replies: Sequence[Reply]) -> CubeValues:
    """Returns the values for the side to roll, from all its rolls: after each, the other side may turn the cube."""
    other = 1 - roller
    present = stakes(fields, other, fields.cube_value)
    total = sum(reply.weight for reply in replies)

    def value(turned: int, owner: Seat | None) -> float:
        passed = present.in_points(_worth(fields, other, fields.cube_value << turned))
        mean = 0.0
        for weight, chances, life in replies:
            worth = _value(fields, other, chances, life, turned, owner)
            if owner != roller:
                worth = max(worth, min(passed, _value(fields, other, chances, life, turned + 1, roller)))
            mean -= weight * worth / total
        return mean

    return _each(fields, roller, value)


def _each(fields: MatchFields, roller: Seat, value: Callable[[int, Seat | None], float]) -> CubeValues:
    """Returns the values by those of a cube that is turned so many times, and has this owner."""
    other = 1 - roller
    return CubeValues(value(0, cube.owner(fields)), value(1, other), float(fields.cube_value), value(2, other))


def _value(fields: MatchFields, roller: Seat, chances: Chances, life: float, turned: int, owner: Seat | None) -> float:
    """Returns what the side to roll can expect with a cube turned so many times, in points of the present cube."""
    at = stakes(fields, roller, fields.cube_value << turned)
    worth = at.middle + at.unit * at.equity(chances)
    if any(_may_turn(fields, seat, owner, at.points) for seat in (roller, 1 - roller)):
        live = _at(_live(fields, roller, chances, turned, owner), chances.win)
        if scoring.jacoby(fields) and not turned:
            live = max(at.middle - at.unit, min(at.middle + at.unit, live))
        worth = (1 - life) * worth + life * live
    return stakes(fields, roller, fields.cube_value).in_points(worth)
