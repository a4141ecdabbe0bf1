"""The marks of plays on the board of 24 points: arrows, rings around moved stones, ghosts where they left."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from typing import Final

from engine.core.game import Mark, Seat
from render.canvas import arrows, marks
from render.canvas.pen import HARD, Point, distance, toward
from render.canvas.sheet import Sheet
from render.canvas.text import BOLD
from render.games.points import MIDDLE, NUMBER, STONE, TALLEST, place, tray_count
from render.theme import Theme
from render.view import View

CLEAR: Final = 10
"""The distance that an arrow keeps from the columns it passes."""
TIMES: Final = "×"  # noqa: RUF001  the multiplication sign is intended
"""The sign before the number of equal steps of an arrow."""
HIGHEST: Final = 260
"""The limit of an arrow's bend; a short one bends by half of its length at most."""


def draw_marks(
    sheet: Sheet,
    theme: Theme,
    view: View,
    layer: str,
    touched: Sequence[Mark],
    height: Callable[[str], int],
) -> None:
    """Draws one layer of marks. ``height`` gives the number of stones in a cell now.

    Every step is a numbered arrow. A cell that a stone only passed through is not marked. If several stones came to a
    cell, as many of its topmost ones are marked. The stones of a plan still stand at their origin (see
    ``View.before``).
    """
    planned = layer == marks.CHOSEN and view.before is None
    moves = [mark for mark in touched if mark.kind == "from" and mark.to]
    ends = levels(moves, height, planned=planned)
    picked: dict[str, list[int]] = defaultdict(list)  # from among the stones of a cell
    for mark, (begin, _) in zip(moves, ends, strict=True):
        if mark.level >= 0:
            picked[mark.cell].append(begin)
    went = Counter(mark.cell for mark in touched if mark.kind == "from")
    came = Counter(mark.to for mark in touched if mark.kind == "from" and mark.to)
    came |= Counter(mark.cell for mark in touched if mark.kind == "to")
    for cell in came | went:
        spot, net = place(cell, view.below), came[cell] - went[cell]
        top = min(height(cell), TALLEST)
        if cell[:3] == "off":
            if not planned:
                at = tray_count(int(cell[3:]), view.below)
                sheet.put(marks.pill(theme, layer, 64, 40), *at)
                sheet.text(*at, str(height(cell)), NUMBER - 4, marks.casing(theme, layer), weight=BOLD, edges=HARD)
        elif planned and went:
            for index in range(top, min(top + net, TALLEST + 1)):
                sheet.put(marks.ghost(theme, layer, STONE), *spot.at(index))
            for index in picked[cell] or range(max(0, top + net), top):
                sheet.put(marks.outline(theme, layer, STONE), *spot.at(index))
        else:
            for index in range(max(0, top - net), top):
                sheet.put(marks.outline(theme, layer, STONE), *spot.at(index))
            for index in range(top, min(top - net, TALLEST + 1)):
                sheet.put(marks.ghost(theme, layer, STONE), *spot.at(index))
    arrows.draw_steps(sheet, theme, layer, trail(moves, ends, height, view.below), short=STONE / 2 + 4)
    signs = {"hit": marks.burst, "trap": marks.lock}
    for mark in touched:
        if mark.kind in signs:
            spot = place(mark.cell, view.below)
            x, y = spot.at(max(0, min(height(mark.cell), TALLEST) - 1))
            sheet.put(signs[mark.kind](theme, 42), x + 36, y + (40 if spot.step > 0 else -40))


def trail(
    moves: Sequence[Mark], ends: Sequence[tuple[int, int]], height: Callable[[str], int], below: Seat
) -> list[arrows.Step]:
    """Makes arrows of the steps of a play, from each stone's old to its new place, numbered if there are several.

    Equal steps are one arrow with their number. Only doubles have such steps; their order matters little, so they have
    no step numbers. ``ends`` are the ``levels`` of the moves.
    """
    equal: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for mark, both in zip(moves, ends, strict=True):
        equal.setdefault((mark.cell, mark.to), []).append(both)
    taken: list[arrows.Step] = []
    begun: Counter[Point] = Counter()
    for number, (cells, several) in enumerate(equal.items(), 1):
        ((x, y), end), times = outermost(cells, several, below), len(several)
        label = f"{TIMES}{times}" if times > 1 else str(number) if 1 < len(moves) == len(equal) else ""
        aside = begun[x, y] * arrows.DISC * 0.8  # discs of stones from one place stand side by side
        begun[x, y] += 1
        start = (x + aside, y)
        if max(several)[0] < min(height(cells[0]), TALLEST):  # a stone lies there: the arrow begins at its rim
            start = toward(start, end, STONE / 2 + (arrows.DISC / 2 - 4 if label else 5))
        taken.append(arrows.Step(start, end, label, _bow(start, end, height, below)))
    return taken


def levels(moves: Sequence[Mark], height: Callable[[str], int], *, planned: bool) -> list[tuple[int, int]]:
    """Counts the stones below each stone that moved, in its old and in its new place. ``height`` gives the
    number of stones in a cell after the play, or before a ``planned`` one.

    After a play the stones left on the bar stand together, so the free places are beyond them.
    """
    went, came = Counter(mark.cell for mark in moves), Counter(mark.to for mark in moves)
    stacks: dict[str, list[int]] = {}
    for cell in went | came:
        stacks[cell] = list(range(height(cell) + (0 if planned else went[cell] - came[cell])))
    found: list[tuple[int, int]] = []
    for mark in moves:
        begin = stacks[mark.cell].pop(mark.level) if len(stacks[mark.cell]) > max(0, mark.level) else 0
        found.append((begin, len(stacks[mark.to])))
        stacks[mark.to].append(len(stacks[mark.to]))
    if planned:
        return found
    left: dict[str, list[int]] = defaultdict(list)
    for mark, (begin, _) in zip(moves, found, strict=True):
        left[mark.cell].append(begin)
    return [
        (begin if mark.level < 0 else height(mark.cell) + sorted(left[mark.cell]).index(begin), end)
        for mark, (begin, end) in zip(moves, found, strict=True)
    ]


def outermost(cells: tuple[str, str], several: Sequence[tuple[int, int]], below: Seat) -> tuple[Point, Point]:
    """Returns the start and end of one of several equal steps: the one nearest to the middle of the board."""
    begin, end = (max(0, *(each[side] for each in several)) for side in (0, 1))
    return place(cells[0], below).at(begin), place(cells[1], below).at(end)


def _bow(start: Point, end: Point, height: Callable[[str], int], below: Seat) -> float:
    """Computes the bend of an arrow towards the middle line, so that it leaves the columns between its ends free."""
    upper = end[1] < MIDDLE
    inwards, wide = 1 if upper else -1, end[0] - start[0]
    most = 0.0
    for cell in map(str, range(1, 25)):
        spot, count = place(cell, below), min(height(cell), TALLEST)
        between = min(start[0], end[0]) + STONE / 2 < spot.x < max(start[0], end[0]) - STONE / 2
        if not count or (spot.y < MIDDLE) != upper or (start[1] < MIDDLE) != upper or not between:
            continue
        share = (spot.x - start[0]) / wide
        free = spot.at(count - 1)[1] + inwards * (STONE / 2 + CLEAR)
        lift = inwards * (free - start[1] - (end[1] - start[1]) * share)
        most = max(most, lift / (4 * share * (1 - share)))  # the share of an arc's height there
    return min(most, HIGHEST, 0.55 * distance(start, end)) * (-inwards if wide > 0 else inwards)
