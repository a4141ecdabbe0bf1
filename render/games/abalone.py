"""Abalone's picture: marbles on a hexagon of 61 cells, the ejected ones in the corners (abalone.md)."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import groupby
from math import cos, pi, sin
from typing import ClassVar, Final

from PIL import Image

from engine.core.errors import Param
from engine.core.game import Mark, Note, Seat
from engine.games.abalone import GAME
from engine.games.abalone.board import CELLS, ROWS, SIDES, State, cells, span
from render.canvas import marks
from render.canvas.arrows import Step, draw_steps
from render.canvas.board import Board, Sample, lettered, movable, played
from render.canvas.pen import HARD, Pen, Point, clear, mix, paired, regular
from render.canvas.pieces import marble, side_of
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.strip import Strip, draw_strip
from render.canvas.text import BOLD, called
from render.theme import Theme
from render.view import View, begun

COLOURS: Final = ("black", "white")
HEIGHT: Final = 1060
PITCH: Final = 105
ROW: Final = PITCH * 0.8660254
STONE: Final = 94
CENTRE: Final = (WIDTH / 2, HEIGHT / 2)
_CELL_NAME: Final = 42
"""The text size of a cell's name on a marble that may be chosen."""
_LABEL: Final = 38
"""The text size of the letters and numbers at the edge."""
_BESIDE: Final = 96
"""The distance from a letter or number to the middle of the outermost cell of its row or diagonal, on their axis."""
_LEAVES: Final = 60
"""The distance from the middle of the last cell at which an ejected marble's arrow ends."""
_RADIUS: Final = 484
"""The distance of the hexagon's corners from the centre. The letters and numbers stand outside it, on the frame."""
_HOLE: Final = 22
"""The radius of an empty cell's hollow. A small one costs fewer bytes than one as wide as a marble."""
_EJECTED: Final = 36
"""The size of ejected marbles."""
_RACK: Final = 40
"""The distance between ejected marbles."""
_STRIPS: Final = (35, HEIGHT - 35)


def spot(cell: str, below: Seat) -> Point:
    """Returns the middle of a cell, ``a1`` … ``i9``. It also works for cells just outside the board."""
    return _spot(ROWS.index(cell[0]), int(cell[1:]), below)


def _spot(row: int, number: int, below: Seat) -> Point:
    across = (number - 5 - (row - 4) / 2) * PITCH
    down = -(row - 4) * ROW
    turn = 1 if below == 0 else -1
    return CENTRE[0] + across * turn, CENTRE[1] + down * turn


def rack(seat: Seat, below: Seat, index: int) -> Point:
    """Returns the place of an ejected marble: in a row beside the count of the seat that ejected it, from the right."""
    down = 88
    return WIDTH - 34 - index * _RACK, HEIGHT - down if seat == below else down


def _beside(row: int, number: int, towards: float, below: Seat) -> Point:
    """Returns a point beside a cell, in a direction in degrees; White and the seat above see it turned round."""
    x, y = _spot(row, number, below)
    angle = (towards + 180 * below) * pi / 180
    return x + _BESIDE * cos(angle), y + _BESIDE * sin(angle)


class AbaloneBoard(Board[State]):
    colours: ClassVar[int] = 32
    core = (0, 66, WIDTH, HEIGHT - 66)

    def emblem(self, theme: Theme, seat: Seat, size: int) -> Image.Image:
        return marble(theme, 1 - seat, size)

    def ground(self, theme: Theme, below: Seat) -> Image.Image:
        pen = Pen(WIDTH, HEIGHT, theme.frame)
        pen.shape(regular(*CENTRE, _RADIUS + 4, 6), theme.frame_dark)
        pen.shape(regular(*CENTRE, _RADIUS, 6), theme.field)
        for cell in CELLS:
            pen.disc(*spot(cell, below), _HOLE, mix(theme.field, theme.odd, 0.55))
        sheet = Sheet(paired(pen.finish()))
        for row, letter in enumerate(ROWS):
            sheet.text(*_beside(row, span(row)[0], 180, below), letter, _LABEL, theme.faint, edges=HARD)
        for number in range(1, 10):
            at = _beside(max(0, number - 5), number, 60, below)
            sheet.text(*at, str(number), _LABEL, theme.faint, edges=HARD)
        return sheet.image

    def paint(self, sheet: Sheet, theme: Theme, state: State, view: View) -> None:
        held = cells(state)
        named = {cell for cell, text in view.targets if not text and cell in held}
        for cell, letter in held.items():
            if cell not in named:
                sheet.put(marble(theme, int(letter == "b"), STONE), *spot(cell, view.below))
        for seat in (0, 1):
            for index in range(state.target):
                sprite = marble(theme, seat, _EJECTED) if index < state.ejected[seat] else _slot(theme)
                sheet.put(sprite, *rack(seat, view.below, index))
        _draw_moves(sheet, theme, marks.LAST, view.last, view.below)
        _draw_moves(sheet, theme, marks.CHOSEN, view.chosen, view.below)
        _draw_ways(sheet, theme, state, view)
        for cell, text in view.targets:
            at = spot(cell, view.below)
            colour: Seat = int(held.get(cell) == "b")
            if cell in named:  # over the last play's arrow, which would cross the name
                sheet.put(marble(theme, colour, STONE, plain=True), *at)
                sheet.text(*at, cell, _CELL_NAME, side_of(theme, colour).ink, weight=BOLD, edges=HARD)
            marks.draw_target(sheet, theme, at, text, STONE, held=cell in held, name=cell)
        began = begun(state, view)
        over = began.target in began.ejected
        for seat in (0, 1):
            count = f"{state.ejected[seat]}/{state.target}"
            active = seat == began.turn and not over
            clock, stopped = view.clocks[seat], view.stopped[seat]
            told = Strip(called(view, seat), clock, count, active, stopped, view.ratings[seat], view.scores[seat])
            stone = marble(theme, 1 - seat, 38)
            draw_strip(sheet, theme, 14, _STRIPS[seat == view.below], WIDTH - 28, stone, told)

    def spot(self, cell: str, below: Seat) -> Point:
        return spot(cell, below)

    def samples(self) -> Mapping[str, Sample]:
        start = GAME.start(GAME.settle_options({"layout": "belgian-daisy"}))
        rows, chosen = GAME.start(GAME.settle_options({})), tuple(Mark("to", cell) for cell in ("c3", "c4", "c5"))
        contact = GAME.decode("1www1/wwbwww/2wbw2/3b1w2/3bb1w2/3bb3/2bbb2/bb1b2/b4 b 2 0")
        pushed, last = played(GAME, contact, "d5e5")
        ejected, off = played(GAME, contact, "e4f5")
        return {
            "start": Sample(start, View()),
            "middle": Sample(ejected, View(last=off, names=("Ana", "Bea"), clocks=("1:23:45", "56:07"))),
            "draft": Sample(pushed, View(chosen=last, before=contact, targets=lettered(GAME, contact, "d4"))),
            "choice": Sample(pushed, View(below=1, last=last, names=("Ana", "Bea"), targets=movable(GAME, pushed))),
            "other-side": Sample(pushed, View(below=1, last=last)),
            "broadside": Sample(rows, View(chosen=chosen, targets=(("d3", marks.DOT), ("d4", marks.DOT)))),
        }

    def lines(self, state: State, view: View) -> tuple[tuple[Note, ...], ...]:
        held = cells(state)
        said: list[tuple[Note, ...]] = [(Note(f"abalone.alt.from_{COLOURS[view.below]}"),)]
        for row in _rows(view.below):
            runs = groupby((cell for cell in row if cell in held), held.__getitem__)
            told = [Note(f"abalone.text.{COLOURS[SIDES.index(side)]}", {"cells": _numbers(run)}) for side, run in runs]
            if told:
                said.append((Note("abalone.text.row", {"row": row[0][0]}), *told))
        counts = {"black": state.ejected[0], "white": state.ejected[1], "target": state.target}
        said.append((Note("abalone.text.ejected", counts),))
        return (*said, tuple(_said_turn(state, view)))

    def alt(self, state: State, view: View) -> tuple[Note, ...]:
        held = cells(state)
        said = [Note(f"abalone.alt.from_{COLOURS[view.below]}")]
        for seat, colour in enumerate(COLOURS):
            own = [cell for cell, letter in held.items() if letter == SIDES[seat]]
            told: dict[str, Param] = {"n": len(own), "cells": ", ".join(own) or "-"}
            told |= {"ejected": state.ejected[seat], "target": state.target}
            said.append(Note(f"abalone.alt.{colour}", told))
        return (*said, *_said_turn(state, view))


def _said_turn(state: State, view: View) -> list[Note]:
    """Writes notes on the seat to move, and on a draft of its whole turn."""
    began = begun(state, view)
    if view.over or began.target in began.ejected:
        return [Note("abalone.alt.over")]
    said = [Note(f"abalone.alt.turn_{COLOURS[began.turn]}")]
    return said if state.turn == began.turn else [*said, Note("draft.none_left")]


def _rows(below: Seat) -> list[list[str]]:
    """Lists the cells row by row, from the top left, with the seat ``below`` below."""
    rows = [[cell for cell in CELLS if cell[0] == letter] for letter in ROWS]
    return rows[::-1] if below == 0 else [row[::-1] for row in rows]


def _numbers(run: Iterable[str]) -> str:
    return ", ".join(cell[1:] for cell in run)


@lru_cache(maxsize=8)
def _slot(theme: Theme) -> Image.Image:
    """Draws the place of a marble that is still to be ejected."""
    pen = Pen(_EJECTED, _EJECTED)
    pen.disc(_EJECTED / 2, _EJECTED / 2, 9, clear(theme.faint, 0.4))
    return pen.finish()


def _draw_moves(sheet: Sheet, theme: Theme, layer: str, touched: tuple[Mark, ...], below: Seat) -> None:
    """Draws rings around chosen marbles, and arrows from the old to the new places of marbles.

    Marbles that moved in line share one arrow with those that they pushed. The arrow of an ejected one ends at a cross.
    """
    went = {mark.cell: mark.to for mark in touched if mark.kind in {"from", "push", "out"}}
    for mark in touched:
        if mark.kind == "to" and mark.cell not in went.values():
            sheet.put(marks.outline(theme, layer, STONE - 4), *spot(mark.cell, below))
    across, down = _shift(touched, below)
    crosses, taken = [], []
    for cell in went:
        if cell in went.values():
            continue  # within an arrow that begins further back
        last = cell
        while went.get(last) in went:
            last = went[last]
        start, (x, y) = spot(cell, below), spot(last, below)
        share = 1.0 if went[last] else _LEAVES / PITCH
        end = x + across * share, y + down * share
        crosses += [] if went[last] else [end]
        taken.append(Step(start, end))
    draw_steps(sheet, theme, layer, taken)
    for end in crosses:
        sheet.put(marks.cross(theme, 36), *end)


def _draw_ways(sheet: Sheet, theme: Theme, state: State, view: View) -> None:
    """Draws an arrow for each possible broadside move of a marble, below the signs of the targets."""
    chosen = {mark.cell for mark in view.chosen if mark.kind == "to"}
    signed = {cell for cell, text in view.targets if text}
    if not chosen or not signed or any(mark.kind == "from" for mark in view.chosen):
        return
    found: dict[str, list[tuple[Mark, ...]]] = {}
    for step in GAME.legal(state):
        if step.last:
            touched = GAME.marks(state, step)
            group = {mark.cell for mark in touched if mark.kind == "from"}
            if chosen == group:
                found.setdefault(step.to, []).append(touched)
            elif chosen == {step.first}:
                found.setdefault(step.last, []).append(touched)
    for cell, several in found.items():
        if cell in signed and len(several) == 1:
            moved = [mark for mark in several[0] if mark.kind == "from"]
            ways = [Step(spot(mark.cell, view.below), spot(mark.to, view.below)) for mark in moved]
            for mark, way in zip(moved, ways, strict=True):
                draw_steps(sheet, theme, marks.CHOSEN, [way], short=STONE * 0.44 * (mark.to in signed))


def _shift(touched: Iterable[Mark], below: Seat) -> Point:
    """Computes the distance on the picture, right and down, that every marble of a play moved."""
    for mark in touched:
        if mark.to and mark.to != mark.cell:
            start, end = spot(mark.cell, below), spot(mark.to, below)
            return end[0] - start[0], end[1] - start[1]
    return 0.0, 0.0


BOARD: Final = AbaloneBoard()
