"""Targets are marked unlike any piece, and pieces that may move unlike targets."""

import pytest
from harness.sheets import Record

from render.canvas.marks import DOT, REFUSED, badge, choosable, draw_target, refused
from render.theme import THEMES, Theme

SIZE = 72


@pytest.mark.parametrize("text", ["A", "12", DOT, REFUSED])
@pytest.mark.parametrize("held", [True, False])
def test_targets_are_squares_smaller_than_a_piece(text: str, held: bool) -> None:
    for theme in THEMES.values():
        sheet = Record("backgammon")
        draw_target(sheet, theme, (500, 500), text, SIZE, held=held, name="e10")
        layer = sheet.layers[0]
        wide = layer.drawn.width
        made = refused(theme, wide) if text == REFUSED else badge(theme, wide)
        assert layer.drawn is made
        assert SIZE * 0.5 <= wide <= SIZE * 0.85
        assert made.getchannel("A").getpixel((wide // 10, wide // 10)) == 255  # no disc has anything there


def test_what_may_move_has_a_ring_outside_its_rim() -> None:
    for theme in THEMES.values():
        ring = choosable(theme, SIZE).getchannel("A")
        middle = ring.width // 2
        covered = [at for at in range(ring.width) if ring.getpixel((at, middle))]
        assert min(abs(at + 0.5 - ring.width / 2) for at in covered) >= SIZE / 2 - 1


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
def test_targets_have_the_colour_of_no_class(theme: Theme) -> None:
    red, green, blue = (int(theme.target[at : at + 2], 16) for at in (1, 3, 5))
    assert abs(green - blue) < 20 > red  # between green and blue, and dark
    assert theme.target not in {colour for pair in theme.classes for colour in pair}
