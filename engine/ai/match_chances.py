"""How likely a side is to win a match, by how many points each side still needs.

Before the Crawford game by Rick Janowski's formula (0.5 + 0.85 times the lead, by the points that both need and 6);
from the Crawford game on, the side behind doubles at once in each game, and a fifth of the games won are gammons.
"""

from functools import cache
from typing import Final

GAMMONS: Final = 0.2


@cache
def match_chance(own: int, other: int, *, crawford_over: bool) -> float:
    """The chance of the side that needs ``own`` points, before a game; ``crawford_over``: that game has been played."""
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
