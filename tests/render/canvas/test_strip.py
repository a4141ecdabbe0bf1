"""Tests the strips about the players beside or above a board."""

from dataclasses import replace

import pytest
from PIL import Image

from render import registry
from render.canvas.pen import ink
from render.canvas.pieces import dial
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.strip import DIAL
from render.canvas.text import width
from render.registry import BOARDS
from render.theme import WOOD
from render.view import View

GAMES = pytest.mark.parametrize("game", BOARDS)


class Record(Sheet):
    """A sheet that also remembers its sprites and texts."""

    def __init__(self) -> None:
        super().__init__(Image.new("RGB", (WIDTH, 1100)))
        self.sprites: list[int] = []
        self.written: list[tuple[float, str, int]] = []

    def put(self, sprite, x, y) -> None:  # noqa: ANN001 - as the method that it wraps
        self.sprites.append(id(sprite))
        super().put(sprite, x, y)

    def text(self, x, y, text, size, *args, **rest) -> None:  # noqa: ANN001, ANN002, ANN003 - as the method that it wraps
        self.written.append((x, text, size))
        super().text(x, y, text, size, *args, **rest)


def painted(game: str, **wishes: object) -> Record:
    state, _ = BOARDS[game].samples()["middle"]
    sheet = Record()
    BOARDS[game].paint(sheet, WOOD, state, replace(View(names=("Ana", "Bea"), clocks=("3 d", "2 d")), **wishes))
    return sheet


@GAMES
@pytest.mark.parametrize("stopped", [(False, False), (True, False), (False, True), (True, True)])
def test_a_clock_that_stands_still_has_a_sign_of_its_own(game: str, stopped: tuple[bool, bool]) -> None:
    sheet = painted(game, stopped=stopped)
    signs = {id(dial(WOOD, DIAL, stopped=still)): still for still in (True, False)}
    assert [signs[sign] for sign in sheet.sprites if sign in signs] == list(stopped)
    assert not signs.keys() & set(painted(game, stopped=stopped, clocks=("", "")).sprites)


@pytest.mark.parametrize("game", ["abak", "backgammon"])
def test_pips_are_named_in_words_if_the_view_has_them(game: str) -> None:
    told = [text for _, text, _ in painted(game, counts=("194 pips", "1 pip")).written]
    assert {"194 pips", "1 pip"} <= set(told)
    bare = {text for _, text, _ in painted(game).written}
    assert {
        str(note.params["n"]) for note in registry.counts(game, BOARDS[game].samples()["middle"].state) or ()
    } <= bare


@pytest.mark.parametrize("clock", ["", "3 d"])
@GAMES
def test_a_long_name_leaves_everything_else_its_room(game: str, clock: str) -> None:
    long = "Bartholomew the Second of Nowhere and Everywhere" * 2
    sheet = painted(game, names=(long, long), clocks=(clock, clock))
    names = [(x, text, size) for x, text, size in sheet.written if text.startswith("Bart")]
    assert len(names) == 2
    right = WIDTH - 30 - 60 * bool(clock)
    for x, text, size in names:
        assert text.endswith("…")
        assert x + width(text, size) <= right


def test_a_stopped_clock_is_filled_and_has_two_bars() -> None:
    """A running one is an empty ring with hands."""
    size = 40
    stopped, running = (dial(WOOD, size, stopped=stopped) for stopped in (True, False))
    left, bar = (size // 6, size // 2), (round(size * 0.35), size // 2)
    assert stopped.getpixel(left) == (*ink(WOOD.ink)[:3], 255)
    assert stopped.getpixel(bar) == (*ink(WOOD.frame)[:3], 255)
    assert running.getpixel(left)[3] == 0
