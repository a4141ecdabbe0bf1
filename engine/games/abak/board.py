"""The position: columns of stones, bar and tray, and its text (abak.md, Columns, Position text).

Letters are upper case for White and lower case for Black. Points have White's numbers only here and in marks;
everything about a move has the mover's numbers (``seen_from``).
"""

from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

from engine.core.errors import BadNotation
from engine.core.game import Seat
from engine.kits import cube
from engine.kits.dice import Roll, dice_of
from engine.kits.xgid import NO_MATCH, MatchFields, read_fields, write_fields

CLASSES: Final = "SGKDEO"
"""Soldier, Guard, General (king), Druid, Even wounded, Odd wounded: the order on bar and tray."""
ARMY: Final = {"S": 9, "G": 2, "K": 1, "D": 1, "E": 1, "O": 1}
WHOLE: Final = "".join(letter * count for letter, count in ARMY.items())
TRAY: Final = (WHOLE, WHOLE.lower())
"""All stones of a side, as in a full tray."""
LETTERS: Final = frozenset(CLASSES + CLASSES.lower())
TALLEST: Final = 5
"""The most stones on a point, of both colours together (abak.md, Columns 2)."""
BAR: Final = 25
OFF: Final = 0
MIDFIELD: Final = range(7, 19)
"""Points 7 to 18, which are the midfield for both sides."""

PREFIX: Final = "ABAKID="

STILL: Final = 0
FORWARD: Final = 1
BACKWARD: Final = -1

Columns: TypeAlias = tuple[str, ...]


class State(NamedTuple):
    """A position, within or between turns. Equal states are equivalent for the rest of the game."""

    columns: Columns
    """25 columns by White's points (index 0 is unused), each from bottom to top."""
    bar: tuple[str, str]
    """White's stones and Black's, in the order of ``CLASSES``."""
    off: tuple[str, str]
    """The stones borne off, in the same order."""
    turn: Seat
    roll: Roll | None
    dice: tuple[int, ...]
    """The dice left to play, the higher first."""
    general: int = STILL
    """The general's move in this turn: STILL, FORWARD or BACKWARD."""
    opening: bool = False
    fields: MatchFields = NO_MATCH


def letters(seat: Seat) -> str:
    return CLASSES if seat == 0 else CLASSES.lower()


def ranked(stones: str) -> str:
    """Sorts stones of one colour in the order of ``CLASSES``."""
    return "".join(sorted(stones, key=lambda stone: CLASSES.index(stone.upper()))) if len(stones) > 1 else stones


def seen_from(columns: Columns, seat: Seat) -> Columns:
    """Renumbers the columns for the seat. Applied twice, it returns the original columns."""
    return columns if seat == 0 else ("", *columns[:0:-1])


def cell(seat: Seat, point: int) -> str:
    """Names one of the seat's own points, its bar or its tray absolutely."""
    if point == BAR:
        return f"bar{seat}"
    if point == OFF:
        return f"off{seat}"
    return str(point if seat == 0 else 25 - point)


def pips(state: State, seat: Seat) -> int:
    """Counts the pips that the seat still has to move; a stone on the bar counts 25."""
    own = letters(seat)
    on_board = sum(
        point * sum(stone in own for stone in column)
        for point, column in enumerate(seen_from(state.columns, seat))
        if column
    )
    return on_board + BAR * len(state.bar[seat])


def winner(state: State) -> Seat | None:
    """Returns the seat that has borne off everything, or None."""
    if len(state.off[0]) == len(WHOLE):
        return 0
    return 1 if len(state.off[1]) == len(WHOLE) else None


def over(state: State) -> bool:
    """Returns whether a side has borne off everything or passed a double."""
    return winner(state) is not None or cube.is_passed(state.fields)


def start(fields: MatchFields = NO_MATCH) -> State:
    """Returns the start position, before the opening roll (abak.md, Stones and set-up)."""
    columns = [""] * 25
    for point, column in {24: "ED", 23: "OS", 13: "SSGS", 8: "SGS", 6: "SSSK"}.items():
        columns[point] = column
        columns[25 - point] = column.lower()
    return State(tuple(columns), ("", ""), ("", ""), 0, None, (), opening=True, fields=fields)


def encode(state: State) -> str:
    """Writes the position text, for the start of a turn. Within a turn it does not show the dice already played."""
    parts: list[str] = []
    for filled, run in groupby(state.columns[:0:-1], bool):
        alike = list(run)
        parts += alike if filled else [str(len(alike))]
    bar = "".join(state.bar) or "-"
    return f"{PREFIX}{'/'.join(parts)}:{bar}:{write_fields(state.fields, state.turn, state.roll)}"


def decode(text: str) -> State:
    """Reads the state of a position text. Raises BadNotation."""
    given = text.strip()
    board, *rest = (given[len(PREFIX) :] if given.upper().startswith(PREFIX) else given).split(":")
    bar = rest.pop(0) if rest else ""
    fields, turn, roll = read_fields(rest, given)
    columns = _read_columns(board)
    if bar != "-" and (not bar or not LETTERS.issuperset(bar)):
        raise BadNotation("abak.position_bar", bar=bar)
    stones = "".join(columns) + bar.replace("-", "")
    off = (_missing(stones, 0), _missing(stones, 1))
    if off == TRAY:
        raise BadNotation("abak.position_empty")
    on_bar = (ranked("".join(filter(str.isupper, bar))), ranked("".join(filter(str.islower, bar))))
    if roll is None or WHOLE in {off[0], off[1].upper()}:
        return State(columns, on_bar, off, turn, None, (), fields=fields)
    return State(columns, on_bar, off, turn, roll, dice_of(roll), fields=fields)


_EMPTY_RUNS: Final = frozenset(map(str, range(1, 25)))


def _read_columns(board: str) -> Columns:
    columns: list[str] = []
    for part in board.split("/"):
        if part in _EMPTY_RUNS:
            columns += [""] * int(part)
        elif part and LETTERS.issuperset(part):
            columns.append(part)
            if len(part) > TALLEST:
                raise BadNotation("abak.position_tall", column=part, most=TALLEST)
        else:
            raise BadNotation("abak.position_column", column=part)
    if len(columns) != 24:
        raise BadNotation("abak.position_columns", found=len(columns))
    return ("", *reversed(columns))


def _missing(stones: str, seat: Seat) -> str:
    """Returns the seat's stones that are not among ``stones``. Raises BadNotation if these are more than it has."""
    missing = ""
    for stone, count in zip(letters(seat), ARMY.values(), strict=True):
        if stones.count(stone) > count:
            raise BadNotation("abak.position_stones", stone=stone, most=count)
        missing += stone * (count - stones.count(stone))
    return missing
