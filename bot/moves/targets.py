"""The places of a picker's choices on the board. Stones to choose from get a ring, all other choices a sign.

The sign is a dot if the choice names the cell as the board does; else a letter, or a number if the names of cells
contain letters.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import count, groupby
from math import inf
from operator import itemgetter
from string import ascii_uppercase
from typing import Any, Final, TypeAlias

from bot.moves.draft import FROM, TO, ChoiceCells, Draft, Drafted
from engine.core.game import Mark, Seat
from engine.core.search import Choice
from render import registry

DOT: Final = "\u2022"
"""The sign of a cell that its choice names."""
HAS_LETTER: Final = re.compile("[a-z][0-9]+")
"""A cell with a letter in its name, such as ``c3``."""
Offered: TypeAlias = tuple[Draft, Choice[Any]]


def rows_of(drafted: Drafted, below: Seat) -> list[list[Offered]]:
    """Returns the choices by their rows on the board seen from ``below``, from top to bottom and from left to right.

    A choice lies at the cell of its stone if stones are to be chosen, else at the cell of its sign. A pass comes last.
    """
    points = drafted.cells
    stones = chooses_stones(drafted)
    own = {point.draft: _stone(point) for point in points} if stones else _signed_cells(points)
    to = {point.draft: point.to for point in points}

    def at(offered: Offered) -> tuple[tuple[float, float], tuple[float, float]]:
        draft, _ = offered
        return _spot(drafted, own.get(draft, ""), below), _spot(drafted, to.get(draft, ""), below)

    ordered = sorted(((at(offered), offered) for offered in drafted.offered), key=itemgetter(0))
    return [[offered for _, offered in row] for _, row in groupby(ordered, lambda placed: placed[0][0][0])]


def signs_by_draft(drafted: Drafted, below: Seat) -> dict[Draft, tuple[str, str]]:
    """Returns a sign for each choice, with its cell; empty while a stone is to be chosen.

    For stones in line the cell is the one that the front stone enters; for a group to choose it is the far end. So no
    cell has two signs. Letters and numbers follow the order of the cells on the board.
    """
    points = drafted.cells
    if chooses_stones(drafted):
        return {}
    cells = _signed_cells(points)
    placed = [offered for row in rows_of(drafted, below) for offered in row if cells.get(offered[0])]
    letters = not any(HAS_LETTER.fullmatch(cell) for cell in cells.values())
    signs: Iterator[str] = iter(ascii_uppercase) if letters else map(str, count(1))
    found = {}
    for draft, choice in placed:
        cell = cells[draft]
        sign = DOT if cell in _cells_named(drafted, choice, below) else next(signs, "")
        if sign:
            found[draft] = sign, cell
    return found


def _cells_named(drafted: Drafted, choice: Choice[Any], below: Seat) -> Sequence[str]:
    """Returns the cells that a choice names as the board seen from ``below`` does; none if the board has
    other numbers.
    """
    game = drafted.game
    text = choice.word if choice.step is None else game.format(drafted.state, (choice.step,))
    named = game.cells_in(game.to_act(drafted.before) or 0, text)
    return named if named == game.cells_in(below, text) else ()


def targets(drafted: Drafted, below: Seat) -> tuple[tuple[str, str], ...]:
    """Returns the targets of a picture (``View.targets``):
    signs by cell, or the stones to choose from, without signs.
    """
    points = drafted.cells
    if chooses_stones(drafted):
        return tuple(dict.fromkeys((cell, "") for point in points for cell, _ in sorted(point.stones)))
    cells: dict[str, str] = {}
    for sign, cell in signs_by_draft(drafted, below).values():
        cells[cell] = cells.get(cell, "") + sign
    return tuple(cells.items())


def chosen_stones(drafted: Drafted) -> tuple[Mark, ...]:
    """Returns marks on the stones that are chosen for the next step. If only one may move, it counts as chosen."""
    if not drafted.words:
        only = _stones(drafted.cells)
        return tuple(Mark(TO, cell) for cell, _ in only) if len(only) == 1 else ()
    touched = drafted.marks.values()
    chosen = [{mark.cell for mark in marks if mark.kind == FROM} for marks in touched]
    first = [marks[0].cell for marks in touched if marks and marks[0].kind == FROM]
    always = set.intersection(*chosen) if len(drafted.words) > 1 and chosen else set(first)
    return tuple(Mark(TO, cell) for cell in sorted(always))


def chooses_stones(drafted: Drafted) -> bool:
    """Returns whether the choice is between stones. With a chosen stone, or only one, it is between targets."""
    return not drafted.words and len(_stones(drafted.cells)) > 1


def _stones(points: Sequence[ChoiceCells]) -> frozenset[tuple[str, str]]:
    return frozenset[tuple[str, str]]().union(*(point.stones for point in points))


def _spot(drafted: Drafted, cell: str, below: Seat) -> tuple[float, float]:
    """Returns the row from the top and the column from the left of a cell; infinity for ""."""
    return _spot_of(drafted.game.key, cell, below) if cell else (inf, inf)


@lru_cache(maxsize=1024)
def _spot_of(game: str, cell: str, below: Seat) -> tuple[float, float]:
    across, down = registry.spot(game, cell, below)
    return round(down), round(across)


def _stone(point: ChoiceCells) -> str:
    return min((cell for cell, _ in point.stones), default="")


def _signed_cells(points: Sequence[ChoiceCells]) -> dict[Draft, str]:
    """Returns the cell of each choice: its target if no other choice goes there with as few words, else the end of its
    stones.
    """
    left: dict[str, list[int]] = {}
    for point in points:
        left.setdefault(point.to, []).append(point.left)

    def alone(point: ChoiceCells) -> bool:
        rivals = left[point.to]
        return point.left == min(rivals) and rivals.count(point.left) == 1

    return {point.draft: point.to if point.to and alone(point) else point.end for point in points}
