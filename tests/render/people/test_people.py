"""Profiles and leaderboards say what they are given, and look as they looked when somebody last looked at them."""

import os
from collections.abc import Callable
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from harness.people import EMPTY, LEADERBOARD, PROFILE, ROWS
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from render.canvas.sheet import WIDTH, Sheet
from render.people import leaderboard as leaderboards
from render.people import pictures
from render.people import profile as profiles
from render.people.curves import GAP, MOST_POINTS, points_of, scale_of, shares, thinned
from render.people.dice import DiceView
from render.people.views import Tally
from render.theme import RESULTS, THEMES

GOLDEN = Path(__file__).parents[2] / "golden" / "people"
MOST_BYTES = 60_000
CASES: dict[str, Callable[[str], bytes]] = {
    "profile": lambda theme: pictures.profile(replace(PROFILE, theme=theme)),
    "empty": lambda theme: pictures.profile(replace(EMPTY, theme=theme)),
    "leaderboard": lambda theme: pictures.leaderboard(replace(LEADERBOARD, theme=theme)),
}


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are written on pictures."""
    texts: list[str] = []

    class Record(Sheet):
        def text(self, x, y, text, *args, **rest) -> None:  # noqa: ANN001, ANN002, ANN003 - as the method that it wraps
            texts.append(text)
            super().text(x, y, text, *args, **rest)

    for module in (profiles, leaderboards):
        monkeypatch.setattr(module, "Sheet", Record)
    return texts


def read(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("case", CASES)
def test_pictures_of_players_look_as_before(case: str, theme: str) -> None:
    data = CASES[case](theme)
    path = GOLDEN / f"{case}-{theme}.png"
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    actual, golden = read(data), read(path.read_bytes())
    assert actual.size == golden.size
    assert actual.width == WIDTH
    assert len(data) < MOST_BYTES
    differing = ImageChops.difference(actual, golden).convert("L").histogram()
    assert sum(differing[25:]) <= actual.width * actual.height // 10_000


def test_no_golden_picture_of_players_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == {f"{case}-{theme}" for case in CASES for theme in THEMES}


def test_a_profile_says_everything(written: list[str]) -> None:
    pictures.profile(PROFILE)
    for row in ROWS:
        assert {row.title, row.pace, row.rating, row.change} <= set(written)
        assert f"{row.tally.won} won" in written
    assert {"Ana María", "Latest results", "Bruno against Ana María", "5 won   2 drawn   3 lost", "9"} <= set(written)
    assert [text for text in written if text in {"W", "D", "L"}] == [each.letter for each in PROFILE.form[-12:]]


def test_a_profile_without_results_says_so(written: list[str]) -> None:
    pictures.profile(EMPTY)
    assert written == ["Ana María", "Playing since March 2026", "No rated results yet"]


def test_a_leaderboard_cuts_long_names_only(written: list[str]) -> None:
    pictures.leaderboard(LEADERBOARD)
    assert {"1", "Ana María", "1900", "193 played", "Bruno"} <= set(written)
    assert any(text.startswith("A very long") and text.endswith("…") for text in written)


@given(st.lists(st.floats(100, 3000), min_size=2, max_size=1000))
def test_a_curve_stays_in_its_box_and_keeps_its_ends(curve: list[float]) -> None:
    shown, scale = thinned(curve), scale_of(curve)
    assert len(shown) <= MOST_POINTS
    assert (shown[0], shown[-1]) == (curve[0], curve[-1])
    assert scale.low <= min(curve) <= max(curve) <= scale.high
    assert all(10 <= x <= 500.001 and 19.999 <= y <= 100.001 for x, y in points_of(curve, (10, 20, 500, 100)))


@given(st.tuples(*[st.integers(0, 5000)] * 3).filter(any))
def test_a_bar_is_filled_and_shows_whoever_has_any(counts: tuple[int, int, int]) -> None:
    widths = shares(Tally(*counts), 900)
    assert sum(widths) + GAP * (sum(map(bool, counts)) - 1) == 900
    assert [width > 0 for width in widths] == [count > 0 for count in counts]
    pairs = [(one, other) for one in range(3) for other in range(3) if counts[one] > counts[other]]
    assert all(widths[one] >= widths[other] - 2 for one, other in pairs)  # rounding


def test_results_are_told_apart_without_colour() -> None:
    won, drawn, lost = (sum(Image.new("RGB", (1, 1), tone).convert("L").tobytes()) for tone in RESULTS)
    assert won - drawn > 20
    assert drawn - lost > 60


def test_a_flat_curve_lies_in_the_middle() -> None:
    assert {y for _, y in points_of([1500.0] * 5, (0, 0, 100, 50))} == {25}


@pytest.mark.parametrize("opponents", [(), (0, 0.5, 0, 0, 0, 0.5), (0.001, 0.999, 0, 0, 0, 0)])
def test_the_picture_of_dice_is_drawn_though_numbers_have_not_come_up(opponents: tuple[float, ...]) -> None:
    view = DiceView("Dice", "1 roll", (0.5, 0.5, 0, 0, 0, 0), opponents, ("",) * 6, 0.5, ("You", "Opponents", "usual"))
    assert Image.open(BytesIO(pictures.dice(view))).width == WIDTH
