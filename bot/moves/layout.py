"""The rows of a picker's buttons: few enough for a phone to show the board above them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

LINES: Final = 4
"""The most lines of choices. Below them is the row of Undo, Confirm and Cancel."""
TALL_LINES: Final = 3
"""The most lines below a picture that is higher than wide."""
ROW: Final = 5
"""The most buttons in a row."""
WIDTH: Final = 38
"""The number of letters of buttons that fit into a line on a phone (327 px)."""
EDGES: Final = 3
"""The edges of a button and the gap after it, in letters."""
SHORTEST: Final = 4
"""No button is narrower than one with this number of letters."""
ALONE: Final = 38
"""The number of letters of a single button that fit into a line on a phone."""
LONG: Final = 20
"""A label of more letters fills most of a line. If not all choices fit, the menu takes those with such labels first."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Indexes of choices: those in rows of buttons, and those in a menu below them."""

    rows: list[list[int]]
    menu: list[int]


def laid_out(labels: Sequence[str], board_rows: Sequence[int], apart: Collection[int], lines: int) -> Layout:
    """Distributes choices over at most ``lines`` lines on a phone.

    Each row of the board begins a new row of buttons if they all fit; otherwise the rows are filled. The choices
    ``apart`` have the last rows for themselves. If the buttons need too many lines, those with long labels go into a
    menu, and if that is not enough, the longest of the others, too. ``board_rows`` has the row of each choice.
    """

    def packed(indexes: Sequence[int]) -> list[list[int]]:
        return _packed(indexes, labels)

    def buttons(without: Collection[int] = ()) -> list[list[int]]:
        """Returns the filled rows."""
        shown = [at for at in range(len(labels)) if at not in without]
        return [*packed([at for at in shown if at not in apart]), *packed([at for at in shown if at in apart])]

    own: list[list[int]] = []
    for row in dict.fromkeys(board_rows):
        own += packed([at for at, place in enumerate(board_rows) if place == row and at not in apart])
    own += packed([at for at in range(len(labels)) if at in apart])
    for rows in (own, buttons()):
        if height(rows, labels) <= lines:
            return Layout(rows, [])
    by_length = sorted(range(len(labels)), key=lambda at: -len(labels[at]))
    long = [at for at in by_length if len(labels[at]) > LONG]
    for count in range(max(len(long), 1), len(labels)):
        rows = buttons(by_length[:count])
        if height(rows, labels) < lines:
            return Layout(rows, sorted(by_length[:count]))
    return Layout([], list(range(len(labels))))


def height(rows: Sequence[Sequence[int]], labels: Sequence[str]) -> int:
    """Returns the number of lines on a phone; a label that is too long for one line takes several."""
    return sum(max(1, *(-(-len(labels[at]) // ALONE) for at in row)) for row in rows)


def fits(labels: Sequence[str]) -> bool:
    """Returns whether these labels fit into one line."""
    return len(labels) <= ROW and (
        len(labels) == 1 or sum(max(len(label), SHORTEST) + EDGES for label in labels) <= WIDTH
    )


def filled(labels: Sequence[str]) -> list[list[int]]:
    """Distributes buttons over as few lines as possible, in their order: the index of each, by lines."""
    lines: list[list[int]] = []
    for at in range(len(labels)):
        if lines and fits([labels[each] for each in (*lines[-1], at)]):
            lines[-1].append(at)
        else:
            lines.append([at])
    return lines


def _packed(indexes: Sequence[int], labels: Sequence[str]) -> list[list[int]]:
    """Distributes buttons over as few lines as possible, in their order; evenly, if they fit so."""
    lines = [[indexes[at] for at in line] for line in filled([labels[at] for at in indexes])]
    count, total = len(lines), len(indexes)
    even = [list(indexes[total * at // count : total * (at + 1) // count]) for at in range(count)]
    return even if all(fits([labels[at] for at in line]) for line in even) else lines
