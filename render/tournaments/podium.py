"""The picture of a podium: the first three places on steps, the others in a small list."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from PIL import Image

from render.canvas.pen import Pen, bend, mix
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, fitted, nameable, width, wrapped
from render.theme import Colour, Theme
from render.tournaments.page import (
    GAP,
    HEAD,
    LEFT,
    MARGIN,
    RIGHT,
    SMALL,
    called,
    draw_framed,
    draw_head,
    draw_name,
    draw_row,
    widest,
)
from render.tournaments.views import PODIUM_OTHERS, PodiumPlace, PodiumView

_STEPS: Final = {1: 250, 2: 180, 3: 130}
"""The heights of the steps."""
_ORDER: Final = (2, 1, 3)
"""The steps from the left."""
_WIDE: Final = 330
_BETWEEN: Final = 12
_NAME, _SHARED, _POINTS, _NUMBER = 42, 38, 36, 110
_LINES: Final = 48
_CUP: Final = 120
_MEDAL: Final = 96
_ROW: Final = 64
_OTHER: Final = 36
_FOOT: Final = 64
FACTS: Final = 3


def draw_podium(theme: Theme, view: PodiumView) -> Image.Image:
    """Draws the picture in full colour (RGB)."""
    steps = {step: [place for place in view.places if place.place == step] for step in _ORDER}
    shown = [step for step in _ORDER if steps[step]]
    others = [place for place in view.places if place.place not in _STEPS][:PODIUM_OTHERS]
    stacks = {step: _stack(steps[step], step) for step in shown}
    base = HEAD + max((_STEPS[step] + sum(high for _, _, high in stacks[step]) for step in shown), default=0) + GAP
    below = base + GAP
    high = below + len(others) * _ROW + (_FOOT if any(view.facts) else GAP // 2)
    pen = Pen(WIDTH, high, theme.frame)
    wide = len(shown) * (_WIDE + _BETWEEN) - _BETWEEN
    lefts = {step: (WIDTH - wide) // 2 + number * (_WIDE + _BETWEEN) for number, step in enumerate(shown)}
    for step in shown:
        _draw_step(pen, theme, step, lefts[step], base, is_reader=any(place.is_reader for place in steps[step]))
    for number, place in enumerate(others):
        top = below + number * _ROW
        draw_row(pen, theme, (MARGIN, top, WIDTH - MARGIN, top + _ROW - 4), number, is_reader=place.is_reader)
    sheet = Sheet(pen.finish())
    draw_head(sheet, theme, view.title, view.about)
    for step in shown:
        _write_step(sheet, theme, step, stacks[step], lefts[step] + _WIDE / 2, base)
    number_room = widest((str(place.place) for place in others), _OTHER, BOLD)
    for number, place in enumerate(others):
        _write_other(sheet, theme, place, number_room, below + number * _ROW + (_ROW - 4) / 2)
    facts = fitted(" · ".join(view.facts[:FACTS]), SMALL, RIGHT - LEFT)
    sheet.text(WIDTH / 2, high - _FOOT / 2, facts, SMALL, theme.faint)
    return sheet.image


def _stack(places: Iterable[PodiumPlace], step: int) -> list[tuple[str, str, int]]:
    """Lists the parts on a step from the top down: the kind, the text and the height of each."""
    every = list(places)
    found = [("cup", "", _CUP + GAP)] if step == 1 else []
    if len(every) == 1:
        found.append(("medal", initial(called(every[0].name, every[0].place)), _MEDAL + 8))
    for place in every:
        name = called(place.name, place.place)
        lines = wrapped(name, _NAME, _WIDE, 2, BOLD) if len(every) == 1 else (fitted(name, _SHARED, _WIDE, BOLD),)
        found += [("name" if len(every) == 1 else "shared", line, _LINES) for line in lines]
        if place.points:
            found.append(("points", place.points, _LINES))
    return [*found, ("", "", 12)]


def initial(name: str) -> str:
    """Returns the letter that stands for a player: the first one of the name that can be drawn."""
    return next((letter.upper() for letter in name if letter.isalnum() and nameable(letter)), "#")


def _metal(theme: Theme, step: int) -> tuple[Colour, Colour]:
    """Returns gold, silver or bronze, and the colour of the text on it."""
    if step == 1:
        return theme.award, "#12161a"
    return ("#c3cad1", "#12161a") if step == 2 else ("#a8662f", "#ffffff")


def _rim(face: Colour) -> Colour:
    """Returns a darker edge, so that a light colour is visible on a light ground."""
    return mix(face, "#000000", 0.55)


def _draw_step(pen: Pen, theme: Theme, step: int, left: int, base: int, *, is_reader: bool) -> None:
    face, _ = _metal(theme, step)
    top, right = base - _STEPS[step], left + _WIDE
    if is_reader:
        draw_framed(pen, theme, (left - 10, top - 10, right + 10, base + 10), 22)
    pen.panel((left, top, right, base), 16, _rim(face))
    pen.panel((left + 3, top + 3, right - 3, base - 3), 13, face)


def _write_step(
    sheet: Sheet, theme: Theme, step: int, stack: list[tuple[str, str, int]], middle: float, base: int
) -> None:
    top = base - _STEPS[step] - sum(high for _, _, high in stack)
    sizes = {"name": (_NAME, theme.ink, BOLD), "shared": (_SHARED, theme.ink, BOLD)}
    for kind, text, high in stack:
        y = top + high / 2
        if kind == "cup":
            sheet.put(cup(theme, _CUP), middle, top + _CUP / 2)
        elif kind == "medal":
            at = middle, top + _MEDAL / 2
            sheet.put(medal(theme, step, _MEDAL), *at)
            sheet.text(*at, text, 52, _metal(theme, step)[1], weight=BOLD)
        elif text:
            size, ink, weight = sizes.get(kind, (_POINTS, theme.faint, BOLD))
            sheet.text(middle, y, fitted(text, size, _WIDE, weight), size, ink, weight=weight)
        top += high
    _, ink = _metal(theme, step)
    sheet.text(middle, base - _STEPS[step] / 2, str(step), _NUMBER, ink, weight=BOLD)


def _write_other(sheet: Sheet, theme: Theme, place: PodiumPlace, number_room: int, middle: float) -> None:
    begin = LEFT + max(44, number_room)
    sheet.text(begin, middle, str(place.place), _OTHER, theme.faint, anchor="r", weight=BOLD)
    sheet.text(RIGHT, middle, place.points, _OTHER, theme.ink, anchor="r", weight=BOLD)
    room = RIGHT - width(place.points, _OTHER, BOLD) - GAP - begin - GAP
    draw_name(sheet, theme, begin + GAP, middle, called(place.name, place.place), _OTHER, room)


@lru_cache(maxsize=16)
def medal(theme: Theme, step: int, size: int) -> Image.Image:
    """Draws a disc in the colour of a step, with a dark rim."""
    pen, middle = Pen(size, size), size / 2
    face, _ = _metal(theme, step)
    pen.disc(middle, middle, middle, _rim(face))
    pen.disc(middle, middle, middle - 4, face)
    return pen.finish()


@lru_cache(maxsize=8)
def cup(theme: Theme, size: int) -> Image.Image:
    pen, unit = Pen(size, size), size / 100
    face, rim = theme.award, mix(theme.award, "#000000", 0.45)

    def at(*corners: tuple[float, float]) -> list[tuple[float, float]]:
        return [(x * unit, y * unit) for x, y in corners]

    for x in (24, 76):
        pen.ring(x * unit, 30 * unit, 17 * unit, 7 * unit, rim)
        pen.ring(x * unit, 30 * unit, 16 * unit, 5 * unit, face)
    bowl = [*bend((22, 8), (22, 42), (34, 58), (50, 60)), *bend((50, 60), (66, 58), (78, 42), (78, 8))]
    pen.shape(at(*bowl), rim)
    pen.shape(at(*((50 + (x - 50) * 0.94, 33 + (y - 33) * 0.94) for x, y in bowl)), face)
    pen.panel((45 * unit, 54 * unit, 55 * unit, 76 * unit), 1, rim)
    pen.panel((46.5 * unit, 54 * unit, 53.5 * unit, 76 * unit), 1, face)
    pen.panel((28 * unit, 74 * unit, 72 * unit, 92 * unit), 4, rim)
    pen.panel((29.5 * unit, 75.5 * unit, 70.5 * unit, 90.5 * unit), 3, face)
    return pen.finish()
