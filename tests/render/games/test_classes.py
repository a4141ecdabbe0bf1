"""The classes of Abak's stones, and its prisoners."""

import pytest
from PIL import Image, ImageChops

from render.games.classes import cage, stone, trapped
from render.games.points import STONE
from render.theme import THEMES


@pytest.mark.parametrize(
    ("column", "caught"),
    [("", ""), ("S", "-"), ("sD", "x-"), ("sDS", "x--"), ("sDd", "xx-"), ("SGS", "---"), ("SdD", "xx-")],
)
def test_prisoners_are_those_below_an_enemy_stone(column: str, caught: str) -> None:
    assert trapped(column) == tuple(sign == "x" for sign in caught)


def test_prisoners_keep_their_class_and_colours_between_the_bars() -> None:
    for theme in THEMES.values():
        for letter in "SGKDEOsgkdeo":
            caged, inner = cage(theme, letter, STONE), stone(theme, letter, round(STONE * 0.74))
            left, top = (caged.width - inner.width) // 2, (caged.height - inner.height) // 2
            shown = caged.crop((left, top, left + inner.width, top + inner.height))
            solid = inner.getchannel("A").point([0] * 255 + [255])
            plain, under = (Image.new("RGB", inner.size) for _ in range(2))
            plain.paste(inner.convert("RGB"), (0, 0), solid)
            under.paste(shown.convert("RGB"), (0, 0), solid)
            assert ImageChops.difference(plain, under).getbbox() is None
