"""The moves of a stone with one die (abak.md, Columns, Classes), as tables by the face of a column.

The face of a column is its meaning for the mover's landing. Points have the mover's numbers. A ``Node`` is a position
seen from the mover, a ``Move`` the move of one stone with one die. A pair capture is two moves, the first with the
effect HALF.
"""

from collections.abc import Callable
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from engine.core.game import Seat
from engine.games.abak.board import (
    BACKWARD,
    BAR,
    CLASSES,
    FORWARD,
    MIDFIELD,
    OFF,
    TALLEST,
    Columns,
    State,
    letters,
    ranked,
    seen_from,
)

SOLDIER, GUARD, GENERAL, DRUID, EVEN, ODD = range(1, 7)
"""Classes as numbers; ``CLASSES[number - 1]`` is the letter."""

# The face of a column for the mover: 0 empty, 1..6 an own stone on top (of that class), and these:
FULL: Final = 10
"""Added to 1..6 when the column has five stones."""
BLOT, LONE_GUARD, BLOCK, FULL_BLOT, FULL_GUARD = -1, -2, -3, -4, -5
"""An enemy run on top. A stone on a full column can be hit, since it leaves the column, but not trapped."""

NONE, PLAIN, HIT, TRAP, HALF = range(5)
"""The effects of a landing. NONE: it is not allowed. HALF: only together with a second stone (pair capture)."""

Node: TypeAlias = tuple[Columns, str, str, str]
"""Columns in the mover's numbering, the mover's bar, the enemy's bar, the mover's tray."""
Move: TypeAlias = tuple[int, int, int, int, int]
"""Class, from, to, die, effect."""
Action: TypeAlias = tuple[Move, ...]
"""One move, or the two of a pair capture."""


def _landing(stone: int, point: int, face: int) -> int:
    if face >= 0:
        return PLAIN if face < FULL else NONE
    if face == BLOCK:
        return NONE
    if stone == DRUID and point in MIDFIELD:
        return TRAP if face in {BLOT, LONE_GUARD} else NONE
    if face in {BLOT, FULL_BLOT} or stone == GUARD:
        return HIT
    return HALF if face == LONE_GUARD else NONE


_FACES: Final = (*range(FULL + ODD + 1), *range(FULL_GUARD, 0))  # so that a negative face indexes from the end
LANDS: Final = tuple(
    tuple(tuple(_landing(stone, point, face) for face in _FACES) for point in range(25)) for stone in range(ODD + 1)
)
"""``LANDS[class][point][face]``: the effect of landing."""

PARITY: Final = tuple(
    tuple(not (stone == EVEN and die % 2) and not (stone == ODD and die % 2 == 0) for die in range(7))
    for stone in range(ODD + 1)
)
"""``PARITY[class][die]``: whether a move on the board may use the die (abak.md, Wounded)."""


class _Table(dict[str, int]):
    """A function of a column with a cache."""

    def __init__(self, find: Callable[[str], int]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, column: str) -> int:
        value = self[column] = self._find(column)
        return value


class Side:
    """The tables that depend on the mover's colour."""

    def __init__(self, seat: Seat) -> None:
        self.own = letters(seat)
        self.letter: Final = ("", *self.own)
        self.number: Final = {letter: number for number, letter in enumerate(self.own, 1)}
        self.faces = _Table(self._face)
        self.holds = _Table(lambda column: sum(stone in self.own for stone in column))
        """The number of own stones in a column, movable or not."""

    def _face(self, column: str) -> int:
        if not column:
            return 0
        full = len(column) >= TALLEST
        top = column[-1]
        if top in self.own:
            return self.number[top] + FULL * full
        if len(column) > 1 and column[-2] not in self.own:
            return BLOCK
        if top.upper() == "G":
            return FULL_GUARD if full else LONE_GUARD
        return FULL_BLOT if full else BLOT


SIDES: Final = (Side(0), Side(1))


class View:
    """A node, and the facts about it that are needed for every die."""

    __slots__ = ("_at_home", "bar", "columns", "faces", "general", "side", "sources")

    def __init__(self, side: Side, node: Node, general: int) -> None:
        self.side = side
        self.columns, self.bar, _, _ = node
        self.general = general
        self.faces = faces = [*map(side.faces.__getitem__, self.columns)]
        down = zip(_DOWN, faces[:0:-1], strict=True)
        self.sources = [(point, face % FULL) for point, face in down if face > 0] if not self.bar else []
        self._at_home: bool | None = None

    @property
    def at_home(self) -> bool:
        """Whether all own stones, prisoners included, are in the home (abak.md, Dice, bar, bearing off)."""
        if self._at_home is None:
            holds = self.side.holds
            self._at_home = not self.bar and not any(holds[column] for column in self.columns[7:] if column)
        return self._at_home

    def comrades_out(self) -> bool:
        """Returns whether an own stone other than the general is on the board outside the home."""
        general = self.side.letter[GENERAL]
        holds = self.side.holds
        return any(holds[column] > (general in column) for column in self.columns[7:] if column)

    def higher_own(self, point: int) -> bool:
        """Returns whether an own stone, movable or not, is on a point above ``point``."""
        holds = self.side.holds
        return any(holds[column] for column in self.columns[point + 1 :] if column)


_DOWN: Final = range(24, 0, -1)


def landings(view: View, die: int) -> list[Move]:
    """Lists every move of one stone with ``die``, first halves of pair captures too, from the highest point down."""
    faces = view.faces
    found: list[Move] = []
    if view.bar:
        point = BAR - die
        for stone in dict.fromkeys(map(view.side.number.__getitem__, view.bar)):
            effect = LANDS[stone][point][faces[point]]
            if effect:
                found.append((stone, BAR, point, die, effect))
        return found
    for source, stone in view.sources:
        if stone == GENERAL and view.general == BACKWARD:
            continue
        point = source - die
        if point > 0:
            if PARITY[stone][die]:
                effect = LANDS[stone][point][faces[point]]
                if effect:
                    found.append((stone, source, point, die, effect))
        elif view.at_home and (point == 0 or not view.higher_own(source)):
            found.append((stone, source, OFF, die, PLAIN))
        if stone == GENERAL and not view.general and source + die < BAR:
            point = source + die
            effect = LANDS[stone][point][faces[point]]
            if effect and view.comrades_out():
                found.append((stone, source, point, die, effect))
    return found


def second_halves(view: View, point: int, die: int) -> list[Move]:
    """Lists the moves with ``die`` that complete a pair capture on ``point``, after the first stone's landing."""
    return [
        move
        for move in landings(view, die)
        if move[2] == point and move[4] == PLAIN and LANDS[move[0]][point][LONE_GUARD] == HALF
    ]


def play(side: Side, node: Node, move: Move) -> Node:
    """Returns the node after a move. The first half of a capture sends the guard to the bar."""
    columns, bar, enemy_bar, off = node
    stone, source, point, _, effect = move
    board = list(columns)
    letter = side.letter[stone]
    if source == BAR:
        bar = bar.replace(letter, "", 1)
    else:
        board[source] = board[source][:-1]
    if point == OFF:
        return tuple(board), bar, enemy_bar, ranked(off + letter)
    under = board[point]
    if effect in _SENDS_BACK:
        enemy_bar = ranked(enemy_bar + under[-1])
        under = under[:-1]
    board[point] = under + letter
    return tuple(board), bar, enemy_bar, off


_SENDS_BACK: Final = frozenset({HIT, HALF})


def general_after(general: int, action: Action) -> int:
    """Returns the general's move in the turn once ``action`` is played; entering is not a forward move."""
    for stone, source, point, _, _ in action:
        if stone == GENERAL and source != BAR:
            general = FORWARD if point < source else BACKWARD
    return general


def node_of(state: State) -> Node:
    """Views the state's position from the side to move."""
    seat = state.turn
    return seen_from(state.columns, seat), state.bar[seat], state.bar[1 - seat], state.off[seat]


class Step(NamedTuple):
    """One step of a turn: a stone's move with a die, or a pair capture. Mover's numbers; classes in upper case."""

    stone: str
    """The class; empty in PASS."""
    source: int
    """The point it leaves; 25: the bar."""
    point: int
    """The point where it lands; 0: off the board."""
    die: int
    second: str = ""
    """The class of the second stone of a pair capture, which lands on the first."""
    second_source: int = 0
    second_die: int = 0


PASS: Final = Step("", 0, 0, 0)


@cache
def step_of(action: Action) -> Step:
    """Converts an action to its public form."""
    stone, source, point, die, _ = action[0]
    if len(action) == 1:
        return Step(CLASSES[stone - 1], source, point, die)
    other, other_source, _, other_die, _ = action[1]
    return Step(CLASSES[stone - 1], source, point, die, CLASSES[other - 1], other_source, other_die)
