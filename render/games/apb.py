"""APB's picture: nine columns by twelve rows, eight secondaries and a principal per side (apb.md)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import ClassVar, Final

from PIL import Image

from engine.core.errors import Param, Translated
from engine.core.game import Mark, Note, Seat
from engine.games.apb import GAME
from engine.games.apb.board import COLUMNS, State, cells, stepped
from engine.games.apb.board import HEIGHT as ROWS
from render.canvas import marks
from render.canvas.arrows import Step, draw_steps
from render.canvas.board import Board, Sample, lettered, movable, played
from render.canvas.pen import HARD, Pen, Point, distance, faded, mix, paired, regular, shadowed, star
from render.canvas.pieces import checker, side_of
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.strip import Strip, draw_strip
from render.canvas.text import BOLD, called, width
from render.theme import Theme
from render.view import View, begun

COLOURS: Final = ("white", "black")
LETTERS: Final = ("SP", "sp")
SAID: Final = {
    "S": "apb.text.white",
    "P": "apb.text.principal_white",
    "s": "apb.text.black",
    "p": "apb.text.principal_black",
}
"""The message keys of the pieces in a row."""
CELL: Final = 104
LEFT: Final = 92
TOP: Final = 72
RIGHT: Final = LEFT + CELL * len(COLUMNS)
BOTTOM: Final = TOP + CELL * ROWS
HEIGHT: Final = BOTTOM + 120
STONE: Final = 88
"""A secondary's size; on a phone, where a chat shows pictures 330 pixels wide, 27 pixels."""
CHIEF: Final = 96
"""The principal's size."""
_LABEL: Final = 38
"""The text size of the letters and numbers beside the board."""
_NAME: Final = (42, 35)
"""The text sizes of a cell's name on a piece: with one digit and with two."""
_STRIPS: Final = (35, HEIGHT - 35)
_INTO: Final = 24
"""The distance from the middle of a piece at which an arrow from a neighbouring piece ends."""
_TAG: Final = 36
"""The height of the ground of a name below a star."""
_DIMMED: Final = 0.5
"""The opacity of pieces that have taken their step."""


def spot(cell: str, below: Seat) -> Point:
    """Returns the middle of a cell."""
    column, row = COLUMNS.index(cell[0]), int(cell[1:]) - 1
    if below:
        column, row = len(COLUMNS) - 1 - column, ROWS - 1 - row
    return LEFT + CELL * (column + 0.5), BOTTOM - CELL * (row + 0.5)


@lru_cache(maxsize=16)
def principal(theme: Theme, colour: Seat, size: int, *, raised: bool = False) -> Image.Image:
    """Draws the principal: larger than a secondary, eight-sided, with a star. ``raised``: with a smaller star above
    the ground of a name.
    """
    pen, side, middle = Pen(size, size), side_of(theme, colour), size / 2
    hue = theme.classes[1][colour]
    pen.shape(regular(middle, middle, middle, 8, 22.5), side.edge)
    pen.shape(regular(middle, middle, middle * 0.95, 8, 22.5), hue)
    pen.shape(regular(middle, middle, middle * 0.82, 8, 22.5), side.edge)
    pen.shape(regular(middle, middle, middle * 0.79, 8, 22.5), side.face)
    height, radius = (0.68, 0.48) if raised else (1.03, 0.62)
    pen.shape(star(middle, middle * height, middle * radius, middle * radius * 0.435, 5), hue)
    return paired(shadowed(pen.finish(), size / 26))


@lru_cache(maxsize=16)
def _piece(theme: Theme, letter: str, *, dimmed: bool = False, plain: bool = False) -> Image.Image:
    """Draws a piece. ``dimmed``: it has taken its step this turn.

    ``plain``: without its pattern, for a name; stars stay, above it.
    """
    colour: Seat = int(letter.islower())
    if letter in {"P", "p"}:
        return principal(theme, colour, CHIEF, raised=plain)
    made = paired(checker(theme, colour, STONE, plain=plain))
    return faded(made, _DIMMED) if dimmed else made


@lru_cache(maxsize=16)
def _sign(theme: Theme, seat: Seat) -> Image.Image:
    """Draws a small secondary, shown before their number."""
    return paired(checker(theme, seat, 36))


@lru_cache(maxsize=16)
def _tag(theme: Theme, colour: Seat, wide: int) -> Image.Image:
    """Draws the ground of a name below a star."""
    pen, side = Pen(wide, _TAG), side_of(theme, colour)
    pen.panel((0, 0, wide, _TAG), 10, theme.target)
    pen.panel((2, 2, wide - 2, _TAG - 2), 8, side.face)
    return pen.finish()


class ApbBoard(Board[State]):
    colours: ClassVar[int] = 48
    classes: ClassVar[Sequence[int]] = (1,)  # the principal's gold
    core = (0, TOP - 8, WIDTH, BOTTOM + 52)

    def emblem(self, theme: Theme, seat: Seat, size: int) -> Image.Image:
        return principal(theme, seat, size)

    def ground(self, theme: Theme, below: Seat) -> Image.Image:
        pen = Pen(WIDTH, HEIGHT, theme.frame)
        pen.panel((LEFT - 4, TOP - 4, RIGHT + 4, BOTTOM + 4), 6, theme.frame_dark)
        for column, letter in enumerate(COLUMNS):
            for row in range(1, ROWS + 1):
                x, y = spot(f"{letter}{row}", below)
                colour = theme.even if (column + row) % 2 else mix(theme.odd, theme.field, 0.35)
                pen.panel((x - CELL / 2, y - CELL / 2, x + CELL / 2, y + CELL / 2), 0, colour)
        sheet = Sheet(paired(pen.finish()))
        for letter in COLUMNS:
            sheet.text(spot(f"{letter}1", below)[0], BOTTOM + 29, letter, _LABEL, theme.faint, edges=HARD)
        for row in range(1, ROWS + 1):
            sheet.text(LEFT - 46, spot(f"a{row}", below)[1], str(row), _LABEL, theme.faint, edges=HARD)
        return sheet.image

    def paint(self, sheet: Sheet, theme: Theme, state: State, view: View) -> None:
        held, done = cells(state), stepped(state)
        named = {cell for cell, text in view.targets if not text}
        for cell, letter in held.items():
            piece = _piece(theme, letter, dimmed=cell in done, plain=cell in named)
            sheet.put(piece, *spot(cell, view.below))
        _draw_moves(sheet, theme, marks.LAST, view.last, held, view.below)
        _draw_moves(sheet, theme, marks.CHOSEN, view.chosen, held, view.below)
        for cell, text in view.targets:
            at = spot(cell, view.below)
            size = CHIEF if held.get(cell) in {"P", "p"} else STONE
            marks.draw_target(sheet, theme, at, text, size, held=cell in held, name=cell)
            if not text and cell in held:
                _draw_name(sheet, theme, cell, held[cell], at)
        began = begun(state, view)
        over = not all(began.principals)
        for seat in (0, 1):
            left = str(state.secondaries[seat].bit_count())
            told = Strip(
                called(view, seat),
                view.clocks[seat],
                left,
                seat == began.turn and not over,
                view.stopped[seat],
                view.ratings[seat],
                view.scores[seat],
                _sign(theme, seat),
            )
            emblem = principal(theme, seat, 44)
            draw_strip(sheet, theme, 14, _STRIPS[seat == view.below], WIDTH - 28, emblem, told)

    def spot(self, cell: str, below: Seat) -> Point:
        return spot(cell, below)

    def samples(self) -> Mapping[str, Sample]:
        start = GAME.start({})
        contact = GAME.decode("9/3sss3/3sp4/3ss1s2/2S6/5s3/4S1S2/9/5S3/3SPS3/3S1S3/9 w -")
        drafted, chosen = played(GAME, contact, "e6-f6")
        after, last = played(GAME, contact, "e6-f6 c8-d8 e3-e4>e8")
        whole, every = played(GAME, start, "d4-d5 e4-e5 f4-g5 d3-d4 f3-f4 d2-d3 f2-f3 e2-f2 e3-e4")
        edge = GAME.decode("9/4s4/9/9/P2s5/9/5p3/9/4SS3/8s/8S/9 w -")
        fallen, fall = played(GAME, edge, "a8-b8")
        return {
            "start": Sample(start, View()),
            "middle": Sample(after, View(last=last, names=("Ana", "Bea"), clocks=("1:23:45", "56:07"))),
            "draft": Sample(drafted, View(chosen=chosen, before=contact, targets=lettered(GAME, drafted, "c8"))),
            "choice": Sample(after, View(below=1, last=last, names=("Ana", "Bea"), targets=movable(GAME, after))),
            "other-side": Sample(after, View(below=1, last=last)),
            "fall": Sample(fallen, View(last=fall)),
            "whole-turn": Sample(whole, View(last=every)),
        }

    def lines(self, state: State, view: View) -> tuple[tuple[Note, ...], ...]:
        told = [_said_row(row, cells(state)) for row in _rows(view.below)]
        said = [(Note(f"apb.alt.from_{COLOURS[view.below]}"),), *(row for row in told if len(row) > 1)]
        return (*said, tuple(_said_turn(state, view)))

    def alt(self, state: State, view: View) -> tuple[Note, ...]:
        held = cells(state)
        said = [Note(f"apb.alt.from_{COLOURS[view.below]}")]
        for seat, colour in enumerate(COLOURS):
            secondary, chief = LETTERS[seat]
            own = [cell for cell, letter in held.items() if letter == secondary]
            where = next((cell for cell, letter in held.items() if letter == chief), Translated("@apb.alt.gone"))
            told: dict[str, Param] = {
                "principal": where,
                "n": len(own),
                "cells": ", ".join(own) or Translated("@apb.alt.none"),
            }
            said.append(Note(f"apb.alt.{colour}", told))
        return (*said, *_said_turn(state, view))


def _said_row(row: Sequence[str], held: Mapping[str, str]) -> tuple[Note, ...]:
    """Writes the row's number, then its pieces, with equal neighbours in one note."""
    runs = groupby((cell for cell in row if cell in held), held.__getitem__)
    pieces = (Note(SAID[letter], {"cells": ", ".join(cell[0] for cell in run)}) for letter, run in runs)
    return (Note("apb.text.row", {"row": row[0][1:]}), *pieces)


def _said_turn(state: State, view: View) -> list[Note]:
    """Writes notes on the seat to move, and on the pieces that have taken their step, or on a draft of a whole turn."""
    began = begun(state, view)
    if view.over or not all(began.principals):
        return [Note("apb.alt.over")]
    said = [Note(f"apb.alt.turn_{COLOURS[began.turn]}")]
    if state.turn != began.turn:
        return [*said, Note("draft.none_left")]
    done = ", ".join(cell for cell in cells(state) if cell in stepped(state))
    return [*said, Note("apb.alt.stepped", {"cells": done})] if done else said


def _rows(below: Seat) -> list[list[str]]:
    """Lists the cells row by row, from the top left, with the seat ``below`` below."""
    rows = [[f"{letter}{row}" for letter in COLUMNS] for row in range(ROWS, 0, -1)]
    return rows if below == 0 else [row[::-1] for row in rows[::-1]]


def _draw_moves(
    sheet: Sheet, theme: Theme, layer: str, touched: Iterable[Mark], held: Mapping[str, str], below: Seat
) -> None:
    """Draws rings around chosen pieces, an arrow for every step and every push with the step's number, and crosses.

    A number stands at the piece's origin, or beside another piece there. A single step has none. In a finished turn,
    pieces that returned to their origin have no arrows.
    """
    went = [mark for mark in touched if mark.to and mark.kind in {"from", "push", "out"}]
    reached = {mark.to for mark in went if mark.kind == "from"}
    for mark in touched:
        if mark.kind == "to" and mark.cell in held and mark.cell not in reached:
            wide = CHIEF if held[mark.cell] in {"P", "p"} else STONE
            sheet.put(marks.outline(theme, layer, wide - 4), *spot(mark.cell, below))
    steps = _by_step(went)
    back = _returned(steps) if layer == marks.LAST else set()
    taken: list[Step] = []
    begun = set(held)
    for number, step in enumerate(steps, 1):
        label = str(number) if len(steps) > 1 else ""
        for mark in step:
            if (number, mark.cell) in back:
                continue
            ends = spot(mark.cell, below), spot(mark.to, below)
            start = _along(*ends, STONE * 0.42) if mark.cell in begun else ends[0]
            short = (_INTO if mark.cell in begun else STONE / 2) if mark.to in held else 0
            taken.append(Step(start, _along(*ends[::-1], short), label))
            begun.add(mark.cell)
    draw_steps(sheet, theme, layer, taken)
    for mark in touched:
        if mark.kind == "out":
            sheet.put(marks.cross(theme, 44), *spot(mark.to or mark.cell, below))


def _by_step(went: Iterable[Mark]) -> list[list[Mark]]:
    """Groups the marks of a play by step, each step with its pushes. A piece that leaves the board occurs once."""
    steps: list[list[Mark]] = []
    for mark in went:
        if mark.kind == "from" or not steps:
            steps.append([])
        if all(mark.cell != other.cell for other in steps[-1]):
            steps[-1].append(mark)
    return steps


def _returned(steps: Sequence[Sequence[Mark]]) -> set[tuple[int, str]]:
    """Finds the ways of pieces that returned to their origin: the number of the step, and each way's first cell."""
    began: dict[str, str] = {}
    ways: dict[str, list[tuple[int, str]]] = {}
    for number, step in enumerate(steps, 1):
        moved = {mark: began.pop(mark.cell, mark.cell) for mark in step}
        for mark, first in moved.items():
            began[mark.to] = first
            ways.setdefault(first, []).append((number, mark.cell))
    return {way for cell, first in began.items() if cell == first for way in ways[first]}


def _along(start: Point, end: Point, far: float) -> Point:
    """Returns the point ``far`` pixels from the start towards the end."""
    share = far / (distance(start, end) or 1)
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _draw_name(sheet: Sheet, theme: Theme, cell: str, letter: str, at: Point) -> None:
    """Draws the name of a cell on its piece; below the star of a principal."""
    colour: Seat = int(letter.islower())
    (x, y), size = at, _NAME[len(cell) > 2]
    if letter in {"P", "p"}:
        y += 28
        sheet.put(_tag(theme, colour, width(cell, size, BOLD) + 16), x, y)
    sheet.text(x, y, cell, size, side_of(theme, colour).ink, weight=BOLD, edges=HARD)


BOARD: Final = ApbBoard()
