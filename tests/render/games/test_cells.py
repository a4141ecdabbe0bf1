"""The arrows, marks and labels of Abalone and APB: what they show, and what they never cover."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from harness.sheets import Record
from harness.thinning import in_number, one_of

from engine.core.game import Mark
from engine.games.abalone.board import CELLS
from engine.games.apb.board import NAMES
from render.canvas.arrows import Step
from render.canvas.marks import DOT, LAST, choosable, outline
from render.canvas.pen import ink
from render.canvas.pieces import pointer
from render.canvas.sheet import WIDTH, Sheet
from render.games import abalone, apb
from render.registry import BOARDS
from render.theme import WOOD
from render.view import View


def leaving() -> Iterator[tuple[Mark, ...]]:
    """Yields the marks of a push off the board in every direction from every cell."""
    for cell in CELLS:
        row, number = abalone.ROWS.index(cell[0]), int(cell[1])
        for up, along in ((0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1)):
            back, beyond = (f"{'_abcdefghi_'[row + 1 + to * up]}{number + to * along}" for to in (-1, 1))
            if back in CELLS and beyond not in CELLS:
                yield Mark("from", back, cell), Mark("to", cell), Mark("out", cell)


def covered(sheet: Sheet, box: tuple[int, int, int, int]) -> bool:
    """Returns whether any layer draws something in a box."""
    for layer in sheet.layers:
        left, top = max(box[0], layer.left), max(box[1], layer.top)
        right, bottom = min(box[2], layer.right), min(box[3], layer.bottom)
        drawn = layer.drawn
        if left < right and top < bottom and drawn.mode != "RGB":
            alpha = drawn.getchannel("A") if drawn.mode == "RGBA" else drawn
            cut = alpha.crop((left - layer.left, top - layer.top, right - layer.left, bottom - layer.top))
            if cut.getbbox() is not None:
                return True
    return False


@in_number("every", 8, 1)
@one_of("below", [0, 1])
def test_no_marble_glow_arrow_or_cross_covers_a_label_of_the_hexagon(
    below: int, every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground = Record("abalone")
    monkeypatch.setattr(abalone, "Sheet", lambda _: ground)
    BOARDS["abalone"].ground(WOOD, below)
    boxes = []
    for layer in ground.layers:
        box = layer.drawn.getbbox()
        assert box is not None
        boxes.append((layer.left + box[0], layer.top + box[1], layer.left + box[2], layer.top + box[3]))
    assert sorted(ground.written) == [*"123456789", *"abcdefghi"]
    assert min(bottom - top for _, top, _, bottom in boxes) >= 20
    state = abalone.GAME.start(abalone.GAME.settle_options({}))
    views = [View(below=below, last=marks) for marks in leaving()]
    assert len(views) == 18 * 2 + 6 * 3
    for view in (View(below=below, targets=tuple((cell, "") for cell in CELLS)), *views[::every]):
        sheet = Record("abalone")
        BOARDS["abalone"].paint(sheet, WOOD, state, view)
        assert not [box for box in boxes if covered(sheet, box)], view


@one_of("below", [0, 1])
def test_letters_and_numbers_stand_on_the_axes_of_rows_and_diagonals_outside_the_hexagon(
    below: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: dict[str, tuple[float, float]] = {}
    monkeypatch.setattr(Sheet, "text", lambda _, x, y, text, *__, **___: written.update({text: (x, y)}))
    ground = BOARDS["abalone"].ground(WOOD, below)
    frame = ink(WOOD.frame)[:3]
    assert all(ground.getpixel((round(x), round(y))) == frame for x, y in written.values())
    assert all(ground.getpixel((x, round(abalone.CENTRE[1]))) == frame for x in (0, ground.width - 1))
    for letter in abalone.ROWS:
        row = [abalone.spot(cell, below) for cell in CELLS if cell[0] == letter]
        assert written[letter][1] == pytest.approx(row[0][1])
    for number in "123456789":
        (x, y), (next_x, next_y), *_ = (abalone.spot(cell, below) for cell in CELLS if cell[1] == number)
        at = written[number]
        assert (at[0] - x) * (next_y - y) == pytest.approx((at[1] - y) * (next_x - x))


def taken(game: str, sample: str, monkeypatch: pytest.MonkeyPatch) -> list[Step]:
    """Returns the arrows of a sample."""
    found: list[Step] = []
    module = {"abalone": abalone, "apb": apb}[game]
    monkeypatch.setattr(module, "draw_steps", lambda _sheet, _theme, _layer, steps, **_: found.extend(steps))
    BOARDS[game].paint(Record("abalone"), WOOD, *BOARDS[game].samples()[sample])
    return found


def test_marbles_in_line_share_an_arrow_and_those_side_by_side_have_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    (line,) = taken("abalone", "other-side", monkeypatch)
    assert (line.start, line.end, line.label) == (abalone.spot("d5", 1), abalone.spot("i5", 1), "")
    ways = taken("abalone", "broadside", monkeypatch)
    cells = {cell: abalone.spot(cell, 0) for cell in CELLS}
    ends = [[name for name, at in cells.items() if at == point] for way in ways for point in (way.start, way.end)]
    found = {(start[0], end[0]) for start, end in zip(ends[::2], ends[1::2], strict=True)}
    assert found == {("c3", "d3"), ("c4", "d4"), ("c5", "d5"), ("c3", "d4"), ("c4", "d5"), ("c5", "d6")}


def test_the_steps_of_a_turn_and_their_pushes_are_numbered_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = taken("apb", "middle", monkeypatch)
    assert [step.label for step in steps] == ["1", "1", "2", "3"]
    own = [step.start for step in steps if steps.index(step) != 1]
    assert own == [apb.spot(cell, 0) for cell in ("e6", "c8", "e3")]
    whole = [step.label for step in taken("apb", "whole-turn", monkeypatch)]
    assert whole == sorted(whole, key=int)
    assert {*whole} == {*map(str, range(1, 10))}
    assert {step.label for step in taken("apb", "fall", monkeypatch)} == {""}


def test_a_piece_that_ended_where_it_began_has_arrows_in_the_draft_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    state, _ = BOARDS["apb"].samples()["start"]
    there = (Mark("from", "d4", "d5"), Mark("to", "d5"), Mark("from", "e4", "e5"), Mark("to", "e5"))
    back = (Mark("from", "d6", "d5"), Mark("to", "d5"), Mark("push", "d5", "d4"))
    found: list[Step] = []
    monkeypatch.setattr(apb, "draw_steps", lambda _sheet, _theme, _layer, steps, **_: found.extend(steps))
    BOARDS["apb"].paint(Record("abalone"), WOOD, state, View(last=(*there, *back)))
    assert [(step.label, step.start) for step in found] == [("2", found[0].start), ("3", apb.spot("d6", 0))]
    found.clear()
    BOARDS["apb"].paint(Record("abalone"), WOOD, state, View(chosen=(*there, *back)))
    assert [step.label for step in found] == ["1", "2", "3", "3"]


def test_pieces_are_27_pixels_wide_on_a_phone() -> None:
    """A phone's chat shows pictures 330 pixels wide. Rings of neighbours may touch, but hide no piece."""
    assert apb.STONE * 330 / WIDTH >= 27 - 0.2
    assert apb.STONE < apb.CHIEF < apb.CELL
    assert choosable(WOOD, apb.CHIEF).width / 2 + apb.STONE / 2 <= apb.CELL


def test_no_ring_is_drawn_on_a_cell_that_is_empty_at_the_end_of_the_turn() -> None:
    state = apb.GAME.start({})
    sheet = Record("abalone")
    BOARDS["apb"].paint(sheet, WOOD, state, View(last=(Mark("to", "e6"), Mark("to", "d4"))))
    assert sheet.places(outline(WOOD, LAST, apb.STONE - 4)) == [apb.spot("d4", 0)]


@pytest.mark.parametrize("game", ["abalone", "apb"])
def test_a_draft_keeps_the_marker_at_its_mover(game: str) -> None:
    state, view = BOARDS[game].samples()["other-side"]
    assert state.turn == 1
    mover = state._replace(turn=0)
    found = []
    for before in (None, mover):
        sheet = Record("abalone")
        BOARDS[game].paint(sheet, WOOD, state, replace(view, below=0, before=before))
        ((_, y),) = sheet.places(pointer(WOOD, 30))
        found.append(y > abalone.HEIGHT / 2)
    assert found == [False, True]


@pytest.mark.parametrize(("game", "cell"), [("abalone", "e5"), ("apb", "e12")])
def test_a_choice_that_is_called_by_its_cell_shows_its_name(game: str, cell: str) -> None:
    state, _ = BOARDS[game].samples()["start"]
    sheet = Record("abalone")
    BOARDS[game].paint(sheet, WOOD, state, View(targets=((cell, DOT), ("a1", "2"))))
    assert {cell, "2"} <= set(sheet.written)
    assert DOT not in sheet.written


@pytest.mark.parametrize("below", [0, 1])
@pytest.mark.parametrize("game", ["abalone", "apb"])
def test_pieces_to_choose_from_bear_the_names_of_their_cells(game: str, below: int) -> None:
    """Points have numbers on the frame; cells of the other boards have not."""
    state, view = BOARDS[game].samples()["choice"]
    sheet = Record("backgammon")
    BOARDS[game].paint(sheet, WOOD, state, replace(view, below=below))
    cells = [cell for cell, _ in view.targets]
    assert len(cells) > 5
    assert [text for text in sheet.written if text in CELLS or text in NAMES] == cells
    ringed = replace(view, targets=tuple((cell, "A") for cell in cells))
    lettered = Record("backgammon")
    BOARDS[game].paint(lettered, WOOD, state, ringed)
    assert not {*lettered.written} & {*cells}


def test_a_principal_to_choose_keeps_its_star_above_its_name() -> None:
    state, view = BOARDS["apb"].samples()["choice"]
    sheet = Record("backgammon")
    BOARDS["apb"].paint(sheet, WOOD, state, view)
    piece = apb.principal(WOOD, 1, apb.CHIEF, raised=True)
    assert sheet.places(piece) == [apb.spot("e10", view.below)]
    middle = apb.CHIEF // 2
    named = (middle - 20, middle + 10, middle + 20, middle + 24)
    assert [len(each.crop(named).getcolors()) > 1 for each in (piece, apb.principal(WOOD, 1, apb.CHIEF))] == [
        False,
        True,
    ]
