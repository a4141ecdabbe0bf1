"""The marks and arrows of the boards with points: what they show, and what they never cover."""

from io import BytesIO
from math import dist

import pytest
from harness.sheets import Record
from PIL import Image, ImageChops

from engine.core.game import Mark
from engine.games import abak
from render import registry
from render.canvas.arrows import DISC, Step
from render.canvas.marks import CHOSEN, LAST, choosable, ghost, outline, pill
from render.games import points, trails
from render.games.points import STONE, TALLEST, place
from render.theme import WOOD
from render.view import View


def marked(
    touched: tuple[Mark, ...], heights: dict[str, int], layer: str = LAST, before: str | None = "a position"
) -> Record:
    sheet = Record("backgammon")
    trails.draw_marks(sheet, WOOD, View(before=before), layer, touched, lambda cell: heights.get(cell, 0))
    return sheet


def arrows(touched: tuple[Mark, ...], heights: dict[str, int], *, planned: bool = False) -> list[Step]:
    def height(cell: str) -> int:
        return heights.get(cell, 0)

    steps = [mark for mark in touched if mark.to]
    return trails.trail(steps, trails.levels(steps, height, planned=planned), height, 0)


def moves(*ways: tuple[str, str]) -> tuple[Mark, ...]:
    """Returns the marks of steps from point to point."""
    return tuple(mark for cell, to in ways for mark in (Mark("from", cell, to), Mark("to", to)))


def test_a_move_is_ringed_where_it_ended_and_ghosted_where_it_began() -> None:
    sheet = marked(moves(("8", "5")), {"8": 2, "5": 1})
    assert sheet.places(outline(WOOD, LAST, STONE)) == [place("5", 0).at(0)]
    assert sheet.places(ghost(WOOD, LAST, STONE)) == [place("8", 0).at(2)]


def test_a_point_only_passed_is_not_marked() -> None:
    steps = moves(("13", "10"), ("10", "9"))
    sheet = marked(steps, {"9": 1, "10": 1, "13": 4})
    assert sheet.places(outline(WOOD, LAST, STONE)) == [place("9", 0).at(0)]
    assert sheet.places(ghost(WOOD, LAST, STONE)) == [place("13", 0).at(4)]


def test_several_stones_that_came_to_one_point_are_all_ringed() -> None:
    steps = (Mark("from", "14", "10"), Mark("from", "12", "10"), Mark("to", "10"), Mark("hit", "10", "bar1"))
    sheet = marked(steps, {"10": 2, "14": 0, "12": 0}, CHOSEN)
    assert sheet.places(outline(WOOD, CHOSEN, STONE)) == [place("10", 0).at(0), place("10", 0).at(1)]
    assert len(sheet.places(ghost(WOOD, CHOSEN, STONE))) == 2


def test_stones_borne_off_mark_the_number_of_the_tray() -> None:
    sheet = marked(moves(("6", "off0")), {"off0": 4})
    assert sheet.places(pill(WOOD, LAST, 64, 40)) == [points.tray_count(0, 0)]
    assert sheet.written == ["4"]


def test_a_plan_shows_where_stones_set_out_and_where_they_will_lie() -> None:
    steps = moves(("8", "5"), ("6", "5"))
    sheet = marked(steps, {"8": 3, "6": 5}, CHOSEN, before=None)
    assert set(sheet.places(outline(WOOD, CHOSEN, STONE))) == {place("8", 0).at(2), place("6", 0).at(4)}
    assert sheet.places(ghost(WOOD, CHOSEN, STONE)) == [place("5", 0).at(0), place("5", 0).at(1)]
    assert [step.end for step in arrows(steps, {"8": 3, "6": 5}, planned=True)] == [
        place("5", 0).at(0),
        place("5", 0).at(1),
    ]


def test_a_stone_that_enters_sets_out_from_its_own_place_on_the_bar() -> None:
    first, second = Mark("from", "bar0", "21", 0), Mark("from", "bar0", "22", 0)
    bar = place("bar0", 0)
    sheet = marked((first,), {"bar0": 2}, CHOSEN, before=None)
    assert sheet.places(outline(WOOD, CHOSEN, STONE)) == [bar.at(0)]
    for heights, planned in (({"bar0": 2}, True), ({"21": 1, "22": 1}, False)):
        lower, upper = arrows((first, second), heights, planned=planned)
        assert lower.start[1] > upper.start[1]
    (left,) = arrows((first,), {"bar0": 1, "21": 1})  # the other stone now stands at the first place
    assert left.start == bar.at(1)


def test_a_chosen_stone_is_ringed_before_its_target_is_chosen() -> None:
    sheet = marked((Mark("to", "8"),), {"8": 3}, CHOSEN, before=None)
    assert sheet.places(outline(WOOD, CHOSEN, STONE)) == [place("8", 0).at(2)]


def test_arrows_are_numbered_in_the_order_of_the_steps() -> None:
    steps = moves(("13", "10"), ("10", "9"))
    first, second = arrows(steps, {"9": 1, "13": 4})
    assert (first.label, second.label) == ("1", "2")
    assert (first.start, first.end) == (place("13", 0).at(4), place("10", 0).at(0))
    assert (second.start, second.end) == (place("10", 0).at(0), place("9", 0).at(0))
    assert arrows(steps[:2], {"10": 1, "13": 4})[0].label == ""


@pytest.mark.parametrize("planned", [True, False])
def test_equal_steps_are_one_arrow_that_says_how_many(planned: bool) -> None:
    steps = moves(("13", "10"), ("13", "10"), ("8", "5"), ("13", "10"))
    heights = {"13": 5, "10": 1, "8": 2} if planned else {"13": 2, "10": 4, "8": 1, "5": 1}
    several, one = arrows(steps, heights, planned=planned)
    assert (several.label, one.label) == (f"{trails.TIMES}3", "")
    assert several.end == place("10", 0).at(3)
    assert dist(several.start, place("13", 0).at(4)) <= STONE
    chain = arrows(moves(("24", "18"), ("18", "12"), ("24", "18"), ("18", "12")), {"24": 0, "12": 2})
    assert [step.label for step in chain] == [f"{trails.TIMES}2"] * 2


def test_numbers_of_stones_from_one_high_stack_stand_side_by_side() -> None:
    steps = moves(("6", "5"), ("6", "4"))
    first, second = arrows(steps, {"6": 9, "5": 1, "4": 1})
    assert abs(first.start[0] - second.start[0]) >= DISC * 0.7


@pytest.mark.parametrize("planned", [True, False])
def test_an_arrow_begins_at_the_rim_of_a_stone_that_lies_there(planned: bool) -> None:
    """So that a number never hides the class of a stone."""
    steps = moves(("8", "5"), ("13", "8"))
    heights = {"8": 3, "13": 2, "5": 0} if planned else {"8": 3, "13": 1, "5": 1}
    for step in arrows(steps, heights, planned=planned):
        for cell in ("8", "13"):
            count = heights[cell]
            for index in range(count):
                assert dist(step.start, place(cell, 0).at(index)) >= STONE / 2 + DISC / 2 - 5 or index < count - 1


def test_marks_of_high_stacks_stay_near_the_point() -> None:
    sheet = marked(moves(("6", "5")), {"6": 14, "5": 15})
    assert sheet.places(outline(WOOD, LAST, STONE)) == [place("5", 0).at(TALLEST - 1)]
    assert sheet.places(ghost(WOOD, LAST, STONE)) == [place("6", 0).at(TALLEST)]


def test_an_arrow_passes_over_the_columns_between_its_ends() -> None:
    """Towards the middle line, from either side; a straight one would cross the stones' classes."""
    steps = moves(("8", "2"))
    (over,) = arrows(steps, {"8": 1, "2": 1, "6": 4})
    (free,) = arrows(steps, {"8": 1, "2": 1, "9": 5, "1": 5, "19": 5})
    (back,) = arrows(moves(("2", "8")), {"8": 1, "2": 1, "6": 4})
    assert over.bow > STONE
    assert free.bow == 0
    assert back.bow < -STONE


@pytest.mark.parametrize("below", [0, 1])
def test_every_stone_on_the_bar_is_ringed_where_one_is_to_be_chosen(below: int) -> None:
    """They are of several kinds, and any may enter; but rings would hide stones that overlap."""
    for stones, ringed in (("G", 1), ("GK", 2), ("SGKD", 4), ("SSGKD", 1)):
        state = abak.GAME.decode(f"ABAKID=16/S/6/ss:{stones}:0:0:1:31:0:0:0:0:10")
        plain, marked = (
            Image.open(BytesIO(registry.fresh("abak", state, View(below=below, targets=targets)))).convert("RGB")
            for targets in ((), (("bar0", ""),))
        )
        box = ImageChops.difference(plain, marked).getbbox()
        assert box is not None
        ring = choosable(WOOD, points.STONE).width
        assert abs(box[2] - box[0] - ring) <= 4
        assert abs(box[3] - box[1] - (ring + (ringed - 1) * points.STEP)) <= 4
