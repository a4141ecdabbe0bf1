"""Abalone's picture: marbles on a hexagon of 61 cells, the ejected ones in the corners (abalone.md)."""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import ClassVar, Final

from PIL import Image

from engine.core.errors import Param
from engine.core.game import Mark, Note, Seat
from engine.games.abalone import GAME
from engine.games.abalone.board import CELLS, ROWS, SIDES, State, cells, span
from render.canvas import marks
from render.canvas.board import Board, Sample, lettered, movable, played
from render.canvas.pen import Pen, Point, mix, regular
from render.canvas.pieces import marble, side_of
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.strip import Strip, draw_strip
from render.canvas.text import BOLD, called
from render.theme import Theme
from render.view import View

KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "abalone.alt.from_black": (),
    "abalone.alt.from_white": (),
    "abalone.alt.black": ("n", "cells", "ejected", "target"),
    "abalone.alt.white": ("n", "cells", "ejected", "target"),
    "abalone.alt.turn_black": (),
    "abalone.alt.turn_white": (),
    "abalone.alt.over": (),
    "abalone.text.row": ("row",),
    "abalone.text.black": ("cells",),
    "abalone.text.white": ("cells",),
    "abalone.text.ejected": ("black", "white", "target"),
}
COLOURS: Final = ("black", "white")
HEIGHT: Final = 896
PITCH: Final = 84
ROW: Final = PITCH * 0.8660254
STONE: Final = 78
CENTRE: Final = (WIDTH / 2, HEIGHT / 2)
_CELL_NAME: Final = 35
"""The text size of a cell's name on a marble that may be chosen."""
_RADIUS: Final = 440
"""The distance of the hexagon's corners from the centre."""
_RACK: Final = 72
"""The distance between ejected marbles."""
_STRIPS: Final = (33, HEIGHT - 33)


def spot(cell: str, below: Seat) -> Point:
    """The middle of a cell, ``a1`` … ``i9``; it also works for cells just outside the board."""
    return _spot(ROWS.index(cell[0]), int(cell[1:]), below)


def _spot(row: int, number: int, below: Seat) -> Point:
    across = (number - 5 - (row - 4) / 2) * PITCH
    down = -(row - 4) * ROW
    turn = 1 if below == 0 else -1
    return CENTRE[0] + across * turn, CENTRE[1] + down * turn


def rack(seat: Seat, below: Seat, index: int) -> Point:
    """Where the marbles that a seat has ejected are drawn: in a corner on its own side, in rows of three, two, one."""
    row, column = next((r, index - start) for r, start, after in ((0, 0, 3), (1, 3, 5), (2, 5, 6)) if index < after)
    across = 54 + (column + row / 2) * _RACK
    down = 86 + 24 + row * _RACK * 0.866
    return (across, HEIGHT - down) if seat == below else (WIDTH - across, down)


class AbaloneBoard(Board[State]):
    colours: ClassVar[int] = 48
    core = (0, 60, WIDTH, HEIGHT - 60)

    def emblem(self, theme: Theme, seat: Seat, size: int) -> Image.Image:
        return marble(theme, 1 - seat, size)

    def ground(self, theme: Theme, below: Seat) -> Image.Image:
        pen = Pen(WIDTH, HEIGHT, theme.frame)
        pen.shape(regular(*CENTRE, _RADIUS, 6), theme.field)
        for cell in CELLS:
            _hollow(pen, theme, *spot(cell, below), STONE / 2 - 5)
        for seat in (0, 1):
            for index in range(6):
                _hollow(pen, theme, *rack(seat, below, index), 25)
        sheet = Sheet(pen.finish())
        for row, letter in enumerate(ROWS):
            (edge_x, edge_y), (next_x, _) = _spot(row, span(row)[0] - 1, below), _spot(row, span(row)[0], below)
            sheet.text(edge_x * 0.82 + next_x * 0.18, edge_y, letter, 30, theme.on_field)
        for number in range(1, 10):
            row = max(0, number - 5)
            (out_x, out_y), (in_x, in_y) = _spot(row - 1, number, below), _spot(row, number, below)
            sheet.text(out_x * 0.84 + in_x * 0.16, out_y * 0.84 + in_y * 0.16, str(number), 30, theme.on_field)
        return sheet.image

    def paint(self, sheet: Sheet, theme: Theme, state: State, view: View) -> None:
        held = cells(state)
        _draw_ghosts(sheet, theme, marks.LAST, view.last, held, view.below)
        _draw_ghosts(sheet, theme, marks.CHOSEN, view.chosen, held, view.below)
        for cell, letter in held.items():
            sheet.put(marble(theme, int(letter == "w") ^ 1, STONE), *spot(cell, view.below))
        for seat in (0, 1):
            for index in range(6):
                at = rack(seat, view.below, index)
                if index < state.ejected[seat]:
                    sheet.put(marble(theme, seat, 60), *at)
        _draw_moves(sheet, theme, marks.LAST, view.last, view.below)
        _draw_moves(sheet, theme, marks.CHOSEN, view.chosen, view.below)
        for cell, text in view.targets:
            at = spot(cell, view.below)
            if not text and cell in held:
                colour = int(held[cell] == "b")
                sheet.put(marble(theme, colour, STONE), *at)  # over the last play's arrow, which would cross the name
                sheet.text(*at, cell, _CELL_NAME, side_of(theme, colour).ink, weight=BOLD)
            marks.draw_target(sheet, theme, at, text, STONE, held=cell in held)
        over = state.target in state.ejected
        for seat in (0, 1):
            count = f"{state.ejected[seat]}/{state.target}"
            active = seat == state.turn and not over
            clock, stopped = view.clocks[seat], view.stopped[seat]
            told = Strip(called(view, seat), clock, count, active, stopped, view.ratings[seat], view.scores[seat])
            stone = marble(theme, 1 - seat, 38)
            draw_strip(sheet, theme, 14, _STRIPS[seat == view.below], WIDTH - 28, stone, told)

    def spot(self, cell: str, below: Seat) -> Point:
        return spot(cell, below)

    def samples(self) -> Mapping[str, Sample]:
        start = GAME.start(GAME.settle_options({"layout": "belgian-daisy"}))
        contact = GAME.decode("1www1/wwbwww/2wbw2/3b1w2/3bb1w2/3bb3/2bbb2/bb1b2/b4 b 2 0")
        pushed, last = played(GAME, contact, "d5e5")
        ejected, off = played(GAME, contact, "e4f5")
        return {
            "start": Sample(start, View()),
            "middle": Sample(ejected, View(last=off, names=("Ana", "Bea"), clocks=("1:23:45", "56:07"))),
            "draft": Sample(pushed, View(chosen=last, targets=lettered(GAME, contact, "d4"))),
            "choice": Sample(pushed, View(below=1, last=last, names=("Ana", "Bea"), targets=movable(GAME, pushed))),
            "other-side": Sample(pushed, View(below=1, last=last)),
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
        over = view.over or state.target in state.ejected
        said.append((Note("abalone.text.ejected", counts),))
        return (*said, (Note("abalone.alt.over" if over else f"abalone.alt.turn_{COLOURS[state.turn]}"),))

    def alt(self, state: State, view: View) -> tuple[Note, ...]:
        held = cells(state)
        said = [Note(f"abalone.alt.from_{COLOURS[view.below]}")]
        for seat, colour in enumerate(COLOURS):
            own = [cell for cell, letter in held.items() if letter == SIDES[seat]]
            told: dict[str, Param] = {"n": len(own), "cells": ", ".join(own) or "-"}
            told |= {"ejected": state.ejected[seat], "target": state.target}
            said.append(Note(f"abalone.alt.{colour}", told))
        over = view.over or state.target in state.ejected
        return (*said, Note("abalone.alt.over" if over else f"abalone.alt.turn_{COLOURS[state.turn]}"))


def _rows(below: Seat) -> list[list[str]]:
    """The cells row by row, from the top left, with the seat ``below`` below."""
    rows = [[cell for cell in CELLS if cell[0] == letter] for letter in ROWS]
    return rows[::-1] if below == 0 else [row[::-1] for row in rows]


def _numbers(run: Iterable[str]) -> str:
    return ", ".join(cell[1:] for cell in run)


def _hollow(pen: Pen, theme: Theme, x: float, y: float, radius: float) -> None:
    """Draws an empty cell: a flat disc, smaller than a marble, which hides it."""
    pen.disc(x, y, radius, mix(theme.field, theme.odd, 0.55))


def _draw_ghosts(
    sheet: Sheet, theme: Theme, layer: str, touched: Iterable[Mark], held: Mapping[str, str], below: Seat
) -> None:
    """Draws empty rings where marbles came from."""
    for mark in touched:
        if mark.kind in {"from", "push", "out"} and mark.cell not in held:
            sheet.put(marks.ghost(theme, layer, STONE), *spot(mark.cell, below))


def _draw_moves(sheet: Sheet, theme: Theme, layer: str, touched: tuple[Mark, ...], below: Seat) -> None:
    """Draws rings around moved marbles, arrows for pushed ones, and a cross where one left the board."""
    for mark in touched:
        if mark.kind == "to":
            sheet.put(marks.outline(theme, layer, STONE - 4), *spot(mark.cell, below))
    shift = _shift(touched, below)
    for mark in touched:
        if mark.kind in {"push", "out"}:
            start = spot(mark.cell, below)
            end = spot(mark.to, below) if mark.to else (start[0] + shift[0], start[1] + shift[1])
            marks.arrow(sheet, theme, layer, start, end, short=24 if mark.kind == "out" else 0)
            if mark.kind == "out":
                sheet.put(marks.cross(theme, 40), *end)


def _shift(touched: Iterable[Mark], below: Seat) -> Point:
    """The distance on the picture, right and down, that every marble of a play moved."""
    for mark in touched:
        if mark.to and mark.to != mark.cell:
            start, end = spot(mark.cell, below), spot(mark.to, below)
            return end[0] - start[0], end[1] - start[1]
    return 0.0, 0.0


BOARD: Final = AbaloneBoard()
