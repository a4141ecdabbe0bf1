"""A picture that is put together from kept parts is the picture, byte for byte and pixel for pixel."""

from io import BytesIO
from random import Random
from struct import unpack
from zlib import adler32, decompress

import pytest
from PIL import Image, ImageChops

from render import registry
from render.canvas.encoding.bands import BAND, Ground, Shelf, _joined, ground_of, in_numbers, new_ground, png
from render.canvas.encoding.colours import Colours
from render.canvas.pen import HARD, Pen, faded
from render.canvas.sheet import Sheet, palette_of, reduced
from render.registry import BOARDS
from render.theme import WOOD

ROOM = 10_000_000
SAMPLES = [(game, name) for game, board in BOARDS.items() for name in board.samples()]

samples = pytest.mark.parametrize(("game", "name"), SAMPLES, ids=["-".join(case) for case in SAMPLES])


def shelf() -> Shelf:
    return Shelf(ROOM, ROOM)


def sheet_of(game: str, name: str) -> tuple[Sheet, Ground]:
    state, view = BOARDS[game].samples()[name]
    return registry._sheet(game, WOOD, state, view), registry._ground(game, WOOD, view.below)


def plain(high: int = 3 * BAND + 7) -> Ground:
    """A green board."""
    image = Image.new("RGB", (150, high), "#204020")
    image.paste("#80a080", (30, 30, 120, high - 30))
    stones = [dot(colour).convert("RGB") for colour in ("#ff0000", "#0000ff")]
    palette = palette_of([image, *stones], ("#204020", "#ff0000", "#0000ff"), 16)
    return ground_of(image, Colours(palette)).unpack()


def dot(colour: str, size: int = 40) -> Image.Image:
    pen = Pen(size, size)
    pen.disc(size / 2, size / 2, size / 2, colour)
    return pen.finish()


def difference(data: bytes, sheet: Sheet, ground: Ground) -> Image.Image:
    """Between a picture and what reducing the whole sheet at once would make."""
    whole = reduced(sheet.image, ground.colours.palette).convert("RGB")
    return ImageChops.difference(Image.open(BytesIO(data)).convert("RGB"), whole)


def differs(data: bytes, sheet: Sheet, ground: Ground) -> bool:
    """``reduced`` compares six bits of a channel, and may take a neighbour of a colour that the palette has."""
    return max(high for _, high in difference(data, sheet, ground).getextrema()) > 8


def chunks(data: bytes) -> dict[bytes, bytes]:
    found, place = {}, 8
    while place < len(data):
        (length,) = unpack(">I", data[place : place + 4])
        found[data[place + 4 : place + 8]] = data[place + 8 : place + 8 + length]
        place += length + 12
    return found


@samples
def test_a_picture_shows_what_its_whole_sheet_reduced_at_once_would(game: str, name: str) -> None:
    sheet, ground = sheet_of(game, name)
    assert not differs(png(sheet, ground, shelf()), sheet, ground)


@samples
def test_the_rows_are_whole_and_all_but_the_first_of_a_band_are_filtered(game: str, name: str) -> None:
    sheet, ground = sheet_of(game, name)
    found = chunks(png(sheet, ground, shelf()))
    assert list(found) == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    wide, high = ground.size
    rows = decompress(found[b"IDAT"])  # judges the sum of all bands
    assert len(rows) == (wide + 1) * high
    lines = [rows[start : start + wide + 1] for start in range(0, len(rows), wide + 1)]
    assert [line[0] for line in lines] == [2 if row % BAND else 0 for row in range(high)]


@pytest.mark.parametrize("game", BOARDS)
def test_what_other_pictures_have_left_changes_nothing(game: str) -> None:
    made = {name: sheet_of(game, name) for name in BOARDS[game].samples()}
    alone = {name: png(*each, shelf()) for name, each in made.items()}
    common, tight = shelf(), Shelf(20_000, 20_000)
    for names in (list(made), list(reversed(made))):
        for name in names:
            assert png(*made[name], common) == alone[name]
            assert png(*made[name], tight) == alone[name]


def test_a_second_picture_makes_only_the_bands_that_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    ground, kept, stone = plain(), shelf(), dot("#ff0000")
    made: list[int] = []
    put = kept.bands.put
    monkeypatch.setattr(kept.bands, "put", lambda *given: (made.append(given[0][0]), put(*given)))
    for y in (BAND / 2, BAND * 2.5, BAND / 2):
        sheet = Sheet(ground.image)
        sheet.put(stone, 75, y)
        png(sheet, ground, kept)
    assert made == [0, 1, 2, 3, 0, 2]


def test_a_quick_picture_has_the_small_bands_that_are_there() -> None:
    ground, kept = plain(), shelf()
    sheet = Sheet(ground.image)
    sheet.put(dot("#ff0000"), 75, 60)
    alone = png(sheet, ground, shelf(), quick=True)
    small = png(sheet, ground, kept)
    assert png(sheet, ground, kept, quick=True) == small != alone


def test_a_picture_with_more_colours_than_there_are_numbers_is_the_same() -> None:
    ground, kept = plain(), shelf()
    photo = Image.new("RGBA", (40, 40))
    photo.putdata([(number % 256, number // 8, 90, 255) for number in range(1600)])
    sheet = Sheet(ground.image)
    sheet.put(dot("#ff0000"), 75, 30)
    sheet.put(photo, 80, 40)
    sheet.text(80, 40, "8", 30, "#0000ff")
    assert not differs(png(sheet, ground, kept), sheet, ground)
    plainer = Sheet(ground.image)
    plainer.put(dot("#0000ff"), 75, 60)
    assert not differs(png(plainer, ground, kept), plainer, ground)


@pytest.mark.parametrize("colours", [1, 1600])
def test_a_picture_can_be_the_ground_of_another(colours: int) -> None:
    ground, kept = plain(), shelf()
    photo = Image.new("RGBA", (40, 40))
    photo.putdata([(number % colours % 256, number % colours // 8, 90, 255) for number in range(1600)])
    sheet = Sheet(ground.image)
    sheet.put(photo, 80, 40)
    sheet.text(80, 40, "8", 30, "#0000ff", edges=HARD)
    other = new_ground(in_numbers(sheet, ground, kept), ground.colours)
    assert other.size == ground.size
    assert not differs(png(Sheet(other.image), other, kept), sheet, ground)


def test_what_is_below_the_half_transparent_shows_through_however_often() -> None:
    ground, kept = registry._ground("abak", WOOD, 0), shelf()
    for times in (1, 2, 4):
        sheet = Sheet(ground.image)
        for number in range(times):
            sheet.put(faded(dot(WOOD.black.face), 0.3), 200 + 3 * number, 200)
        sheet.text(215, 200, "8", 30, WOOD.white.ink)
        most = max(high for _, high in difference(png(sheet, ground, kept), sheet, ground).getextrema())
        assert most < (8 if times == 1 else 24)  # of 255


def test_what_reaches_beyond_the_edges_is_cut_off() -> None:
    ground, kept = plain(), shelf()
    for x, y in ((3, 60), (147, 60), (75, 2), (75, ground.size[1] - 2), (0, 0), (-60, 60), (75, -60), (75, 400)):
        sheet = Sheet(ground.image)
        sheet.put(dot("#ff0000"), x, y)
        sheet.text(x, y, "8", 30, "#0000ff")
        data = png(sheet, ground, kept)
        assert not differs(data, sheet, ground)
        assert set(decompress(chunks(data)[b"IDAT"])[:: ground.size[0] + 1]) == {0, 2}


def test_a_new_sprite_is_never_taken_for_one_that_is_gone() -> None:
    """A new sprite may lie where the old one was in memory."""
    ground, kept = plain(), shelf()
    for number in range(60):
        sheet = Sheet(ground.image)
        sheet.put(dot(("#ff0000", "#0000ff")[number % 2]), 75, 60)
        assert not differs(png(sheet, ground, kept), sheet, ground)
        del sheet


def test_the_upper_of_two_layers_hides_the_lower() -> None:
    ground, kept, red, blue = plain(), shelf(), dot("#ff0000"), dot("#0000ff", 50)
    for order in ((red, blue), (blue, red), (red, blue)):
        sheet = Sheet(ground.image)
        for sprite in order:
            sheet.put(sprite, 75, 60)
        sheet.put(Image.new("RGBA", (9, 9), "#ff0000"), 104.5, 64.5)
        assert not differs(png(sheet, ground, kept), sheet, ground)


def test_sums_of_pieces_join_to_the_sum_of_the_whole() -> None:
    luck = Random(1)
    for _ in range(200):
        first, second = (luck.randbytes(luck.choice((0, 1, 50, 70_000))) for _ in range(2))
        assert _joined(adler32(first), adler32(second), len(second)) == adler32(first + second)
