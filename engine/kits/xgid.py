"""The last nine fields, which XGID and ABAKID share: cube, owner, turn, dice, scores, flag, length, maximum cube.

Fields that the rules do not use are kept as text, so that a round trip does not change them.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from engine.core.errors import BadNotation
from engine.core.game import Seat
from engine.kits.dice import Roll, read_roll


class Doubling(IntEnum):
    """The state of doubling in the turn; see ``cube``."""

    OUT = 0
    """The game is played without the cube."""
    FREE = 1
    """The side to roll may double, if the cube allows it."""
    ROLLING = 2
    """The side to roll has no cube action left: the roll is next."""
    OFFERED = 3
    """The side to roll has doubled; the other is to take or pass. The cube still shows its former value."""
    PASSED = 4
    """The other side has passed: the game is over."""


@dataclass(frozen=True, slots=True)
class MatchFields:
    """The cube and the match around a game, as the texts of the position's fields."""

    cube: str = "0"
    """Exponent: the cube shows ``2 ** int(cube)``."""
    owner: str = "0"
    white_score: str = "0"
    black_score: str = "0"
    rules: str = "0"
    length: str = "0"
    rest: tuple[str, ...] = ("10",)
    """The maximum cube (an exponent), and any fields that a later format adds."""
    doubling: Doubling = Doubling.OUT
    """The text shows only an offered double: as the dice ``D``, on the turn of the side that doubles."""

    @property
    def cube_value(self) -> int:
        return 1 << int(self.cube)


NO_MATCH: Final = MatchFields()
MOST_DIGITS: Final = 9
NOT_ROLLED: Final = "00"
DOUBLED: Final = "D"
_OFFERED: Final = frozenset({Doubling.OFFERED, Doubling.PASSED})


def number_of(field: str) -> int:
    """Reads the number of a field; 0 for any other text, and for more digits than a score can have."""
    return int(field) if field.isascii() and field.isdigit() and len(field) <= MOST_DIGITS else 0


def write_fields(fields: MatchFields, turn: Seat, roll: Roll | None) -> str:
    """Writes ``cube:owner:turn:dice:white:black:rules:length:maximum``, the higher die first."""
    unrolled = DOUBLED if fields.doubling in _OFFERED else NOT_ROLLED
    dice = unrolled if roll is None else f"{max(roll)}{min(roll)}"
    parts = (
        fields.cube,
        fields.owner,
        "1" if turn == 0 else "-1",
        dice,
        fields.white_score,
        fields.black_score,
    )
    return ":".join((*parts, fields.rules, fields.length, *fields.rest))


def read_fields(parts: list[str], text: str) -> tuple[MatchFields, Seat, Roll | None]:
    """Reads the fields after the board. ``text`` is the whole position, for the error. Raises BadNotation."""
    if len(parts) < 9:
        raise BadNotation("xgid.fields", text=text, found=len(parts))
    cube, owner, turn, dice, white_score, black_score, rules, length, *rest = parts
    if not (cube.isascii() and cube.isdigit() and len(cube) <= 2 and int(cube) <= 30):
        raise BadNotation("xgid.cube", text=text, cube=cube)
    if turn not in {"1", "-1"}:
        raise BadNotation("xgid.turn", text=text, turn=turn)
    doubled = dice.upper() == DOUBLED
    roll = None if dice == NOT_ROLLED or doubled else read_roll(dice)
    doubling = Doubling.OFFERED if doubled else Doubling.OUT
    fields = MatchFields(cube, owner, white_score, black_score, rules, length, tuple(rest), doubling)
    if roll is not None:
        roll = Roll(max(roll), min(roll))
    return fields, 0 if turn == "1" else 1, roll
