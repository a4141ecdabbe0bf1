"""The board of APB, a position, and its text (apb.md, Board and set-up, Position text).

Cells are numbered 0 to 107, row by row from ``a1``; a set of cells is an int with bit ``n`` for cell ``n`` (a mask).
"""

from typing import Final, NamedTuple

from engine.core.errors import BadNotation
from engine.core.game import Seat

COLUMNS: Final = "abcdefghi"
WIDTH: Final = len(COLUMNS)
HEIGHT: Final = 12
NAMES: Final = tuple(f"{column}{row}" for row in range(1, HEIGHT + 1) for column in COLUMNS)
"""The names of the cells by number."""
NUMBERS: Final = {name: number for number, name in enumerate(NAMES)}
MOST_SECONDARIES: Final = 8
SIDES: Final = "wb"

START: Final = "9/3sss3/3sps3/3sss3/9/9/9/9/3SSS3/3SPS3/3SSS3/9 w -"


class State(NamedTuple):
    """A position, also within a turn. All but ``turn`` are masks; pairs are by seat, White first."""

    secondaries: tuple[int, int]
    principals: tuple[int, int]
    """A principal's mask is 0 once it is off the board: then the game is over."""
    turn: Seat
    done: int
    """The secondaries of the side to move that have taken their own step this turn, by their present cells."""


class Step(NamedTuple):
    """A step from the cell ``origin`` to its neighbour ``target``, by number; ``PASS`` ends a turn without the
    principal.
    """

    origin: int
    target: int

    def __str__(self) -> str:
        return "pass" if self == PASS else f"{_name(self.origin)}-{_name(self.target)}"


PASS: Final = Step(-1, -1)


def _name(number: int) -> str:
    return NAMES[number] if 0 <= number < len(NAMES) else "?"


def name_of(mask: int) -> str:
    """Returns the name of the one cell in ``mask``."""
    return NAMES[mask.bit_length() - 1]


def names_of(mask: int) -> list[str]:
    """Returns the names of the cells in ``mask``, from ``a1`` on, row by row."""
    found = []
    while mask:
        bit = mask & -mask
        found.append(name_of(bit))
        mask ^= bit
    return found


def letter_at(state: State, mask: int) -> str:
    """Returns the piece in the one cell of ``mask``: ``S``, ``P``, ``s``, ``p``, or nothing."""
    for seat, letters in enumerate(("SP", "sp")):
        if state.secondaries[seat] & mask:
            return letters[0]
        if state.principals[seat] & mask:
            return letters[1]
    return ""


def cells(state: State) -> dict[str, str]:
    """Returns the occupied cells by name, with ``S``/``P`` for White's pieces and ``s``/``p`` for Black's."""
    white, black = state.secondaries
    white_principal, black_principal = state.principals
    groups = (("S", white), ("P", white_principal), ("s", black), ("p", black_principal))
    return {name: letter for letter, mask in groups for name in names_of(mask)}


def stepped(state: State) -> frozenset[str]:
    """Returns the cells of the pieces that have taken their own step this turn."""
    return frozenset(names_of(state.done))


def encode(state: State) -> str:
    """Writes ``ROWS SIDE STEPPED``."""
    held = cells(state)
    rows = []
    for row in range(HEIGHT, 0, -1):
        text, empty = "", 0
        for column in COLUMNS:
            letter = held.get(f"{column}{row}")
            if letter is None:
                empty += 1
                continue
            text += (str(empty) if empty else "") + letter
            empty = 0
        rows.append(text + (str(empty) if empty else ""))
    done = ",".join(sorted(names_of(state.done))) or "-"
    return f"{'/'.join(rows)} {SIDES[state.turn]} {done}"


def decode(text: str) -> State:
    """Reads the state of a position text. Raises BadNotation with a key that names the fault.

    One principal may be missing: the game is then over. Raises also without any principal, or if a side has more than 8
    secondaries or two principals.
    """
    fields = text.split()
    if len(fields) != 3:
        raise BadNotation("apb.position_fields", text=text, found=len(fields))
    rows, side, done = fields
    masks = _read_rows(rows)
    if side not in {"w", "b"}:
        raise BadNotation("apb.position_side", side=side)
    turn = SIDES.index(side)
    secondaries, principals = (masks["S"], masks["s"]), (masks["P"], masks["p"])
    return State(secondaries, principals, turn, _read_done(done, secondaries[turn]))


def _read_rows(text: str) -> dict[str, int]:
    rows = text.split("/")
    if len(rows) != HEIGHT:
        raise BadNotation("apb.position_rows", found=len(rows))
    masks = dict.fromkeys("SPsp", 0)
    for row, line in zip(range(HEIGHT, 0, -1), rows, strict=True):
        column = 0
        for letter in line:
            if letter in masks and column < WIDTH:
                masks[letter] |= 1 << (row - 1) * WIDTH + column
                column += 1
            elif letter in "123456789":
                column += int(letter)
            elif letter not in masks:
                raise BadNotation("apb.position_letter", letter=letter, row=row)
            else:
                column = WIDTH + 1
        if column != WIDTH:
            raise BadNotation("apb.position_row", row=row, line=line)
    for letter, most in (("S", MOST_SECONDARIES), ("P", 1), ("s", MOST_SECONDARIES), ("p", 1)):
        if masks[letter].bit_count() > most:
            raise BadNotation("apb.position_pieces", letter=letter, found=masks[letter].bit_count(), most=most)
    if not masks["P"] | masks["p"]:
        raise BadNotation("apb.position_principals")
    return masks


def _read_done(text: str, secondaries: int) -> int:
    mask = 0
    for cell in () if text == "-" else text.split(","):
        bit = 1 << NUMBERS[cell] if cell in NUMBERS else 0
        if not bit & secondaries:
            raise BadNotation("apb.position_stepped", cell=cell)
        mask |= bit
    return mask
