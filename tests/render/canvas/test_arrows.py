"""Numbered arrows show where every step of a play went, at little cost."""

from math import hypot, prod

import pytest
from harness.examples import examples
from harness.thinning import one_of
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from render.canvas.arrows import DISC, Step, _arrow, _line, draw_steps
from render.canvas.marks import CHOSEN, LAST, casing, colour_of
from render.canvas.pen import ink
from render.canvas.sheet import Sheet
from render.theme import THEMES, WOOD, Theme

GREEN = "#00ff00"
far = st.integers(-900, 900)


def sheet() -> Sheet:
    return Sheet(Image.new("RGB", (1000, 800), GREEN))


@examples(40)
@given(across=far, down=far, bow=st.integers(-80, 80))
def test_an_arrow_is_drawn_all_along_its_line(across: int, down: int, bow: int) -> None:
    if hypot(across, down) < 60:
        return
    line = _line(across, down, bow)
    tiles = [(tile, tile.line) for tile in _arrow(6, across, down, bow, 0)]
    for x, y in line[1:-2]:
        shown = [
            mask.getpixel((int(x - tile.x + mask.width / 2), int(y - tile.y + mask.height / 2)))
            for tile, mask in tiles
            if abs(x - tile.x) < mask.width / 2 - 1 and abs(y - tile.y) < mask.height / 2 - 1
        ]
        assert not shown or 255 in shown
    top, bottom = (edge(tile.y for tile, _ in tiles) for edge in (min, max))
    assert bottom - top <= abs(down) + 2 * abs(bow) + 60


def test_a_long_arrow_takes_few_pixels() -> None:
    assert sum(prod(tile.line.size) for tile in _arrow(6, 900, 700, 0, 0)) < 900 * 700 / 5


@one_of("theme", THEMES.values(), ids=THEMES.keys())
@pytest.mark.parametrize("layer", [LAST, CHOSEN])
def test_a_line_is_three_pixels_wide_on_a_phone(theme: Theme, layer: str) -> None:
    drawn = sheet()
    draw_steps(drawn, theme, layer, [Step((100, 400), (900, 400))])
    colour = ink(colour_of(theme, layer))[:3]
    assert sum(drawn.image.getpixel((500, y)) == colour for y in range(800)) >= 3 * 3


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
@pytest.mark.parametrize("layer", [LAST, CHOSEN])
def test_no_arrow_covers_a_number(theme: Theme, layer: str) -> None:
    crossed = sheet()
    draw_steps(crossed, theme, layer, [Step((500, 400), (800, 400), "1"), Step((500, 600), (500, 200), "2")])
    alone = sheet()
    draw_steps(alone, theme, layer, [Step((500, 400), (800, 400), "1")])
    box = (500 - DISC // 2 + 6, 400 - DISC // 2 + 6, 500 + DISC // 2 - 6, 400 + DISC // 2 - 6)
    assert crossed.image.crop(box).tobytes() == alone.image.crop(box).tobytes()
    inks = {colour for _, colour in alone.image.crop(box).getcolors(10_000) or ()}
    assert {ink(casing(theme, layer))[:3], ink(colour_of(theme, layer))[:3]} <= inks


def test_an_arrow_ends_before_a_piece_and_none_is_drawn_inside_one() -> None:
    drawn = sheet()
    draw_steps(drawn, WOOD, LAST, [Step((100, 400), (500, 400))], short=60)
    assert max(layer.right for layer in drawn.layers) <= 445
    empty = sheet()
    draw_steps(empty, WOOD, LAST, [Step((100, 400), (130, 400))], short=60)
    assert not empty.layers
