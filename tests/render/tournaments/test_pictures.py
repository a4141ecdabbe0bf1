"""Pictures of tournaments say what they are given, keep their texts apart, and look as they last looked to somebody."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import combinations, groupby, pairwise
from pathlib import Path

import pytest
from harness.examples import examples
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from render.canvas.pieces import dial
from render.canvas.sheet import WIDTH, Sheet
from render.canvas.text import MEDIUM, width
from render.theme import SLATE, THEMES, Theme
from render.tournaments import pictures
from render.tournaments.crosstable import draw_crosstable
from render.tournaments.ladder import _link, lanes_of
from render.tournaments.page import EMPTY, HEAD, LEFT, MARGIN, RIGHT, SMALL, called, shortened
from render.tournaments.paging import pages
from render.tournaments.samples import every, tables
from render.tournaments.samples.brackets import double, single
from render.tournaments.samples.every import SAMPLES
from render.tournaments.signs import draw_cell, draw_gain, gain_width, state_sign, tile
from render.tournaments.standings import draw_standings
from render.tournaments.views import (
    BracketView,
    Cell,
    CrosstableRow,
    LadderChallenge,
    Outcome,
    PodiumPlace,
    StandingsHeads,
    State,
)

GOLDEN = Path(__file__).parents[2] / "golden" / "tournaments"
MOST_BYTES = 100_000
TALLEST = 2000
SMALLEST = 28
"""The size of the smallest letters: nine pixels on a phone whose chat is 360 pixels wide."""
SECOND = 36
"""The size of second lines: eleven pixels where it is 330 pixels wide."""
THROUGH = {"standings", "crosstable", "bracket-16", "double-8", "ladder", "calendar", "podium"}
"""The samples that are kept in every theme."""
CASES = [(name, theme) for name in SAMPLES for theme in THEMES if theme == "wood" or name in THROUGH]


def read(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


@dataclass(frozen=True)
class Written:
    """A text on a picture."""

    text: str
    size: int
    box: tuple[float, float, float, float]

    def meets(self, other: "Written") -> bool:
        left, top, right, bottom = self.box
        return left < other.box[2] and other.box[0] < right and top < other.box[3] and other.box[1] < bottom


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[Written]:
    """Collects the texts that are written on pictures from now on."""
    found: list[Written] = []
    text = Sheet.text

    def record(
        self: Sheet, x: float, y: float, said: str, size: int, colour: str, *, anchor: str = "m", weight: str = MEDIUM
    ) -> None:
        wide = width(said, size, weight)
        left = x - {"l": 0, "m": wide / 2, "r": wide}[anchor]
        if said:  # capital letters are 0.72 of the size high
            found.append(Written(said, size, (left, y - size * 0.36, left + wide, y + size * 0.36)))
        text(self, x, y, said, size, colour, anchor=anchor, weight=weight)

    monkeypatch.setattr(Sheet, "text", record)
    return found


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[Written]:
    return recorded(monkeypatch)


def assert_legible(found: list[Written], data: bytes) -> None:
    high = read(data).height
    assert high <= TALLEST
    for each in found:
        assert each.size >= SMALLEST, each
        assert each.box[0] >= 0, each
        assert each.box[1] >= 0, each
        assert each.box[2] <= WIDTH, each
        assert each.box[3] <= high, each
    meeting = [(one.text, other.text) for one, other in combinations(found, 2) if one.meets(other)]
    assert not meeting


@pytest.mark.parametrize(
    ("case", "theme"),
    [
        pytest.param(*one, marks=() if one[1] == "wood" or one[0] == "standings" else pytest.mark.thorough)
        for one in CASES
    ],
)
def test_tournaments_look_as_before(case: str, theme: str) -> None:
    data = SAMPLES[case](theme)
    path = GOLDEN / f"{case}-{theme}.png"
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    actual, golden = read(data), read(path.read_bytes())
    assert (actual.size, actual.width) == (golden.size, WIDTH)
    assert len(data) < MOST_BYTES
    differing = ImageChops.difference(actual, golden).convert("L").histogram()
    assert sum(differing[25:]) <= actual.width * actual.height // 10_000


def test_no_golden_picture_of_tournaments_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == {f"{case}-{theme}" for case, theme in CASES}


@pytest.mark.parametrize("case", SAMPLES)
def test_texts_are_large_enough_and_apart(case: str, written: list[Written]) -> None:
    data = SAMPLES[case]("slate")
    assert written
    assert_legible(written, data)


@pytest.mark.parametrize("case", ["standings", "ladder", "calendar"])
def test_second_lines_are_eleven_pixels_high_on_a_phone(case: str, written: list[Written]) -> None:
    SAMPLES[case]("wood")
    details = {row.detail for row in (*tables.STANDINGS.rows, *every.LADDER.rows, *every.CALENDAR.rows)} - {""}
    ties = {text for row in tables.STANDINGS.rows for text in row.tie_breaks} if case == "standings" else set()
    second = [each for each in written if each.text in details | (ties - set("0123456789"))]
    assert second
    assert {each.size for each in second} == {SECOND}


NAME = st.text(min_size=1, max_size=40)
CELL = st.builds(
    Cell,
    st.sampled_from(["W", "½", "1", "-", "10", ""]),
    st.sampled_from(Outcome),
    st.sampled_from(["", "7", "12"]),
)
TIE = st.sampled_from(["0", "12.5", "1024.75"])


@examples(30)
@given(st.data())
def test_standings_of_any_content_keep_their_texts_apart(data: st.DataObject) -> None:
    ties = data.draw(st.integers(0, 4))
    rows = tuple(
        replace(
            row,
            rank=data.draw(st.sampled_from(["1", "64", "1024"])),
            name=data.draw(NAME),
            tie_breaks=tuple(data.draw(TIE) for _ in range(ties)),
            detail=data.draw(st.sampled_from(["", "1712 · #1024", "a very long detail of a player without end"])),
            form=tuple(cell._replace(against="") for cell in data.draw(st.lists(CELL, max_size=8))),
            moved=data.draw(st.sampled_from([0, 1, -1023])),
            points=data.draw(st.sampled_from(["0", "½", "1023½"])),
        )
        for row in tables.STANDINGS.rows[: data.draw(st.integers(0, 3))]
    )
    heads = StandingsHeads("Puntos", ("Buchholz", "BH", "WIN", "DE")[:ties])
    with pytest.MonkeyPatch.context() as patch:
        texts = recorded(patch)
        assert_legible(texts, pictures.standings(replace(tables.STANDINGS, heads=heads, rows=rows)))


@examples(30)
@given(st.integers(1, 16), st.data())
def test_crosstables_of_any_width_keep_their_texts_apart(count: int, data: st.DataObject) -> None:
    rows = tuple(
        CrosstableRow(
            str(data.draw(st.integers(1, 1024))),
            data.draw(NAME),
            data.draw(st.sampled_from(["0", "½", "12½"])),
            tuple(data.draw(CELL) for _ in range(count)),
        )
        for _ in range(data.draw(st.integers(0, 2)))
    )
    view = replace(tables.CROSSTABLE, heads=tuple(map(str, range(1, count + 1))), rows=rows)
    with pytest.MonkeyPatch.context() as patch:
        texts = recorded(patch)
        assert_legible(texts, pictures.crosstable(view))


@pytest.mark.parametrize("players", [4, 6, 16, 33])
@pytest.mark.parametrize("make", [single, double])
def test_every_page_of_a_bracket_is_legible(
    make: Callable[[int, int, int], BracketView], players: int, written: list[Written]
) -> None:
    view = make(players, 1 << (players - 1).bit_length(), players // 2)
    for number in range(1, len(pages(view)) + 1):
        written.clear()
        assert_legible(written, pictures.bracket(replace(view, page=number)))


def said(found: list[Written]) -> set[str]:
    return {each.text for each in found}


def test_standings_say_everything(written: list[Written]) -> None:
    pictures.standings(tables.STANDINGS)
    for row in tables.STANDINGS.rows:
        assert {row.rank, row.points, row.detail, *row.tie_breaks} <= said(written)
    assert {"Winter Swiss 2026", "Round 5: 2 of 6 finished", "1 / 4", "Points", "BH", "SB", "DE", "WIN"} <= said(
        written
    )
    assert {"Bruno", "Юля", "Chloé", "Félix Ñandú", "#6"} <= said(written)
    letters = [cell.text for row in tables.STANDINGS.rows for cell in row.form if cell.text]
    assert sorted(each.text for each in written if each.text in set("WDLB+-")) == sorted(letters)


def test_a_page_without_rows_says_so_and_is_low(written: list[Written]) -> None:
    made = (
        pictures.standings(replace(tables.STANDINGS, rows=(), empty="No player")),
        pictures.crosstable(replace(tables.CROSSTABLE, rows=(), empty="No game")),
        pictures.ladder(replace(every.LADDER, rows=(), challenges=(), empty="No rung")),
    )
    assert {read(page).height for page in made} == {HEAD + EMPTY + MARGIN}
    assert {"No player", "No game", "No rung"} <= said(written)


def test_a_crosstable_says_every_cell(written: list[Written]) -> None:
    pictures.crosstable(tables.CROSSTABLE_LONG)
    there = [cell for row in tables.CROSSTABLE_LONG.rows for cell in row.cells]
    cells = [cell.text for cell in there if cell.outcome is not Outcome.RUNNING]
    ranks = [f"({cell.against})" for cell in there if cell.against]  # apart from the result: 1 and 5 is no 15
    assert {*cells, *ranks} <= said(written)
    assert sum(each.text in {*cells, *ranks} for each in written) >= len(cells) + len(ranks)
    assert {"1", "0", "½"} <= {*cells}


@pytest.mark.parametrize(("rows", "qualified", "lines"), [(5, 2, 1), (5, 5, 0), (5, 0, 0), (5, 9, 0)])
def test_a_line_is_where_qualification_ends(rows: int, qualified: int, lines: int) -> None:
    """Of the width of the page, between two rows."""
    standings, crosstable = (
        replace(view, rows=view.rows[:rows], qualified=qualified)
        for view in (tables.STANDINGS_SHORT, tables.CROSSTABLE_GROUP)
    )
    gold = Image.new("RGB", (1, 1), SLATE.award).getpixel((0, 0))
    for drawn in (draw_standings(SLATE, standings), draw_crosstable(SLATE, crosstable)):
        column = [drawn.getpixel((WIDTH - MARGIN - 8, y)) == gold for y in range(drawn.height)]
        assert sum(is_line for is_line, _ in groupby(column)) == lines


def test_what_goes_on_has_a_clock_and_no_text(written: list[Written]) -> None:
    sheet = Sheet(Image.new("RGB", (WIDTH, 100), SLATE.frame))
    draw_cell(sheet, SLATE, (500, 50), Cell("…", Outcome.RUNNING, "7"), (90, 46), 32)
    assert said(written) == {"(7)"}
    assert any(layer.drawn is dial(SLATE, layer.drawn.width) for layer in sheet.layers)


def test_a_page_of_a_bracket_says_where_its_winners_go(written: list[Written]) -> None:
    pictures.bracket(replace(single(64, 64, 50), page=2))
    assert {"2 / 5", "→ M58", "M9", "M16", "Ivo", "Player 61"} <= said(written)
    assert "M1" not in said(written)


def test_a_page_too_high_is_the_last_one(written: list[Written]) -> None:
    pictures.bracket(replace(single(64, 64, 50), page=99))
    assert {"5 / 5", "Final"} <= said(written)


def test_a_ladder_a_calendar_and_a_podium_say_everything(written: list[Written]) -> None:
    pictures.ladder(every.LADDER)
    for row in every.LADDER.rows:
        assert {row.rank, row.detail} <= said(written)
    assert {"until 28 Nov", "not accepted yet", "12 players · 4 challenges"} <= said(written)
    written.clear()
    pictures.calendar(every.CALENDAR)
    for row in every.CALENDAR.rows:
        assert {row.name, row.dates} <= said(written)
    assert {"14 of 20 finished · 2 days left", "After the holidays", "UTC"} <= said(written)
    written.clear()
    pictures.podium(every.PODIUM)
    assert {"Ana María", "Bruno", "Chloé", "#8", "7½ points", "40 players · 22 November 2026"} <= said(written)
    assert {str(number) for number in range(1, 9)} <= said(written)


def ink(picture: Image.Image, x: int) -> list[int]:
    """Returns the lengths of the drawn parts of a column, with the gaps between."""
    drawn = picture.getchannel("A").crop((x, 0, x + 1, picture.height)).tobytes()
    return [len(list(run)) for _, run in groupby(value > 127 for value in drawn)][1:-1]


def test_the_line_of_a_challenge_is_dashed_until_it_is_accepted() -> None:
    planned, accepted = (_link(SLATE, 200, 64, state, up=True) for state in (State.PLANNED, State.RUNNING))
    corner, dash = [5, 1], [12, 10]
    assert ink(accepted, 64) == [205]
    assert ink(planned, 64) == [*corner, *(dash * 9)[:-1], 6, 5]
    row = (20, 92, planned.width, 93)  # through a dash
    assert planned.crop(row).tobytes() == accepted.crop(row).tobytes()


@pytest.mark.parametrize("places", [(1, 1), (1, 1, 3), (1, 2, 2, 2), (1, 1, 1, 1, 5), (1, 2, 3, 3, 3, 3)])
def test_shared_places_stand_on_one_step(places: tuple[int, ...], written: list[Written]) -> None:
    players = tuple(PodiumPlace(place, name, "7") for place, name in zip(places, tables.NAMES, strict=False))
    data = pictures.podium(replace(every.PODIUM, places=players))
    assert_legible(written, data)
    at = {each.text: each for each in written}
    names = ["Ana María", "Bruno", "Chloé"][: len(places)]
    for (one, first), (other, second) in pairwise(zip(places, names, strict=False)):
        middles = [sum(at[name].box[::2]) / 2 for name in (first, second)]
        assert (one == other) == (abs(middles[0] - middles[1]) < 2)


@pytest.mark.parametrize(
    ("name", "shown"), [("🔥🔥", "#7"), ("山田太郎", "#7"), ("", "#7"), ("Bé 🎲", "Bé 🎲"), ("...", "...")]
)
def test_a_name_that_cannot_be_drawn_gives_way_to_its_number(name: str, shown: str) -> None:
    assert called(name, "7") == shown


def grey(sign: Image.Image, theme: Theme, ground: str) -> Image.Image:
    """Returns a sign on a ground as on a phone, without colour."""
    snapshot = Image.new("RGB", sign.size, getattr(theme, ground))
    snapshot.paste(sign, (0, 0), sign)
    return snapshot.convert("L").resize((sign.width // 3, sign.height // 3), Image.Resampling.BOX)


@pytest.mark.parametrize("ground", ["frame", "active"])
@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_results_and_states_are_told_apart_without_colour(theme: Theme, ground: str) -> None:
    tiles = set(Outcome) - {Outcome.ABSENT, Outcome.RUNNING, Outcome.NONE}
    results = [tile(theme, each, 60, 46) for each in tiles]
    for signs in (results, [state_sign(theme, state, 45) for state in State]):
        shown = [grey(sign, theme, ground) for sign in signs]
        for one, other in combinations(shown, 2):
            plain = sum(ImageChops.difference(one, other).histogram()[40:])
            assert plain >= one.width * one.height * 0.04


@pytest.mark.parametrize("moved", [1, -1023])
def test_a_gain_takes_as_much_room_as_is_kept_for_it(moved: int) -> None:
    sheet = Sheet(Image.new("RGB", (WIDTH, 100), SLATE.frame))
    empty = sheet.image
    draw_gain(sheet, SLATE, WIDTH, 50, moved, SMALLEST)
    box = ImageChops.difference(sheet.image, empty).getbbox()
    assert box is not None
    assert WIDTH - box[0] == pytest.approx(gain_width(moved, SMALLEST), abs=2)


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11)).filter(lambda pair: pair[0] != pair[1]), max_size=6))
def test_challenges_in_one_lane_do_not_meet(pairs: list[tuple[int, int]]) -> None:
    challenges = [LadderChallenge(*pair) for pair in pairs]
    lanes = lanes_of(challenges)
    for (one, first), (other, second) in combinations(zip(pairs, lanes, strict=True), 2):
        if first == second:
            assert max(one) < min(other) or max(other) < min(one)
    assert set(lanes) == set(range(len(set(lanes))))


def test_an_unknown_theme_is_the_default_one() -> None:
    assert pictures.podium(replace(every.PODIUM, theme="?")) == pictures.podium(every.PODIUM)
    assert pictures.podium(replace(every.PODIUM, theme=SLATE.name)) != pictures.podium(every.PODIUM)


def test_of_a_long_subject_the_state_is_kept() -> None:
    about = "Fase 1: todos contra todos · Grupo 1 · Ronda 2: 2 de 2 terminadas"
    assert shortened(about, width(about, SMALL)) == about
    assert width(about, SMALL) > RIGHT - LEFT
    assert shortened(about, RIGHT - LEFT) == "Grupo 1 · Ronda 2: 2 de 2 terminadas"
    assert shortened(about, 1) == "Ronda 2: 2 de 2 terminadas"
