"""The chances of winning a match, by the points that each side still needs.

Before the Crawford game, Rick Janowski's formula holds: 0.5 + 0.85 * lead / (points that both need + 6). From the
Crawford game on, the side behind doubles at once in each game, and a fifth of the games won are gammons.
"""

from functools import cache
from typing import Final

GAMMONS: Final = 0.2


@cache
def match_chance(own: int, other: int, *, crawford_over: bool) -> float:
    """Returns the chance of the side that needs ``own`` points, before a game.

    ``crawford_over`` says that the Crawford game has been played.
    """
    if own <= 0 or other <= 0:
        return float(own <= 0)
    if own > 1 and other > 1:
        return 0.5 + 0.85 * (other - own) / (own + other + 6)
    if own == 1:
        return 0.5 if other == 1 else 1 - match_chance(other, own, crawford_over=crawford_over)
    cube = 2 if crawford_over else 1
    single = match_chance(own - cube, 1, crawford_over=True)
    gammon = match_chance(own - 2 * cube, 1, crawford_over=True)
    return ((1 - GAMMONS) * single + GAMMONS * gammon) / 2
