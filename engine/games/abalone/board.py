"""The board of 61 cells, the state of a game and its position text (abalone.md, Board and set-up, Position text).

A set of cells is one integer: the cell of row ``r`` (``a`` is 0) and number ``n`` is bit ``10 * r + n``. A neighbour is
a shift by 1, 10 or 11. Column 0 between the rows is always empty, so that a step off the board never lands on a cell.
"""

from typing import Final, NamedTuple

from engine.core.errors import BadNotation
from engine.core.game import Seat

MARBLES: Final = 14
"""Marbles of each side at the start."""
TARGET: Final = 6
"""Opposing marbles to eject by default; the option can set fewer."""
SIDES: Final = "bw"
"""The letters of the seats; Black is the first."""

ROWS: Final = "abcdefghi"
WIDTH: Final = 10


def span(row: int) -> range:
    """Returns the numbers of the cells of a row, 0 for ``a``."""
    return range(max(1, row - 3), min(9, row + 5) + 1)


CELLS: Final = tuple(f"{letter}{number}" for row, letter in enumerate(ROWS) for number in span(row))
"""Every cell's name, by row and then number: ``a1`` … ``i9``."""
BITS: Final = {cell: 1 << (WIDTH * ROWS.index(cell[0]) + int(cell[1])) for cell in CELLS}
NAMES: Final = {bit: cell for cell, bit in BITS.items()}
BOARD: Final = sum(NAMES)


class State(NamedTuple):
    """A position between two turns: the cells of each side as bits, the side to move, the ejected marbles."""

    black: int
    white: int
    turn: Seat
    ejected: tuple[int, int] = (0, 0)
    """Opposing marbles pushed off the board by Black and by White."""
    target: int = TARGET
    """The number of ejected marbles that wins."""


def cells(state: State) -> dict[str, str]:
    """Returns the occupied cells and the side of each marble: ``{"a1": "b", "i9": "w"}``."""
    found = {}
    for cell, bit in BITS.items():
        if state.black & bit:
            found[cell] = "b"
        elif state.white & bit:
            found[cell] = "w"
    return found


def encode(state: State) -> str:
    """Writes ``ROWS SIDE EJECTED_BY_BLACK EJECTED_BY_WHITE``, rows i to a."""
    rows = []
    for row in reversed(range(len(ROWS))):
        text, empty = "", 0
        for number in span(row):
            bit = 1 << (WIDTH * row + number)
            if (state.black | state.white) & bit:
                text += (str(empty) if empty else "") + ("b" if state.black & bit else "w")
                empty = 0
            else:
                empty += 1
        rows.append(text + (str(empty) if empty else ""))
    return f"{'/'.join(rows)} {SIDES[state.turn]} {state.ejected[0]} {state.ejected[1]}"


def decode(text: str, target: int = TARGET) -> State:
    """Reads the state of a position text; case and the amount of space do not matter. Raises BadNotation.

    Marbles may be missing without an ejection, as in problems; a side has at most fourteen.
    """
    parts = text.lower().split()
    if len(parts) != 4:
        raise BadNotation("abalone.fields", text=text, found=len(parts))
    black, white = _read_rows(parts[0])
    if parts[1] not in set(SIDES):
        raise BadNotation("abalone.side", text=parts[1])
    by_black, by_white = _read_count(parts[2], target), _read_count(parts[3], target)
    if by_black == by_white == target:
        raise BadNotation("abalone.both_won", target=target)
    return State(black, white, SIDES.index(parts[1]), (by_black, by_white), target)


def _read_rows(text: str) -> tuple[int, int]:
    rows = text.split("/")
    if len(rows) != len(ROWS):
        raise BadNotation("abalone.rows", found=len(rows))
    sides = dict.fromkeys(SIDES, 0)
    for row, written in zip(reversed(range(len(ROWS))), rows, strict=True):
        content = "".join(" " * int(mark) if mark in "123456789" else mark for mark in written)
        if len(content) != len(span(row)) or not set(content) <= {*SIDES, " "}:
            raise BadNotation("abalone.row", row=ROWS[row], text=written, cells=len(span(row)))
        for number, mark in zip(span(row), content, strict=True):
            if mark in sides:
                sides[mark] |= 1 << (WIDTH * row + number)
    for side, bits in sides.items():
        if bits.bit_count() > MARBLES:
            raise BadNotation("abalone.marbles", side=side, found=bits.bit_count(), most=MARBLES)
    return sides["b"], sides["w"]


def _read_count(text: str, target: int) -> int:
    if text not in {str(count) for count in range(target + 1)}:
        raise BadNotation("abalone.ejected", text=text, most=target)
    return int(text)
