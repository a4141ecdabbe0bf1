"""Abak's picture: ordered columns of up to five stones of six classes (abak.md)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import ClassVar, Final

from PIL import Image

from engine.core.game import Note, Seat
from engine.games.abak import GAME
from engine.games.abak.board import CLASSES, State, over, pips, ranked
from engine.kits import cube
from engine.kits.cube import ON
from engine.kits.dice import Roll
from render.canvas import marks
from render.canvas.board import Board, Sample, lettered, movable, played
from render.canvas.pen import HARD, Point
from render.canvas.pieces import checker
from render.canvas.sheet import Sheet
from render.canvas.text import BOLD
from render.games import points, trails
from render.games.classes import cage, stone, trapped
from render.games.points import BOTTOM, COLOURS, STEP, STONE, TALLEST, TOP, TRAY, place
from render.theme import Theme
from render.view import View

WORDS: Final = {"S": "soldier", "G": "guard", "K": "general", "D": "druid", "E": "even", "O": "odd"}
_OFF: Final = points.TRAY_RIGHT - points.TRAY_LEFT - 10
"""The size of a stone in the tray: as wide as a checker of backgammon there."""


def held(state: State, cell: str) -> str:
    """Returns the stones in a cell, bottom to top; on the bar from the middle outwards, in the order of the classes."""
    if cell[:3] == "off":
        return state.off[int(cell[3:])]
    if cell[:3] == "bar":
        return state.bar[int(cell[3:])]
    return state.columns[int(cell)]


class AbakBoard(Board[State]):
    classes: ClassVar[Sequence[int]] = range(5)
    core = points.CORE

    def emblem(self, theme: Theme, seat: Seat, size: int) -> Image.Image:
        return stone(theme, "Ss"[seat], size)  # a crown would make a winner of who lost

    def legend(self, theme: Theme, size: int) -> Mapping[str, tuple[Image.Image, ...]]:
        kinds = {letter: (stone(theme, letter, size), stone(theme, letter.lower(), size)) for letter in CLASSES}
        return kinds | {"prisoner": (cage(theme, "S", size), cage(theme, "s", size))}

    def ground(self, theme: Theme, below: Seat) -> Image.Image:
        del below
        return points.ground(theme)

    def paint(self, sheet: Sheet, theme: Theme, state: State, view: View) -> None:
        def height(cell: str) -> int:
            return len(held(state, cell))

        for point in range(1, 25):
            spot = place(str(point), view.below)
            column = state.columns[point]
            for index, (letter, caught) in enumerate(zip(column, trapped(column), strict=True)):
                sheet.put(cage(theme, letter, STONE) if caught else stone(theme, letter, STONE), *spot.at(index))
        for seat in (0, 1):
            _draw_bar(sheet, theme, state.bar[seat], seat, view.below)
            _draw_tray(sheet, theme, state, seat, view.below)
        trails.draw_marks(sheet, theme, view, marks.LAST, view.last, height)
        trails.draw_marks(sheet, theme, view, marks.CHOSEN, view.chosen, height)
        for seat in (0, 1):
            if (f"bar{seat}", "") in view.targets:
                spots = _bar_spots(len(state.bar[seat]), seat, view.below)
                for at in spots if len(spots) < TALLEST else spots[-1:]:  # rings would hide overlapping stones
                    marks.draw_target(sheet, theme, at, "", STONE, held=True)
        aimed = tuple((cell, text) for cell, text in view.targets if text or cell[:3] != "bar")
        points.draw_targets(sheet, theme, replace(view, targets=aimed), height)
        points.draw_rest(sheet, theme, state, view, (pips(state, 0), pips(state, 1)), over)

    def spot(self, cell: str, below: Seat) -> Point:
        return place(cell, below).at(0)

    def counts(self, state: State) -> tuple[Note, Note]:
        return points.counted(pips(state, 0)), points.counted(pips(state, 1))

    def samples(self) -> Mapping[str, Sample]:
        start = GAME.decode("ABAKID=ED/OS/3/sssk/1/sgs/3/SSGS/ssgs/3/SGS/1/SSSK/3/os/ed:-:0:0:1:31:0:0:0:0:10")
        contact = GAME.decode("ABAKID=E/OS/1/s/1/sssk/sD/sg/3/SSG/ssgs/1/Sd/1/SGS/1/SSSK/4/e:o:0:0:1:31:0:0:0:0:10")
        drafted, chosen = played(GAME, contact, "6/7")
        hit, last = played(GAME, contact, "13/10*/9")
        answer = GAME.apply(hit, Roll(6, 4))
        late = GAME.decode("ABAKID=2/s/15/SG/1/SK/E/ss/kg:sd:1:-1:1:63:0:0:0:0:10")
        later, off = played(GAME, late, "3/off 6/off")

        names, counts = ("Ana", "Bea"), ("181 pips", "177 pips")

        def cubed(state: State, fields: str) -> State:
            columns, bar, *_ = GAME.encode(state).split(":")
            return GAME.decode(f"{columns}:{bar}:{fields}:0:0:1:0:10", {"cube": ON})

        return {
            "start": Sample(start, View()),
            "middle": Sample(answer, View(last=last, names=names, counts=counts, clocks=("1:23:45", "56:07"))),
            "draft": Sample(drafted, View(chosen=chosen, before=contact, targets=lettered(GAME, drafted, "23"))),
            "choice": Sample(contact, View(names=names, targets=movable(GAME, contact))),
            "other-side": Sample(contact, View(below=1)),
            "late": Sample(later, View(last=off)),
            "cube": Sample(cubed(answer, "0:0:-1:00"), View(last=last, names=names)),
            "doubled": Sample(cubed(answer, "1:-1:-1:D"), View(last=last, names=names)),
        }

    def lines(self, state: State, view: View) -> tuple[tuple[Note, ...], ...]:
        said: list[tuple[Note, ...]] = [(Note(f"abak.text.from_{COLOURS[view.below]}"),)]
        for point in range(24, 0, -1):
            column = state.columns[points.seen(str(point), view.below)]
            if column:
                said.append((Note("abak.text.point", {"point": point}), *_coloured("text", column)))
        if any(state.bar):
            said.append((Note("abak.text.bar"), *_coloured("text", "".join(state.bar))))
        for seat, colour in enumerate(COLOURS):
            if state.off[seat]:
                said.append((Note(f"abak.text.off_{colour}", {"n": len(state.off[seat])}),))
        said.append((Note("abak.text.pips", {"white": pips(state, 0), "black": pips(state, 1)}),))
        return (*said, tuple(points.said_turn("abak.text", state, view, over)))

    def alt(self, state: State, view: View) -> tuple[Note, ...]:
        said = [Note(f"abak.alt.from_{COLOURS[view.below]}")]
        columns = {points.seen(str(point), view.below): state.columns[point] for point in range(1, 25)}
        rising = sorted(columns, reverse=True)
        for seat, colour in enumerate(COLOURS):
            said.append(Note(f"abak.alt.{colour}", {"n": pips(state, seat)}))
            for point in rising:
                if columns[point] and {letter.islower() for letter in columns[point]} == {bool(seat)}:
                    said += [Note("abak.alt.point", {"point": point}), *_named(columns[point])]
            if state.bar[seat]:
                said += [Note("abak.alt.bar"), *_named(state.bar[seat])]
            if state.off[seat]:
                said.append(Note("abak.alt.off", {"n": len(state.off[seat])}))
        mixed = [point for point in rising if any(trapped(columns[point]))]
        if mixed:
            said.append(Note("abak.alt.mixed"))
        for point in mixed:
            said.append(Note("abak.alt.point", {"point": point}))
            said += _coloured("alt", columns[point])
        return (*said, *points.said_turn("abak.alt", state, view, over))


def _named(stones: str, end: str = ".") -> list[Note]:
    """Describes stones in words, a note per run of equal neighbours; a comma after each run, ``end`` after the last."""
    runs = [(letter.upper(), len(list(run))) for letter, run in groupby(stones)]
    ends = [","] * (len(runs) - 1) + [end]
    return [
        Note(f"abak.alt.{WORDS[letter]}", {"n": count, "end": mark})
        for (letter, count), mark in zip(runs, ends, strict=True)
    ]


def _coloured(kind: str, stones: str) -> list[Note]:
    """Describes stones, with the colour before each run of a side's stones; ``kind`` is ``alt`` or ``text``."""
    runs = [(lower, "".join(run)) for lower, run in groupby(stones, str.islower)]
    said = []
    for number, (lower, run) in enumerate(runs, 1):
        said += [Note(f"abak.{kind}.of_{COLOURS[lower]}"), *_named(run, "." if number == len(runs) else ";")]
    return said


def _draw_bar(sheet: Sheet, theme: Theme, stones: str, seat: Seat, below: Seat) -> None:
    """Draws the stones on the bar from the middle outwards; many stones overlap."""
    for letter, spot in zip(stones, _bar_spots(len(stones), seat, below), strict=True):
        sheet.put(stone(theme, letter, STONE), *spot)


def _bar_spots(count: int, seat: Seat, below: Seat) -> list[Point]:
    spot, room = place(f"bar{seat}", below), STEP * (TALLEST - 1)
    step = min(STEP, room / max(1, count - 1)) * (1 if spot.step > 0 else -1)
    return [(spot.x, spot.y + step * index) for index in range(count)]


def _draw_tray(sheet: Sheet, theme: Theme, state: State, seat: Seat, below: Seat) -> None:
    """Draws the stones borne off, from the edge of the board: one soldier with their number, and all others."""
    stones = ranked(state.off[seat])
    points.draw_well(sheet, theme, seat, below, len(stones))
    soldiers = stones.upper().count("S")
    found = [*reversed(stones[soldiers:]), *stones[: min(1, soldiers)]]
    is_owner = cube.in_play(state.fields) and cube.owner(state.fields) == seat
    room = points.HALF - _OFF - 10 - (points.CUBE + 4) * is_owner
    step = min(_OFF + 2, room / max(1, len(found) - 1))
    for index, letter in enumerate(found):
        down = _OFF / 2 + 5 + step * index
        at = TRAY, BOTTOM - down if seat == below else TOP + down
        if letter in "Ss" and soldiers > 1:
            sheet.put(checker(theme, seat, _OFF, plain=True), *at)
            sheet.text(*at, str(soldiers), points.NUMBER, theme.sides()[seat].ink, weight=BOLD, edges=HARD)
        else:
            sheet.put(stone(theme, letter, _OFF), *at)


BOARD: Final = AbakBoard()
