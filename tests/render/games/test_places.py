"""Cells, dice, cubes and trays lie where players expect them, from either side, and can be seen on a phone."""

from dataclasses import replace
from importlib import import_module
from io import BytesIO

import pytest
from harness.sheets import Record
from PIL import Image, ImageChops

from engine.games import abak
from engine.games.abalone.board import CELLS
from engine.games.apb.board import NAMES
from engine.kits.xgid import NO_MATCH
from render import registry
from render.canvas.pieces import checker, die, pointer
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import BOLD, font
from render.games import abalone, apb, points
from render.games.classes import stone
from render.games.points import BOTTOM, MIDDLE, RIGHT, STONE, TALLEST, TOP, place
from render.registry import BOARDS
from render.theme import WOOD
from render.view import View


@pytest.mark.parametrize("below", [0, 1])
def test_the_lower_seats_home_is_at_the_lower_right(below: int) -> None:
    def own(point: int) -> points.Place:
        return place(str(point if below == 0 else 25 - point), below)

    assert RIGHT - STONE < own(1).x < RIGHT
    assert own(1).y > MIDDLE > own(24).y
    assert own(1).x == own(24).x
    assert own(12).x == own(13).x == min(own(point).x for point in range(1, 25))
    assert [own(point).x for point in range(1, 13)] == sorted((own(point).x for point in range(1, 13)), reverse=True)


@pytest.mark.parametrize("below", [0, 1])
def test_five_stones_stay_within_their_half(below: int) -> None:
    for cell in map(str, range(1, 25)):
        _, y = place(cell, below).at(TALLEST - 1)
        assert TOP + STONE / 2 <= y <= BOTTOM - STONE / 2
        assert abs(y - MIDDLE) > STONE / 2 + points.DIE / 2 - 24  # the dice have room


def test_a_seats_bar_is_opposite_its_home_and_its_tray_beside_it() -> None:
    for below in (0, 1):
        assert place(f"bar{below}", below).y < MIDDLE < place(f"off{below}", below).y
        assert place(f"off{1 - below}", below).y < MIDDLE < place(f"bar{1 - below}", below).y


def test_cells_of_the_other_boards_turn_round() -> None:
    assert abalone.spot("a1", 0)[1] > abalone.spot("i5", 0)[1]
    assert abalone.spot("e1", 0)[0] < abalone.spot("e9", 0)[0]
    assert apb.spot("a1", 0)[0] < apb.spot("i1", 0)[0]
    assert apb.spot("a1", 0)[1] > apb.spot("a12", 0)[1]
    for spot, cells in ((abalone.spot, CELLS), (apb.spot, NAMES)):
        found = {cell: (spot(cell, 0), spot(cell, 1)) for cell in cells}
        middles = {(round(a[0] + b[0], 3), round(a[1] + b[1], 3)) for a, b in found.values()}
        assert len(middles) == 1
        assert len({spots[0] for spots in found.values()}) == len(cells)


def test_neighbouring_marbles_touch_but_do_not_overlap() -> None:
    (x, y), (to_x, to_y) = abalone.spot("e5", 0), abalone.spot("f6", 0)
    assert abalone.STONE <= ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5 == pytest.approx(abalone.PITCH)


def test_ejected_marbles_lie_in_a_corner_and_apart() -> None:
    for below in (0, 1):
        spots = [abalone.rack(seat, below, index) for seat in (0, 1) for index in range(6)]
        assert len(set(spots)) == 12
        assert all(30 < x < WIDTH - 30 and 60 < y < abalone.HEIGHT - 60 for x, y in spots)
        assert abalone.rack(below, below, 0)[1] > abalone.HEIGHT / 2


def test_a1_is_a_light_cell() -> None:
    sheet = Sheet(BOARDS["apb"].ground(WOOD, 0))

    def brightness(cell: str, below: int) -> int:
        ground = BOARDS["apb"].ground(WOOD, below)
        return sum(ground.getpixel(tuple(map(round, apb.spot(cell, below)))))

    assert sheet.image.width == WIDTH
    for below in (0, 1):
        assert brightness("a1", below) > brightness("b1", below)
        assert brightness("a1", below) > brightness("a2", below)


@pytest.mark.parametrize("game", ["backgammon", "abak"])
def test_a_draft_keeps_the_dice_and_the_mover(game: str) -> None:
    """Until Confirm the dice of the turn are shown, the played ones pale; after it the opponent's strip is marked."""
    board = BOARDS[game]
    before, _ = board.samples()["start"]
    rules = import_module(f"engine.games.{game}").GAME
    state = before
    while rules.to_act(state) == rules.to_act(before):
        state = rules.apply(state, rules.legal(state)[0])

    def dice(view: View) -> int:
        sheet = Record("backgammon")
        board.paint(sheet, WOOD, state, view)
        pale = [id(die(WOOD, before.turn, number, points.DIE, used=True)) for number in (3, 1)]
        return sum(what in pale for what, *_ in sheet.put_at)

    def mover(view: View) -> float:
        sheet = Record("backgammon")
        board.paint(sheet, WOOD, state, view)
        return next(y for what, _, y in sheet.put_at if what == id(pointer(WOOD, 30)))

    assert dice(View()) == 0
    assert dice(View(before=before)) == 2
    assert mover(View(before=before)) == points.STRIPS[1]
    assert mover(View()) == points.STRIPS[0]


@pytest.mark.parametrize("game", ["backgammon", "abak"])
def test_the_dice_of_a_pass_lie_pale_before_who_passed(game: str) -> None:
    state, _ = BOARDS[game].samples()["start"]

    def drawn(view: View) -> list[tuple[int, float]]:
        sheet = Record("backgammon")
        BOARDS[game].paint(sheet, WOOD, state, view)
        pale = [id(die(WOOD, 1 - state.turn, number, points.DIE, used=True)) for number in (6, 5)]
        return [(pale.index(what), x) for what, x, _ in sheet.put_at if what in pale]

    assert drawn(View()) == []
    passed = drawn(View(passed=(1 - state.turn, (6, 5))))
    assert [number for number, _ in passed] == [0, 1]
    assert all((x < points.BAR) == (state.turn == 0) for _, x in passed)
    assert drawn(View(passed=(state.turn, (6, 5)))) == []  # the dice of the turn lie there


@pytest.mark.parametrize("below", [0, 1])
@pytest.mark.parametrize("game", ["backgammon", "abak"])
def test_an_owned_cube_lies_within_its_owners_tray_and_another_in_the_middle(game: str, below: int) -> None:
    """As the bot draws it from a game's own position, not from the function that puts the cube somewhere."""
    board = BOARDS[game]
    cells, _ = board.samples()["cube"]
    for taker, owner in (("0", None), ("1", 0), ("-1", 1)):
        fields = replace(cells.fields, cube="1" if owner is not None else "0", owner=taker)
        state, bare = cells._replace(fields=fields), cells._replace(fields=NO_MATCH)
        with_cube, without = (
            Image.open(BytesIO(registry.fresh(game, one, View(below=below)))).convert("RGB") for one in (state, bare)
        )
        box = ImageChops.difference(with_cube, without).getbbox()
        assert box is not None
        left, top, right, bottom = box
        assert points.TRAY_LEFT < left < right < points.TRAY_RIGHT
        lower = (BOTTOM - points.HALF, BOTTOM)
        upper = (TOP, TOP + points.HALF)
        if owner is None:
            assert upper[1] - 20 < top < MIDDLE < bottom < lower[0] + 20
        else:
            within = lower if owner == below else upper
            assert within[0] <= top < bottom <= within[1]


@pytest.mark.parametrize("game", ["backgammon", "abak"])
def test_stones_are_23_pixels_wide_on_a_phone_and_trays_are_seen_once_they_hold_one(game: str) -> None:
    """A phone's chat shows pictures 330 pixels wide."""
    assert STONE * 330 / WIDTH >= 23
    board = BOARDS[game]
    for name, filled in (("start", 0), ("late" if game == "abak" else "race", 2)):
        sheet = Record("backgammon")
        board.paint(sheet, WOOD, *board.samples()[name])
        assert len(sheet.places(points._well(WOOD))) == filled


def test_stones_borne_off_are_as_wide_as_checkers_and_all_within_the_tray() -> None:
    """Soldiers are one with their number; so there is room beside the cube, too."""
    wide = points.TRAY_RIGHT - points.TRAY_LEFT - 10
    for fields in ("0:0:-1:00", "1:1:-1:00", "1:-1:-1:00"):
        state = abak.GAME.decode(f"ABAKID=S/22/s:-:{fields}:0:0:1:0:10", {"cube": "on"})
        for below in (0, 1):
            sheet = Record("backgammon")
            BOARDS["abak"].paint(sheet, WOOD, state, View(below=below))
            ys = []
            for letter in "GKDEOgkdeo":
                places = sheet.places(stone(WOOD, letter, wide))
                assert len(places) == state.off[letter.islower()].count(letter)
                ys += [y for _, y in places]
            for seat in (0, 1):
                ((_, y),) = sheet.places(checker(WOOD, seat, wide, plain=True))
                ys.append(y)
                assert str(state.off[seat].upper().count("S")) in sheet.written
            assert len(set(ys)) == len(ys) > 10
            assert min(ys) - wide / 2 > TOP
            assert max(ys) + wide / 2 < BOTTOM


@pytest.mark.parametrize("game", ["backgammon", "abak"])
def test_digits_can_be_read_on_a_phone(game: str) -> None:
    """Nine pixels high, where a picture is 360 pixels wide; so are names, clocks and what is to be chosen."""
    board = BOARDS[game]
    for state, view in board.samples().values():
        sheet = Sizes()
        board.paint(sheet, WOOD, state, view)
        small = {text: size for text, size in sheet.sizes if digit_height(size) * 360 / WIDTH < 9}
        assert not small
    assert digit_height(points.NUMBER) * 360 / WIDTH >= 9


def digit_height(size: int) -> int:
    _, top, _, bottom = font(size, BOLD).getbbox("8")
    return bottom - top


class Sizes(Record):
    """A sheet that also remembers how large each text is."""

    def __init__(self) -> None:
        super().__init__("backgammon")
        self.sizes: list[tuple[str, int]] = []

    def text(self, x, y, text, size, *args, **rest) -> None:  # noqa: ANN001, ANN002, ANN003 - as the method that it wraps
        self.sizes.append((text, size))
        super().text(x, y, text, size, *args, **rest)
