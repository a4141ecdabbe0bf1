"""Every theme can be told apart by people who see colours differently, and read by people who see little."""

from itertools import combinations

import pytest
from PIL import Image, ImageChops

from render.canvas.marks import CHOSEN, LAST, casing, colour_of
from render.canvas.pen import ink
from render.games.classes import ORDER, stone
from render.games.points import STONE, tones
from render.theme import RESULT_INKS, RESULTS, THEMES, Colour, Theme

LEAST_DISTANCE = 15
"""CIELAB difference (1976) that two colours of different meaning keep."""
LEAST_UNLIKE = 0.2
"""The share of a symbol's pixels in which it differs from any other class's."""
PLAIN = 49
"""A difference in brightness of so much, out of 255, is plain."""
PHONE = 14
"""The middle of a stone, in pixels of a phone's chat."""
LEAST_CONTRAST = 4.5
"""WCAG 2.1, level AA, for text."""

SIGHTS = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB."""


def linear(colour: Colour) -> tuple[float, ...]:
    parts = (value / 255 for value in ink(colour)[:3])
    return tuple(part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)


def lab(light: tuple[float, ...]) -> tuple[float, float, float]:
    red, green, blue = (min(1.0, max(0.0, part)) for part in light)
    x = (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047
    y = 0.2126729 * red + 0.7151522 * green + 0.0721750 * blue
    z = (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883
    f, g, h = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in (x, y, z))
    return 116 * g - 16, 500 * (f - g), 200 * (g - h)


def seen(colour: Colour, sight: str) -> tuple[float, float, float]:
    light = linear(colour)
    return lab(tuple(sum(a * b for a, b in zip(row, light, strict=True)) for row in SIGHTS[sight]))


def distance(first: Colour, second: Colour, sight: str) -> float:
    pairs = zip(seen(first, sight), seen(second, sight), strict=True)
    return sum((a - b) ** 2 for a, b in pairs) ** 0.5


def contrast(first: Colour, second: Colour) -> float:
    bright, dark = sorted((0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in map(linear, (first, second))))[::-1]
    return (bright + 0.05) / (dark + 0.05)


def blur(pairs: list[tuple[Colour, Colour]], sight: str) -> dict[tuple[Colour, Colour], float]:
    """Returns the pairs that come too near to one another."""
    found = {pair: distance(*pair, sight) for pair in pairs}
    return {pair: round(apart, 1) for pair, apart in found.items() if apart < LEAST_DISTANCE}


themes = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
sights = pytest.mark.parametrize("sight", SIGHTS)


@pytest.mark.parametrize(
    ("colour", "known"),
    [
        ("#ffffff", (100.0, 0.0, 0.0)),
        ("#ff0000", (53.24, 80.09, 67.20)),
        ("#00ff00", (87.73, -86.18, 83.18)),
        ("#0000ff", (32.30, 79.19, -107.86)),
    ],
)
def test_the_measure_agrees_with_known_figures(colour: Colour, known: tuple[float, float, float]) -> None:
    assert seen(colour, "all cones") == pytest.approx(known, abs=0.02)


def test_the_measure_finds_colours_that_are_confused() -> None:
    assert blur([("#8a6d3b", "#5f7d3b")], "deuteranopia")
    assert not blur([("#8a6d3b", "#5f7d3b")], "all cones")


@themes
@sights
def test_sides_and_marks_are_told_apart(theme: Theme, sight: str) -> None:
    meant = (theme.white.face, theme.black.face, theme.last, theme.chosen, theme.hit, theme.target)
    assert not blur(list(combinations(meant, 2)), sight)


@sights
def test_results_are_told_apart_by_every_sight_and_from_the_sides(sight: str) -> None:
    for one, other in combinations(RESULTS, 2):
        assert distance(one, other, sight) > 25
    for theme in THEMES.values():
        assert not blur([(colour, side.face) for colour in RESULTS for side in theme.sides()], sight)
    assert all(contrast(*pair) >= 4.5 for pair in zip(RESULTS, RESULT_INKS, strict=True))


@themes
@sights
def test_stones_stand_out_from_every_ground(theme: Theme, sight: str) -> None:
    grounds = (theme.field, theme.even, theme.odd, theme.frame_light, *tones(theme))
    pairs = [(side.face, ground) for side in theme.sides() for ground in grounds]
    weak = blur(pairs, sight)
    # where a face is near its ground, its rim is not
    rims = {side.face: side.edge for side in theme.sides()}
    assert not blur([(rims[face], ground) for face, ground in weak], sight)


@themes
@sights
def test_light_stones_stand_out_from_the_points_plainly(theme: Theme, sight: str) -> None:
    for ground in (theme.field, *tones(theme)):
        assert distance(theme.white.face, ground, sight) >= 19
        assert contrast(theme.white.face, ground) >= 1.6


@themes
@sights
def test_marks_stand_out_from_their_casing_and_it_from_every_ground(theme: Theme, sight: str) -> None:
    grounds = (theme.field, theme.even, theme.odd, theme.well)
    for layer in (LAST, CHOSEN):
        mark, line = colour_of(theme, layer), casing(theme, layer)
        assert not blur([(mark, line)], sight)
        weak = blur([(mark, ground) for ground in grounds], sight)
        assert not blur([(line, ground) for _, ground in weak], sight)


@themes
@sights
def test_targets_stand_out(theme: Theme, sight: str) -> None:
    grounds = (theme.field, theme.even, theme.odd, theme.well)
    assert not blur([(theme.target, theme.target_ink)], sight)
    weak = blur([(theme.target, ground) for ground in grounds], sight)
    assert not blur([(theme.target_ink, ground) for _, ground in weak], sight)


@themes
@sights
def test_hits_stand_out(theme: Theme, sight: str) -> None:
    grounds = (theme.field, theme.even, theme.odd, theme.well, theme.frame, theme.white.face, theme.black.face)
    assert not blur([(theme.hit, "#ffffff")], sight)
    weak = blur([(theme.hit, ground) for ground in grounds], sight)
    assert not blur([("#ffffff", ground) for _, ground in weak], sight)  # the line around them


@themes
@sights
def test_classes_stand_out_from_their_stone(theme: Theme, sight: str) -> None:
    assert len(theme.classes) == len(ORDER)
    pairs = [(colour, side.face) for pair in theme.classes for colour, side in zip(pair, theme.sides(), strict=True)]
    assert not blur(pairs, sight)


@themes
def test_text_is_read(theme: Theme) -> None:
    pairs = {
        "strip": (theme.ink, theme.frame),
        "strip of the side to move": (theme.ink, theme.active),
        "coordinates": (theme.faint, theme.frame),
        "target": (theme.target_ink, theme.target),
        "on white": (theme.white.ink, theme.white.face),
        "on black": (theme.black.ink, theme.black.face),
        "on the last play": (casing(theme, LAST), theme.last),
        "on the draft": (casing(theme, CHOSEN), theme.chosen),
    }
    weak = {name: round(contrast(*pair), 2) for name, pair in pairs.items() if contrast(*pair) < LEAST_CONTRAST}
    assert not weak


@themes
def test_symbols_on_stones_are_seen(theme: Theme) -> None:
    for pair in theme.classes:
        for colour, side in zip(pair, theme.sides(), strict=True):
            assert contrast(colour, side.face) >= 3, colour  # WCAG 2.1, graphical objects


def grey(theme: Theme, letter: str) -> Image.Image:
    """Returns the middle of a stone without colour, as large as on a phone."""
    made = stone(theme, letter, STONE)
    ground = Image.new("RGB", made.size, theme.field)
    ground.paste(made, (0, 0), made)
    middle, half = made.width // 2, 21
    cut = ground.convert("L").crop((middle - half, middle - half, middle + half, middle + half))
    return cut.resize((PHONE, PHONE), Image.Resampling.BOX)


def unlike(first: Image.Image, second: Image.Image) -> float:
    """Returns the share of pixels that plainly differ."""
    return sum(ImageChops.difference(first, second).histogram()[PLAIN:]) / PHONE**2


@themes
@pytest.mark.parametrize("stones", ["SGKDEO", "sgkdeo"])
def test_classes_are_told_apart_without_colour(theme: Theme, stones: str) -> None:
    alike = {
        first + second: unlike(grey(theme, first), grey(theme, second)) for first, second in combinations(stones, 2)
    }
    assert min(alike.values()) >= LEAST_UNLIKE, alike


@themes
def test_sides_are_told_apart_without_colour(theme: Theme) -> None:
    for letter in "SGKDEO":
        assert unlike(grey(theme, letter), grey(theme, letter.lower())) > 0.5
