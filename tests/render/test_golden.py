"""The samples of every board look as they looked when somebody last looked at them.

Pictures are compared by pixels, with a tolerance for differences between builds of the imaging library. After a
change that is meant, run with ``GOLDEN=write``, look at the pictures in tests/golden/pictures, and commit them.
"""

import os
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from render.registry import BOARDS, fresh
from render.theme import THEMES, WOOD

GOLDEN = Path(__file__).parents[1] / "golden" / "pictures"
FAINT = 24
"""A difference of so much in a channel, out of 255, does not count."""
ALLOWED = 0.0001
"""The share of pixels that may differ by more."""
MOST_BYTES = 30_000
"""The size of a new board."""
SMALL = ("abak", "backgammon")
"""The games whose samples are all no larger."""

CASES = [
    (game, name, theme)
    for game, board in BOARDS.items()
    for name in board.samples()
    for theme in THEMES
    if theme == WOOD.name or name in {"middle", "draft"}
]


def read(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


def fault(actual: Image.Image, golden: Image.Image) -> str:
    """Returns the difference between two pictures in words; nothing if they look alike."""
    if actual.size != golden.size:
        return f"is {actual.size}, was {golden.size}"
    bands = ImageChops.difference(actual, golden).split()
    most = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    differing = sum(most.histogram()[FAINT + 1 :])
    if differing <= ALLOWED * actual.width * actual.height:
        return ""
    box = most.point([0] * (FAINT + 1) + [255] * (255 - FAINT)).getbbox()
    return f"{differing} pixels differ, within {box}"


@pytest.mark.parametrize(("game", "name", "theme"), CASES, ids=["-".join(case) for case in CASES])
def test_boards_look_as_before(game: str, name: str, theme: str) -> None:
    state, view = BOARDS[game].samples()[name]
    data = fresh(game, state, replace(view, theme=theme))
    assert game not in SMALL or len(data) <= MOST_BYTES
    path = GOLDEN / f"{game}-{name}-{theme}.png"
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    assert path.exists(), f"{path.name} is not there: run with GOLDEN=write and look at it"
    differs = fault(read(data), read(path.read_bytes()))
    actual = GOLDEN / "actual" / path.name
    if differs:
        actual.parent.mkdir(exist_ok=True)
        actual.write_bytes(data)
    else:
        actual.unlink(missing_ok=True)
    assert not differs, f"{path.name}: {differs}; see actual/{path.name} beside it"


def test_no_golden_picture_is_left_over() -> None:
    known = {f"{'-'.join(case)}.png" for case in CASES}
    assert {path.name for path in GOLDEN.glob("*.png")} == known


def test_a_difference_is_found_and_a_faint_one_forgiven() -> None:
    golden = Image.new("RGB", (100, 100), "#808080")
    assert not fault(Image.new("RGB", (100, 100), "#8a8080"), golden)
    assert "differ" in fault(Image.new("RGB", (100, 100), "#c08080"), golden)
    assert "was" in fault(Image.new("RGB", (90, 100), "#808080"), golden)
    spot = golden.copy()
    spot.paste("#000000", (10, 10, 20, 20))
    assert fault(spot, golden) == "100 pixels differ, within (10, 10, 20, 20)"
