"""The board of 24 points that backgammon and Abak share: its layout, the empty board, dice, targets, words.

Points are counted here from the side of the seat below (1 at the lower right, 24 above it). The names of cells use
White's numbers; ``seen`` converts them.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Protocol, TypeVar

from PIL import Image

from engine.core.game import Note, Seat
from engine.kits import cube
from engine.kits.dice import Roll, dice_of
from engine.kits.xgid import Doubling, MatchFields
from render.canvas import marks
from render.canvas.pen import HARD, Pen, Point, clear, mix, shadowed
from render.canvas.pieces import checker, die
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.strip import Strip, draw_strip
from render.canvas.text import BOLD, called
from render.theme import Colour, Theme
from render.view import View, begun

HEIGHT: Final = 916
STONE: Final = 76
"""A stone's size; on a phone, where a chat shows pictures 330 pixels wide, 23 pixels."""
STEP: Final = 62
"""The distance from one stone of a column to the next.

Each covers a little of the one below it, to show a column's top.
"""
PITCH: Final = 77
LEFT: Final = 8
BAR_LEFT: Final = LEFT + 6 * PITCH
BAR_WIDE: Final = 78
RIGHT: Final = BAR_LEFT + BAR_WIDE + 6 * PITCH
TRAY_LEFT: Final = RIGHT + 8
TRAY_RIGHT: Final = WIDTH - 4
TRAY: Final = (TRAY_LEFT + TRAY_RIGHT) / 2
TOP: Final = 104
BOTTOM: Final = HEIGHT - TOP
MIDDLE: Final = HEIGHT / 2
BAR: Final = BAR_LEFT + BAR_WIDE / 2
HALF: Final = 4 * STEP + STONE + 8
"""The height of five stones and a margin."""
TALLEST: Final = 5
"""The most stones drawn on a point; a number shows more."""
NUMBER: Final = 40
"""The text size of the points' numbers and of all other numbers on the board."""
COUNT: Final = 20
"""The distance of numbers from the board's edge."""
DIE: Final = 64
CUBE: Final = 54
OWNED: Final = 76
"""The distance of an owned cube from the middle line: all of it is in its owner's tray."""
CORE: Final = (0, 64, WIDTH, HEIGHT - 64)
"""The part of a picture between the strips."""
STRIPS: Final = (33, HEIGHT - 33)
"""The middle lines of the upper and the lower strip."""
COLOURS: Final = ("white", "black")
"""The seats, in message keys."""


class DiceState(Protocol):
    """The part of a position, besides its stones, that both games have."""

    @property
    def turn(self) -> Seat: ...
    @property
    def roll(self) -> Roll | None: ...
    @property
    def dice(self) -> tuple[int, ...]: ...
    @property
    def opening(self) -> bool: ...
    @property
    def fields(self) -> MatchFields: ...


S = TypeVar("S", bound=DiceState)


class Place(NamedTuple):
    """The places of the stones of a cell: the middle of the first, and the distance to the next."""

    x: float
    y: float
    step: float

    def at(self, index: int) -> Point:
        return self.x, self.y + self.step * min(index, TALLEST)


def seen(cell: str, below: Seat) -> int:
    """Returns the number of a point, counted from the side of the seat below."""
    return int(cell) if below == 0 else 25 - int(cell)


@lru_cache(maxsize=64)
def place(cell: str, below: Seat) -> Place:
    """Returns the places of the stones of a cell: a point, a bar (from the middle outwards), a tray."""
    upper = False
    if cell[:3] in {"bar", "off"}:
        lower = int(cell[3:]) == below
        if cell[:3] == "bar":
            return Place(BAR, MIDDLE - 64, -STEP) if lower else Place(BAR, MIDDLE + 64, STEP)
        return Place(TRAY, BOTTOM - HALF / 2, 0) if lower else Place(TRAY, TOP + HALF / 2, 0)
    point = seen(cell, below)
    upper = point > 12
    column = point - 13 if upper else 12 - point
    x = LEFT + PITCH * (column + 0.5) + (BAR_WIDE if column > 5 else 0)
    edge = 4 + STONE / 2
    return Place(x, TOP + edge, STEP) if upper else Place(x, BOTTOM - edge, -STEP)


def tray_count(seat: Seat, below: Seat) -> Point:
    """Returns the place of the number of a seat's stones borne off."""
    return TRAY, BOTTOM + COUNT if seat == below else TOP - COUNT


def tones(theme: Theme) -> tuple[Colour, Colour]:
    """Returns the colours of points with even and odd numbers: darker than the field, so that light stones stand
    out.
    """
    return mix(theme.field, theme.odd, 0.35), mix(theme.field, theme.odd, 0.85)


def ground(theme: Theme) -> Image.Image:
    """Draws the empty board with its numbers. It is the same for both sides, since each counts from its own side."""
    pen = Pen(WIDTH, HEIGHT, theme.frame)
    pen.panel((LEFT - 4, TOP - 4, RIGHT + 4, BOTTOM + 4), 6, theme.frame_dark)
    for left in (LEFT, BAR_LEFT + BAR_WIDE):
        pen.panel((left, TOP, left + 6 * PITCH, BOTTOM), 0, theme.field)
    even, odd = tones(theme)
    for point in range(1, 25):
        x = place(str(point), 0).x
        base, tip = (TOP, TOP + 276) if point > 12 else (BOTTOM, BOTTOM - 276)
        pen.wedge((x, base), PITCH / 2 - 3, tip, odd if point % 2 else even)
    pen.panel((BAR_LEFT, TOP - 4, BAR_LEFT + BAR_WIDE, BOTTOM + 4), 0, theme.frame_light)
    sheet = Sheet(pen.finish())
    for point in range(1, 25):
        x = place(str(point), 0).x
        sheet.text(x, TOP - COUNT if point > 12 else BOTTOM + COUNT, str(point), NUMBER, theme.faint, edges=HARD)
    return sheet.image


def draw_well(sheet: Sheet, theme: Theme, seat: Seat, below: Seat, count: int) -> None:
    """Draws a tray with the number of stones in it. An empty tray is invisible."""
    if count:
        sheet.put(_well(theme), TRAY, place(f"off{seat}", below).y)
        sheet.text(*tray_count(seat, below), str(count), NUMBER, theme.ink, weight=BOLD, edges=HARD)


@lru_cache(maxsize=4)
def _well(theme: Theme) -> Image.Image:
    pen = Pen(TRAY_RIGHT - TRAY_LEFT, HALF, edges=HARD)
    pen.panel((0, 0, TRAY_RIGHT - TRAY_LEFT, HALF), 8, theme.well)
    return pen.finish()


def draw_dice(sheet: Sheet, theme: Theme, seat: Seat, below: Seat, roll: Roll, left: Sequence[int]) -> None:
    """Draws the roll in the middle, to the right of its player; played dice are pale. ``left``: the dice to play."""
    dice = dice_of(roll)
    unused = Counter(left)
    x = (BAR + BAR_WIDE / 2 + RIGHT) / 2 if seat == below else (LEFT + BAR_LEFT) / 2
    x -= (len(dice) - 1) * (DIE + 14) / 2
    for number in dice:
        used = not unused[number]
        unused[number] -= not used
        sheet.put(die(theme, seat, number, DIE, used=used), x, MIDDLE)
        x += DIE + 14


@lru_cache(maxsize=32)
def _cube(theme: Theme) -> Image.Image:
    pen, size = Pen(CUBE, CUBE, edges=HARD), CUBE
    pen.panel((0, 0, size, size), 11, theme.white.edge)
    pen.panel((2, 2, size - 2, size - 2), 9, theme.white.face)
    pen.outline((7, 7, size - 7, size - 7), 6, 1.4, clear(theme.white.edge, 0.6))
    return shadowed(pen.finish(), 2)


def draw_cube(sheet: Sheet, theme: Theme, value: int, owner: Seat | None, below: Seat) -> None:
    """Draws the doubling cube: between the trays, or at the inner end of its owner's tray, which stones never reach."""
    y = MIDDLE if owner is None else MIDDLE + (OWNED if owner == below else -OWNED)
    sheet.put(_cube(theme), TRAY, y)
    sheet.text(TRAY, y, str(value), NUMBER if value < 100 else 30, theme.white.ink, weight=BOLD, edges=HARD)


def draw_offer(sheet: Sheet, theme: Theme, value: int, doubler: Seat, below: Seat) -> None:
    """Draws an offered cube with the offered value, in the place of the dice of the player who must answer."""
    x = (LEFT + BAR_LEFT) / 2 if doubler == below else (BAR + BAR_WIDE / 2 + RIGHT) / 2
    sheet.put(_cube(theme), x, MIDDLE)
    sheet.text(x, MIDDLE, str(value), NUMBER if value < 100 else 30, theme.white.ink, weight=BOLD, edges=HARD)


def draw_strips(sheet: Sheet, theme: Theme, view: View, counts: tuple[int, int], active: Seat | None) -> None:
    """Draws both players' strips; ``counts`` are their pips."""
    for seat in (0, 1):
        told = Strip(
            called(view, seat),
            view.clocks[seat],
            view.counts[seat] or str(counts[seat]),
            seat == active,
            view.stopped[seat],
            view.ratings[seat],
            view.scores[seat],
        )
        stone = checker(theme, seat, 44)
        draw_strip(sheet, theme, 14, STRIPS[seat == view.below], WIDTH - 28, stone, told)


def draw_count(sheet: Sheet, theme: Theme, seat: Seat, at: Point, count: int) -> None:
    """Draws the number of stones on the last one shown, if some are hidden."""
    sheet.put(checker(theme, seat, STONE, plain=True), *at)
    sheet.text(*at, str(count), NUMBER, theme.sides()[seat].ink, weight=BOLD, edges=HARD)


def draw_targets(sheet: Sheet, theme: Theme, view: View, height: Callable[[str], int]) -> None:
    """Draws letters on the cells within reach, at the stone's new place, and rings on stones that may be chosen."""
    for cell, text in view.targets:
        count = height(cell)
        if not text:
            top = max(0, min(count, TALLEST if cell[0] != "b" else TALLEST - 1) - 1)
            marks.draw_target(sheet, theme, place(cell, view.below).at(top), "", STONE, held=True)
            continue
        index = min(max(0, count - 1), TALLEST - 2) if cell[:3] in {"bar", "off"} else min(count, TALLEST - 1)
        at = place(cell, view.below).at(index)
        marks.draw_target(sheet, theme, at, text, STONE, held=height(cell) > index)


def draw_rest(
    sheet: Sheet, theme: Theme, state: S, view: View, counts: tuple[int, int], over: Callable[[S], bool]
) -> None:
    """Draws dice, cube and strips. A draft keeps the dice and the mover of the position before it."""
    began = begun(state, view)
    if began.roll is not None:
        draw_dice(sheet, theme, began.turn, view.below, began.roll, state.dice if state.roll is not None else ())
    if view.passed is not None and (began.roll is None or began.turn != view.passed[0]):
        seat, dice = view.passed
        draw_dice(sheet, theme, seat, view.below, Roll(*dice), ())
    if state.fields.doubling is Doubling.OFFERED:
        draw_offer(sheet, theme, 2 * state.fields.cube_value, state.turn, view.below)
    elif cube.in_play(state.fields):
        draw_cube(sheet, theme, state.fields.cube_value, cube.owner(state.fields), view.below)
    active = 1 - began.turn if began.fields.doubling is Doubling.OFFERED else began.turn
    draw_strips(sheet, theme, view, counts, None if over(began) or began.opening else active)


def counted(pips: int) -> Note:
    """Writes a player's pips, for their strip."""
    return Note("points.pips", {"n": pips})


def said_turn(kind: str, state: S, view: View, over: Callable[[S], bool]) -> list[Note]:
    """Writes notes on the cube, the seat to move, the roll and the dice left; ``kind`` such as ``abak.alt``.

    A draft keeps the seat to move and the roll of the position before it.
    """
    began = begun(state, view)
    said = []
    value, owner = state.fields.cube_value, cube.owner(state.fields)
    if cube.in_play(state.fields):
        said.append(Note(f"cube.alt.{'middle' if owner is None else COLOURS[owner]}", {"value": value}))
    if view.over or over(began):
        return [*said, Note(f"{kind}.over")]
    if state.fields.doubling is Doubling.OFFERED:
        return [*said, Note(f"cube.alt.doubled_{COLOURS[state.turn]}", {"value": 2 * value})]
    if began.opening:
        return [*said, Note(f"{kind}.opening")]
    said.append(Note(f"{kind}.turn_{COLOURS[began.turn]}"))
    if began.roll is not None:
        said.append(Note(f"{kind}.dice", {"dice": began.roll.told}))
        left = state.dice if state.roll is not None else ()
        if left != dice_of(began.roll):
            told = Note(f"{kind}.left", {"dice": ", ".join(map(str, left))})
            said.append(told if left else Note("draft.none_left"))
    return said
