"""Moves as text, after Aba-Pro: ``c3d4``, ``c3c5d3``, ``c3d4*``, ``c3d4*x`` (abalone.md, Notation)."""

import re
from typing import Final

from engine.core.errors import BadNotation, IllegalMove
from engine.games.abalone.board import BITS, NAMES, SIDES, State, cells
from engine.games.abalone.judge import course, judge, require_own
from engine.games.abalone.tables import MOST, Play, Step, shifted

PUSH: Final = "*"
EJECTION: Final = "x"

_CELL: Final = re.compile(r"[a-z][0-9]{1,2}")
_BETWEEN: Final = re.compile(r"[\s\-\u2010-\u2015\u2212/\\>\u2192:,;.()x\u00d7*!]*")
"""The text allowed between and after the cells: separators, and the optional marks of a push."""


def write(play: Play) -> str:
    """Writes the canonical text: the cells, ``*`` for a push, then ``x`` for an ejection."""
    return "".join(play.step) + (PUSH if play.pushed else "") + (EJECTION if play.ejects else "")


def recorded(state: State, text: str) -> Play | None:
    """Finds the play of a canonical text; None if the text is not canonical or the play not legal there."""
    named = text.rstrip("*x")
    first, last, to = named[:2], named[2:-2], named[-2:]
    if first not in BITS or to not in BITS or not (last in BITS or not last):
        return None
    try:
        return judge(state, Step(first, last, to))
    except IllegalMove:
        return None


def read(state: State, text: str) -> Step:
    """Reads the legal step of a text. Raises BadNotation, or IllegalMove naming the rule.

    Three cells on one line are read as the in-line move that they describe.
    """
    written = text.lower()
    found = _CELL.findall(written)
    if len(found) not in {2, 3} or not _BETWEEN.fullmatch(_CELL.sub("", written)):
        raise BadNotation("abalone.unreadable", text=text)
    *ends, to = found
    for cell in ends:
        if cell not in BITS:
            raise BadNotation("abalone.no_such_cell", cell=cell)
    if to not in BITS:
        way = course(ends[0], to)
        if way is None or way[1] != 1:
            raise BadNotation("abalone.no_such_cell", cell=to)
        require_own(state, ends[0])
        raise IllegalMove("abalone.off_board" if len(ends) == 2 else "abalone.own_out", cell=ends[0])
    step = Step(ends[0], "", to) if len(set(ends)) == 1 else _across(state, ends[0], ends[1], to)
    judge(state, step)
    return step


def _across(state: State, first: str, last: str, to: str) -> Step:
    """Reads the step of a group named by its two ends, whose first end goes to ``to``. The caller checks it."""
    line, way = course(first, last), course(first, to)
    if line is None or line[1] >= MOST or way is None or way[1] != 1:
        return Step(first, last, to)
    axis, shift = line[0], way[0]
    if abs(axis) == abs(shift):
        return _along(state, [shifted(BITS[first], axis * place) for place in range(line[1] + 1)], axis, shift)
    if axis > 0:
        return Step(first, last, to)
    target = shifted(BITS[last], shift)
    if target not in NAMES:
        require_own(state, last)
        raise IllegalMove("abalone.off_board", cell=last)
    return Step(last, first, NAMES[target])


def _along(state: State, group: list[int], axis: int, shift: int) -> Step:
    """Reads the in-line step of a group, named by its rear marble, if no more marbles than the group would move."""
    if axis != shift:
        group.reverse()
    for bit in group:
        require_own(state, NAMES[bit])
    ahead = NAMES.get(shifted(group[-1], shift))
    if ahead and cells(state).get(ahead) == SIDES[state.turn]:
        raise IllegalMove("abalone.own_in_way", cell=ahead)
    return Step(NAMES[group[0]], "", NAMES[group[1]])
