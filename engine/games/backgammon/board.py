"""The position and its text (backgammon.md, Set-up and aim, Position text).

A side is one whole number of 26 half-bytes: half-byte *p* counts its checkers on its own point *p*, 25 being the bar
and 0 the tray. So a move is one addition. A side's point *p* is the other's 25 - *p*.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.core.errors import BadNotation
from engine.core.game import Seat
from engine.kits import cube
from engine.kits.dice import SEATS, Roll, dice_of
from engine.kits.xgid import NO_MATCH, MatchFields, read_fields, write_fields

BAR: Final = 25
OFF: Final = 0
CHECKERS: Final = 15

LAYOUTS: Final[dict[str, dict[int, int]]] = {
    "standard": {24: 2, 13: 5, 8: 3, 6: 5},
    "nack": {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    "hyper": {24: 1, 23: 1, 22: 1},
    "longgammon": {24: 15},
}
"""The checkers of each side by its own points (backgammon.md, Layouts)."""


class State(NamedTuple):
    """A position, within or between turns. ``white`` and ``black`` are packed sides."""

    white: int
    black: int
    turn: Seat
    """The side to play or, without dice, to roll. At the end of the game, the side whose turn it would be."""
    roll: Roll | None = None
    """The roll of the turn in progress, the higher die first."""
    dice: tuple[int, ...] = ()
    """The dice left to play, the higher first; never empty while ``roll`` is set."""
    opening: bool = False
    """Whether the opening roll is still to come; ``turn`` means nothing yet."""
    fields: MatchFields = NO_MATCH

    @property
    def points(self) -> tuple[int, ...]:
        """26 counts in White's numbering, White's positive: 0 Black's bar, 1 to 24 the points, 25 White's bar."""
        white, black = unpack(self.white), unpack(self.black)
        return (-black[BAR], *(white[point] - black[25 - point] for point in range(1, 25)), white[BAR])

    @property
    def off(self) -> tuple[int, int]:
        """The checkers that each side has borne off."""
        return self.white & 15, self.black & 15


def pack(counts: Sequence[int]) -> int:
    """Packs 26 counts, by own point, into one number."""
    return sum(count << 4 * point for point, count in enumerate(counts))


@lru_cache(maxsize=128)
def unpack(side: int) -> tuple[int, ...]:
    """Returns the 26 counts of a packed side, by own point, each 0 to 15."""
    return tuple(side >> shift & 15 for shift in range(0, 104, 4))


def start(layout: str, fields: MatchFields = NO_MATCH) -> State:
    """Returns the position before the opening roll."""
    side = sum(count << 4 * point for point, count in LAYOUTS[layout].items())
    return State(side, side, 0, opening=True, fields=fields)


def checkers(layout: str) -> int:
    """Returns the total number of a side's checkers."""
    return sum(LAYOUTS[layout].values())


def sides(state: State) -> tuple[int, int]:
    """Returns the packed sides: first that of ``state.turn``, then the other."""
    return (state.white, state.black) if state.turn == 0 else (state.black, state.white)


def all_off(side: int) -> bool:
    return side < 16


def over(state: State) -> bool:
    """Returns whether a side has borne off all checkers or passed a double."""
    return state.white < 16 or state.black < 16 or cube.is_passed(state.fields)


def pips(state: State, seat: Seat) -> int:
    """Counts the pips that the seat still has to move; a checker on the bar counts 25."""
    return sum(point * count for point, count in enumerate(unpack(state.black if seat else state.white)))


def farthest(side: int) -> int:
    """Finds the highest own point with a checker on it: 25 for the bar, 0 when all are off."""
    return (side.bit_length() - 1) // 4 if side else 0


def cell(seat: Seat, point: int) -> str:
    """Names one of the seat's own points, its bar or its tray absolutely."""
    if point in {BAR, OFF}:
        return f"{'bar' if point else 'off'}{seat}"
    return str(point if seat == 0 else 25 - point)


# --- the text ---------------------------------------------------------------------------------------------------------

_WHITE: Final = str.maketrans("0123456789abcdef", "-ABCDEFGHIJKLMNO")
_BLACK: Final = str.maketrans("0123456789abcdef", "-abcdefghijklmno")
POINTS_AND_BARS: Final = 26
_LETTERS: Final = frozenset("-ABCDEFGHIJKLMNOabcdefghijklmno")


def write(state: State) -> str:
    """Writes the XGID. Within a turn it has the turn's roll and the present board."""
    # The hexadecimal digits are the half-bytes; "-" sorts below "A", so the greater of two letters is the one to write.
    white = f"{state.white & ~15:026x}".translate(_WHITE)[::-1]
    black = f"{state.black & ~15:026x}".translate(_BLACK)
    board = "".join(map(max, white, black))
    return f"XGID={board}:{write_fields(state.fields, state.turn, state.roll)}"


def read(text: str, size: int = CHECKERS) -> State:
    """Reads the state of an XGID. ``size``: a side's checkers, on the board or borne off. Raises BadNotation."""
    given = text.strip()
    board, *rest = (given[5:] if given[:5].upper() == "XGID=" else given).split(":")
    if not rest and len(board) != POINTS_AND_BARS:
        raise BadNotation("backgammon.position", text=given)
    if unknown := [letter for letter in board if letter not in _LETTERS]:
        raise BadNotation("backgammon.position_letter", letter=unknown[0])
    if len(board) != POINTS_AND_BARS:
        raise BadNotation("backgammon.position_length", found=len(board))
    if board[OFF].isupper():
        raise BadNotation("backgammon.position_bar", letter=board[OFF])
    if board[BAR].islower():
        raise BadNotation("backgammon.position_bar", letter=board[BAR])
    fields, turn, roll = read_fields(rest, given)
    white = [ord(letter) - 64 if "A" <= letter <= "O" else 0 for letter in board]
    black = [ord(letter) - 96 if "a" <= letter <= "o" else 0 for letter in reversed(board)]
    return placed(white, black, size, turn, roll, fields)


def placed(white: list[int], black: list[int], size: int, turn: Seat, roll: Roll | None, fields: MatchFields) -> State:
    """Makes the state with these checkers: 26 counts per side by own point. Index 0 lacks those borne off yet.

    Raises BadNotation for more than ``size`` checkers, or if both sides have borne off all.
    """
    for side, counts in zip(SEATS, (white, black), strict=True):
        if sum(counts) > size:
            raise BadNotation("backgammon.position_checkers", side=side, found=sum(counts), most=size)
        counts[OFF] = size - sum(counts)
    if white[OFF] == black[OFF] == size:
        raise BadNotation("backgammon.position_over")
    finished = size in {white[OFF], black[OFF]}
    if roll is None or finished:
        return State(pack(white), pack(black), turn, fields=fields)
    return State(pack(white), pack(black), turn, roll, dice_of(roll), fields=fields)
