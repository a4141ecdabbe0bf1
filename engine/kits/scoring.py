"""What a game of the backgammon family is worth (backgammon.md, Score, Cube and matches)."""

from typing import Final

from engine.core.game import Outcome, Seat, win
from engine.kits.xgid import MatchFields

SINGLE: Final = 1
GAMMON: Final = 2
BACKGAMMON: Final = 3
REASONS: Final = {SINGLE: "end.single", GAMMON: "end.gammon", BACKGAMMON: "end.backgammon"}
KEYS: Final[dict[str, tuple[str, ...]]] = dict.fromkeys(REASONS.values(), ())
"""Message keys and the names of their parameters."""


def jacoby(fields: MatchFields) -> bool:
    """Whether gammons count single: unlimited play with the Jacoby flag (an odd one), the cube not turned yet."""
    flag = fields.rules
    return fields.length == "0" and fields.cube == "0" and flag.isascii() and flag.isdigit() and int(flag) % 2 == 1


def level(*, borne_off: bool, far: bool) -> int:
    """SINGLE, GAMMON or BACKGAMMON, by the loser: has any been borne off; is one on the bar or in the winner's home."""
    if borne_off:
        return SINGLE
    return BACKGAMMON if far else GAMMON


def won(seat: Seat, lost: int, fields: MatchFields) -> Outcome:
    """``seat`` wins a game that the other lost as ``lost`` (SINGLE to BACKGAMMON), times the cube."""
    counted = SINGLE if jacoby(fields) else lost
    return win(seat, counted * fields.cube_value, REASONS[counted])


def costs(most: int, fields: MatchFields) -> tuple[int, ...]:
    """The points that can be resigned for, rising, where ``most`` (SINGLE to BACKGAMMON) is the worst that can come."""
    counted = SINGLE if jacoby(fields) else most
    return tuple(size * fields.cube_value for size in range(SINGLE, counted + 1))
