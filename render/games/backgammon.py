"""Backgammon's picture: 24 points, bar, tray, dice, pip counts (backgammon.md)."""

from collections.abc import Mapping
from functools import cache, partial
from typing import Final

from PIL import Image

from engine.core.errors import Param
from engine.core.game import Note, Seat
from engine.games.backgammon import GAME, pips
from engine.games.backgammon.board import State, over
from engine.kits.cube import ON
from engine.kits.dice import Roll
from render.canvas import marks
from render.canvas.board import Board, Sample, lettered, movable, played
from render.canvas.pen import Point
from render.canvas.pieces import checker, slab
from render.canvas.sheet import Sheet
from render.games import points, trails
from render.games.points import BOTTOM, COLOURS, STONE, TALLEST, TOP, TRAY, place
from render.theme import Theme
from render.view import View

_SLAB: Final = (points.TRAY_RIGHT - points.TRAY_LEFT - 10, 16)


def held(state: State, cell: str) -> int:
    """Counts the stones in a cell, of either side."""
    if cell[:3] == "off":
        return state.off[int(cell[3:])]
    if cell[:3] == "bar":
        return abs(state.points[25 if cell == "bar0" else 0])
    return abs(state.points[int(cell)])


class BackgammonBoard(Board[State]):
    core = points.CORE

    def emblem(self, theme: Theme, seat: Seat, size: int) -> Image.Image:
        return checker(theme, seat, size)

    def ground(self, theme: Theme, below: Seat) -> Image.Image:
        del below
        return points.ground(theme)

    def paint(self, sheet: Sheet, theme: Theme, state: State, view: View) -> None:
        height = cache(partial(held, state))
        for point, count in enumerate(state.points):
            if count:
                seat = int(count < 0)
                cell = {0: "bar1", 25: "bar0"}.get(point, str(point))
                spot, shown = place(cell, view.below), min(abs(count), TALLEST if 0 < point < 25 else TALLEST - 1)
                for index in range(shown):
                    sheet.put(checker(theme, seat, STONE), *spot.at(index))
                if abs(count) > shown:
                    points.draw_count(sheet, theme, seat, spot.at(shown - 1), abs(count))
        for seat in (0, 1):
            _draw_tray(sheet, theme, seat, view.below, state.off[seat])
        trails.draw_marks(sheet, theme, view, marks.LAST, view.last, height)
        trails.draw_marks(sheet, theme, view, marks.CHOSEN, view.chosen, height)
        points.draw_targets(sheet, theme, view, height)
        points.draw_rest(sheet, theme, state, view, (pips(state, 0), pips(state, 1)), over)

    def spot(self, cell: str, below: Seat) -> Point:
        return place(cell, below).at(0)

    def counts(self, state: State) -> tuple[Note, Note]:
        return points.counted(pips(state, 0)), points.counted(pips(state, 1))

    def samples(self) -> Mapping[str, Sample]:
        start = GAME.decode("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
        contact = GAME.decode("XGID=-a-B--D-CA--dC-a-c-db---B-:0:0:1:63:0:0:0:0:10")
        drafted, chosen = played(GAME, contact, "24/18")
        hit, last = played(GAME, contact, "24/15*")
        answer = GAME.apply(hit, Roll(5, 2))
        doubles = GAME.decode("XGID=-b----E-C---eE---c-e----B-:0:0:1:33:0:0:0:0:10")
        spread, equal = played(GAME, doubles, "13/10(3) 6/3")
        race = GAME.decode("XGID=-BCABBB------------bbbbca-:1:1:1:61:0:0:0:0:10")
        later, off = played(GAME, race, "6/off 5/4")

        names, counts = ("Ana", "Bea"), ("141 pips", "159 pips")

        def cubed(state: State, fields: str) -> State:
            return GAME.decode(f"{GAME.encode(state).split(':')[0]}:{fields}:0:0:1:0:10", {"cube": ON})

        return {
            "start": Sample(start, View()),
            "middle": Sample(answer, View(last=last, names=names, counts=counts, clocks=("1:23:45", "56:07"))),
            "draft": Sample(drafted, View(chosen=chosen, before=contact, targets=lettered(GAME, drafted, "18"))),
            "choice": Sample(contact, View(names=names, targets=movable(GAME, contact))),
            "other-side": Sample(answer, View(below=1, last=last, targets=lettered(GAME, answer, "bar1"))),
            "doubles": Sample(spread, View(last=equal)),
            "race": Sample(later, View(last=off)),
            "cube": Sample(cubed(answer, "0:0:-1:00"), View(last=last, names=names)),
            "doubled": Sample(cubed(answer, "1:-1:-1:D"), View(last=last, names=names)),
            "fifteen": Sample(GAME.start({"layout": "longgammon"}), View()),
        }

    def lines(self, state: State, view: View) -> tuple[tuple[Note, ...], ...]:
        said: list[tuple[Note, ...]] = [(Note(f"backgammon.alt.from_{COLOURS[view.below]}"),)]
        for point in range(24, 0, -1):
            count = state.points[points.seen(str(point), view.below)]
            if count:
                told: dict[str, Param] = {"point": point, "n": abs(count)}
                said.append((Note(f"backgammon.text.{COLOURS[count < 0]}", told),))
        for name in ("bar", "off"):
            for seat, colour in enumerate(COLOURS):
                count = held(state, f"{name}{seat}")
                if count:
                    said.append((Note(f"backgammon.text.{name}_{colour}", {"n": count}),))
        said.append((Note("backgammon.text.pips", {"white": pips(state, 0), "black": pips(state, 1)}),))
        return (*said, tuple(points.said_turn("backgammon.alt", state, view, over)))

    def alt(self, state: State, view: View) -> tuple[Note, ...]:
        said = [Note(f"backgammon.alt.from_{COLOURS[view.below]}")]
        for seat, colour in enumerate(COLOURS):
            own = {
                points.seen(str(point), view.below): abs(state.points[point])
                for point in range(1, 25)
                if state.points[point] and (state.points[point] < 0) == seat
            }
            told: dict[str, Param] = {"n": pips(state, seat), "end": ":" if own else "."}
            said.append(Note(f"backgammon.alt.{colour}", told))
            for point in sorted(own, reverse=True):
                end = "." if point == min(own) else ","
                said.append(Note("backgammon.alt.on", {"n": own[point], "point": point, "end": end}))
            for name in ("bar", "off"):
                count = held(state, f"{name}{seat}")
                if count:
                    said.append(Note(f"backgammon.alt.{name}", {"n": count}))
        return (*said, *points.said_turn("backgammon.alt", state, view, over))


def _draw_tray(sheet: Sheet, theme: Theme, seat: Seat, below: Seat, count: int) -> None:
    """Draws the checkers borne off, seen from their edges, with their number."""
    points.draw_well(sheet, theme, seat, below, count)
    wide, high = _SLAB
    for index in range(count):
        y = (
            BOTTOM - 10 - high / 2 - index * (high + 0.6)
            if seat == below
            else TOP + 10 + high / 2 + index * (high + 0.6)
        )
        sheet.put(slab(theme, seat, wide, high), TRAY, y)


BOARD: Final = BackgammonBoard()
