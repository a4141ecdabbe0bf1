"""A large panel, of which only the corners are drawn large, is the one that is drawn large as a whole."""

import pytest
from PIL import ImageChops, ImageDraw

from render.canvas.pen import Pen

CLEAR = "#33669980"


def drawn_whole(pen: Pen, box: tuple[float, float, float, float], radius: float, colour: str) -> None:
    """Draws a panel by the way that every other shape goes."""

    def draw(mask: ImageDraw.ImageDraw, at: tuple[float, float, float, float], _: object) -> None:
        mask.rounded_rectangle(at, radius * pen.scale, fill=255)

    pen._put(box, colour, draw)


@pytest.mark.parametrize("ground", [None, "#203040"], ids=["clear", "solid"])
@pytest.mark.parametrize("radius", [0, 3, 7.5, 18])
@pytest.mark.parametrize("colour", ["#cc8844", CLEAR])
@pytest.mark.parametrize(
    "box", [(0, 0, 120, 90), (5, 7, 99, 61), (-20, -10, 60, 300), (4.5, 3.0, 80.25, 70.0), (10, 10, 50, 52)]
)
def test_a_panel_is_the_same_whichever_way_it_is_drawn(
    ground: str | None, radius: float, colour: str, box: tuple[float, float, float, float]
) -> None:
    one, other = Pen(120, 90, ground), Pen(120, 90, ground)
    one.panel(box, radius, colour)
    drawn_whole(other, box, radius, colour)
    assert ImageChops.difference(one.finish(), other.finish()).getbbox(alpha_only=False) is None
