"""The legend of a game's pieces: each row has its pieces in its middle, side by side."""

from PIL import Image, ImageColor

from render.canvas.legend import PIECE, LegendRow, draw_legend
from render.theme import THEMES
from render.view import DEFAULT_THEME

COLOURS = ("#ff0000", "#00ff00", "#0000ff")


def middle_of(colour: str, picture: Image.Image) -> float:
    """Returns the height of the middle of what has this colour."""
    wanted, near = ImageColor.getrgb(colour), range(picture.width // 4)
    rows = [y for y in range(picture.height) if any(picture.getpixel((x, y)) == wanted for x in near)]
    assert len(rows) == PIECE
    return (rows[0] + rows[-1] + 1) / 2


def test_the_rows_stand_in_the_middle_of_the_picture_at_equal_distances() -> None:
    rows = [LegendRow((Image.new("RGBA", (PIECE, PIECE), one),), "name", "what it does") for one in COLOURS]
    picture = draw_legend(THEMES[DEFAULT_THEME], rows)
    first, second, third = (middle_of(one, picture) for one in COLOURS)
    assert second == picture.height / 2
    assert second - first == third - second > PIECE


def test_the_pieces_of_both_sides_stand_side_by_side() -> None:
    pieces = tuple(Image.new("RGBA", (PIECE, PIECE), one) for one in COLOURS[:2])
    picture = draw_legend(THEMES[DEFAULT_THEME], [LegendRow(pieces, "name", "what it does")])
    counts = {colour: count for count, colour in picture.getcolors(picture.width * picture.height) or []}
    assert [counts[ImageColor.getrgb(one)] for one in COLOURS[:2]] == [PIECE * PIECE] * 2
