"""APB's picture: nine columns by twelve rows, eight secondaries and a principal per side (apb.md)."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import ClassVar, Final

from PIL import Image

from engine.core.errors import Param
from engine.core.game import Mark, Note, Seat
from engine.games.apb import GAME
from engine.games.apb.board import COLUMNS, MOST_SECONDARIES, State, cells, stepped
from engine.games.apb.board import HEIGHT as ROWS
from render.canvas import marks
from render.canvas.board import Board, Sample, lettered, movable, played
from render.canvas.pen import Pen, Point, clear, mix, regular, shadowed, star
from render.canvas.pieces import checker, dial, pointer, side_of
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.strip import draw_score
from render.canvas.text import BOLD, called, fitted, width
from render.theme import Theme
from render.view import View

KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "apb.alt.from_white": (),
    "apb.alt.from_black": (),
    "apb.alt.white": ("principal", "n", "cells"),
    "apb.alt.black": ("principal", "n", "cells"),
    "apb.alt.gone": (),
    "apb.alt.none": (),
    "apb.alt.stepped": ("cells",),
    "apb.alt.turn_white": (),
    "apb.alt.turn_black": (),
    "apb.alt.over": (),
    "apb.text.row": ("row",),
    "apb.text.white": ("cells",),
    "apb.text.black": ("cells",),
    "apb.text.principal_white": ("cells",),
    "apb.text.principal_black": ("cells",),
}
COLOURS: Final = ("white", "black")
LETTERS: Final = ("SP", "sp")
SAID: Final = {
    "S": "apb.text.white",
    "P": "apb.text.principal_white",
    "s": "apb.text.black",
    "p": "apb.text.principal_black",
}
"""The message keys of the pieces in a row."""
HEIGHT: Final = 1016
CELL: Final = 78
LEFT: Final = 66
TOP: Final = 24
RIGHT: Final = LEFT + CELL * len(COLUMNS)
BOTTOM: Final = TOP + CELL * ROWS
STONE: Final = 62
CHIEF: Final = 74
"""The principal's size."""
_PANEL: Final = (RIGHT + 22, WIDTH - 20)
_NAME: Final = (30, 27, 24)
_RATING: Final = 26
"""The text sizes of a name; the first that fits beside the board is used."""


def spot(cell: str, below: Seat) -> Point:
    """The middle of a cell."""
    column, row = COLUMNS.index(cell[0]), int(cell[1:]) - 1
    if below:
        column, row = len(COLUMNS) - 1 - column, ROWS - 1 - row
    return LEFT + CELL * (column + 0.5), BOTTOM - CELL * (row + 0.5)


@lru_cache(maxsize=16)
def principal(theme: Theme, colour: Seat, size: int, *, named: bool = False) -> Image.Image:
    """The principal: larger than a secondary, eight-sided, with a star; ``named``: a small star above a cell's name."""
    pen, side, middle = Pen(size, size), side_of(theme, colour), size / 2
    hue = theme.classes[1][colour]
    pen.shape(regular(middle, middle, middle, 8, 22.5), side.edge)
    pen.shape(regular(middle, middle, middle * 0.95, 8, 22.5), hue)
    pen.shape(regular(middle, middle, middle * 0.82, 8, 22.5), side.edge)
    pen.shape(regular(middle, middle, middle * 0.79, 8, 22.5), side.face)
    high, wide = (0.54, 0.3) if named else (1.03, 0.62)
    pen.shape(star(middle, middle * high, middle * wide, middle * wide * 0.435, 5), hue)
    return shadowed(pen.finish(), size / 26)


@lru_cache(maxsize=8)
def tick(theme: Theme, size: int) -> Image.Image:
    """The sign of a piece that has taken its step this turn."""
    pen = Pen(size, size)
    pen.disc(size / 2, size / 2, size / 2, theme.target_ink)
    pen.disc(size / 2, size / 2, size / 2 - 1.6, theme.target)
    pen.line(
        [(size * 0.27, size * 0.53), (size * 0.44, size * 0.7), (size * 0.74, size * 0.34)],
        size * 0.13,
        theme.target_ink,
    )
    return pen.finish()


class ApbBoard(Board[State]):
    classes: ClassVar[Sequence[int]] = (1,)  # the principal's gold
    core = (0, 10, RIGHT + 16, HEIGHT)

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
        sheet = Sheet(pen.finish())
        for letter in COLUMNS:
            sheet.text(spot(f"{letter}1", below)[0], BOTTOM + 30, letter, 30, theme.faint)
        for row in range(1, ROWS + 1):
            sheet.text(LEFT - 34, spot(f"a{row}", below)[1], str(row), 30, theme.faint)
        return sheet.image

    def paint(self, sheet: Sheet, theme: Theme, state: State, view: View) -> None:
        held, done = cells(state), stepped(state)
        for layer, touched in ((marks.LAST, view.last), (marks.CHOSEN, view.chosen)):
            for mark in touched:
                if mark.kind in {"from", "push", "out"} and mark.cell not in held:
                    sheet.put(marks.ghost(theme, layer, STONE), *spot(mark.cell, view.below))
        for cell, letter in held.items():
            x, y = spot(cell, view.below)
            sheet.put(_piece(theme, letter), x, y)
            if cell in done:
                sheet.put(tick(theme, 26), x + 25, y + 25)
        _draw_moves(sheet, theme, marks.LAST, view.last, held, view.below)
        _draw_moves(sheet, theme, marks.CHOSEN, view.chosen, held, view.below)
        for cell, text in view.targets:
            at = spot(cell, view.below)
            size = CHIEF if held.get(cell) in {"P", "p"} else STONE
            if not text and cell in held:
                _draw_name(sheet, theme, cell, held[cell], at)
            marks.draw_target(sheet, theme, at, text, size, held=cell in held)
        over = not all(state.principals)
        for seat in (0, 1):
            _draw_panel(sheet, theme, state, seat, view, active=seat == state.turn and not over)

    def spot(self, cell: str, below: Seat) -> Point:
        return spot(cell, below)

    def samples(self) -> Mapping[str, Sample]:
        start = GAME.start({})
        contact = GAME.decode("9/3sss3/3sp4/3ss1s2/2S6/5s3/4S1S2/9/5S3/3SPS3/3S1S3/9 w -")
        drafted, chosen = played(GAME, contact, "e6-f6")
        after, last = played(GAME, contact, "e6-f6 c8-d8 e3-e4>e8")
        edge = GAME.decode("9/4s4/9/9/P2s5/9/5p3/9/4SS3/8s/8S/9 w -")
        fallen, fall = played(GAME, edge, "a8-b8")
        return {
            "start": Sample(start, View()),
            "middle": Sample(after, View(last=last, names=("Ana", "Bea"), clocks=("1:23:45", "56:07"))),
            "draft": Sample(drafted, View(chosen=chosen, targets=lettered(GAME, drafted, "c8"))),
            "choice": Sample(after, View(below=1, last=last, names=("Ana", "Bea"), targets=movable(GAME, after))),
            "other-side": Sample(after, View(below=1, last=last)),
            "fall": Sample(fallen, View(last=fall)),
        }

    def lines(self, state: State, view: View) -> tuple[tuple[Note, ...], ...]:
        told = [_said_row(row, cells(state)) for row in _rows(view.below)]
        said = [(Note(f"apb.alt.from_{COLOURS[view.below]}"),), *(row for row in told if len(row) > 1)]
        return (*said, tuple(_said_turn(state, over=view.over)))

    def alt(self, state: State, view: View) -> tuple[Note, ...]:
        held = cells(state)
        said = [Note(f"apb.alt.from_{COLOURS[view.below]}")]
        for seat, colour in enumerate(COLOURS):
            secondary, chief = LETTERS[seat]
            own = [cell for cell, letter in held.items() if letter == secondary]
            where = next((cell for cell, letter in held.items() if letter == chief), "@apb.alt.gone")
            told: dict[str, Param] = {"principal": where, "n": len(own), "cells": ", ".join(own) or "@apb.alt.none"}
            said.append(Note(f"apb.alt.{colour}", told))
        return (*said, *_said_turn(state, over=view.over))


def _said_row(row: Sequence[str], held: Mapping[str, str]) -> tuple[Note, ...]:
    """The row's number, then its pieces, with equal neighbours in one note."""
    runs = groupby((cell for cell in row if cell in held), held.__getitem__)
    pieces = (Note(SAID[letter], {"cells": ", ".join(cell[0] for cell in run)}) for letter, run in runs)
    return (Note("apb.text.row", {"row": row[0][1:]}), *pieces)


def _said_turn(state: State, *, over: bool) -> list[Note]:
    """Notes on whose turn it is, and which pieces have taken their step."""
    if over or not all(state.principals):
        return [Note("apb.alt.over")]
    said = [Note(f"apb.alt.turn_{COLOURS[state.turn]}")]
    done = ", ".join(cell for cell in cells(state) if cell in stepped(state))
    return [*said, Note("apb.alt.stepped", {"cells": done})] if done else said


def _rows(below: Seat) -> list[list[str]]:
    """The cells row by row, from the top left, with the seat ``below`` below."""
    rows = [[f"{letter}{row}" for letter in COLUMNS] for row in range(ROWS, 0, -1)]
    return rows if below == 0 else [row[::-1] for row in rows[::-1]]


def _piece(theme: Theme, letter: str) -> Image.Image:
    colour: Seat = int(letter.islower())
    return principal(theme, colour, CHIEF) if letter in {"P", "p"} else checker(theme, colour, STONE)


def _draw_moves(
    sheet: Sheet, theme: Theme, layer: str, touched: Iterable[Mark], held: Mapping[str, str], below: Seat
) -> None:
    """Draws rings around moved pieces, arrows for longer moves and pushes, a cross where one left the board."""
    for mark in touched:
        start = spot(mark.cell, below)
        if mark.kind == "to":
            wide = 70 if held.get(mark.cell) in {"P", "p"} else STONE
            sheet.put(marks.outline(theme, layer, wide), *start)
        elif mark.to and mark.kind in {"push", "out", "from"}:
            end = spot(mark.to, below)
            if mark.kind != "from" or max(abs(end[0] - start[0]), abs(end[1] - start[1])) > CELL:
                marks.arrow(
                    sheet, theme, layer, start, end, short=34 if mark.to in held else 22 if mark.kind == "out" else 0
                )
        if mark.kind == "out":
            sheet.put(marks.cross(theme, 36), *spot(mark.to or mark.cell, below))


def _draw_name(sheet: Sheet, theme: Theme, cell: str, letter: str, at: Point) -> None:
    """Draws a piece with the name of its cell on it."""
    colour: Seat = int(letter.islower())
    (x, y), size = at, 30 if len(cell) < 3 else 25
    if letter in {"P", "p"}:
        sheet.put(principal(theme, colour, CHIEF, named=True), x, y)
        y += 8
    else:
        sheet.put(checker(theme, colour, STONE, plain=True), x, y)
    sheet.text(x, y, cell, size, side_of(theme, colour).ink, weight=BOLD)


def _draw_panel(sheet: Sheet, theme: Theme, state: State, seat: Seat, view: View, *, active: bool) -> None:
    """Draws a player's panel beside the board, at the player's end: turn, name, time, and the lost secondaries."""
    left, right = _PANEL
    lower = seat == view.below
    y = BOTTOM - 30 if lower else TOP + 30
    step = -1 if lower else 1
    if active:
        sheet.put(_plate(theme, right - left), (left + right) / 2, y)
        sheet.put(pointer(theme, 26), left + 19, y)
    sheet.put(_small(theme, seat), left + 60, y)
    name, room = called(view, seat), right - left - 102
    size = next((size for size in _NAME if width(name, size) <= room), _NAME[-1])
    sheet.text(left + 93, y, fitted(name, size, room), size, theme.ink, anchor="l")
    clock, rating = (fitted(text, 30, right - left - 80) for text in (view.clocks[seat], view.ratings[seat]))
    if rating:
        sheet.text(left + 93, y + step * 55, rating, _RATING, theme.faint, anchor="l")
    if clock:
        beside = y + step * (94 if rating else 66)
        sheet.put(dial(theme, 28, stopped=view.stopped[seat]), left + 60, beside)
        sheet.text(left + 93, beside, clock, 30, theme.ink, anchor="l")
    lost = MOST_SECONDARIES - state.secondaries[seat].bit_count()
    for index in range(MOST_SECONDARIES):
        at = (left + 26 + index % 4 * 56, y + step * (140 + index // 4 * 56))
        sheet.put(_slot(theme, 44), *at)
        if index < lost:
            sheet.put(checker(theme, seat, 42), *at)
    if view.scores[seat]:
        draw_score(sheet, theme, view.scores[seat], left + 110, y + step * 262)


@lru_cache(maxsize=8)
def _small(theme: Theme, colour: Seat) -> Image.Image:
    """A small principal, shown before a player's name."""
    return _piece(theme, LETTERS[colour][1]).resize((56, 56), Image.Resampling.LANCZOS)


@lru_cache(maxsize=8)
def _plate(theme: Theme, wide: int) -> Image.Image:
    pen = Pen(wide, 64)
    pen.panel((0, 0, wide, 64), 12, theme.frame_light)
    pen.panel((2, 2, wide - 2, 62), 10, theme.active)
    return pen.finish()


@lru_cache(maxsize=8)
def _slot(theme: Theme, size: int) -> Image.Image:
    pen = Pen(size, size)
    pen.disc(size / 2, size / 2, size / 2 - 4, clear(theme.frame_dark, 0.55))
    return pen.finish()


BOARD: Final = ApbBoard()
