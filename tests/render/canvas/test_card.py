"""The card at the end of a game says what it is given, whole where it can be, and nothing else.

It looks as it last looked to somebody.
"""

import os
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from render import registry
from render.canvas import card as cards
from render.canvas.sheet import Sheet
from render.canvas.text import MEDIUM, width
from render.theme import THEMES
from render.view import Card, View

FULL = Card(1, "Abak Evolution Backgammon", "2 points", "Bea has borne off every stone", ("52 turns", "1 May 2026"))
NAMES = ("Ana", "Bea")
GOLDEN = Path(__file__).parents[2] / "golden" / "cards"


def card(game: str, told: Card, view: View | None = None) -> bytes:
    state, shown = registry.BOARDS[game].samples()["middle"]
    return registry.card(game, state, view or replace(shown, names=NAMES), told)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are written on cards, outside the board."""
    texts: list[str] = []

    class Record(Sheet):
        def text(self, x, y, text, *args, **rest) -> None:  # noqa: ANN001, ANN002, ANN003 - as the method that it wraps
            texts.append(text)
            super().text(x, y, text, *args, **rest)

    monkeypatch.setattr(cards, "Sheet", Record)
    return texts


@pytest.fixture
def boxes(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float, float]]:
    """The texts, each with its left and its right edge."""
    found: list[tuple[str, float, float]] = []

    class Record(Sheet):
        def text(self, x, y, text, size, colour, *, anchor="m", weight=MEDIUM) -> None:  # noqa: ANN001 - as the method that it wraps
            wide = width(text, size, weight)
            left = x - {"l": 0, "m": wide / 2, "r": wide}[anchor]
            if text:
                found.append((text, left, left + wide))
            super().text(x, y, text, size, colour, anchor=anchor, weight=weight)

    monkeypatch.setattr(cards, "Sheet", Record)
    return found


@pytest.mark.parametrize("game", registry.BOARDS)
@pytest.mark.parametrize("theme", THEMES)
def test_a_card_is_a_small_picture_that_the_position_fills(game: str, theme: str) -> None:
    data = card(game, FULL, View(names=NAMES, theme=theme))
    image = Image.open(BytesIO(data))
    left, top, right, bottom = registry.BOARDS[game].core
    assert (image.format, image.width) == ("PNG", 1080)
    assert right - left == image.width
    assert bottom - top > 0.7 * image.height
    assert len(data) < 70_000


@pytest.mark.parametrize(("case", "winner"), [("won", 1), ("drawn", None)])
def test_cards_look_as_before(case: str, winner: int | None) -> None:
    data = card("abalone", replace(FULL, winner=winner))
    path = GOLDEN / f"{case}.png"
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    actual, golden = (Image.open(BytesIO(each)).convert("RGB") for each in (data, path.read_bytes()))
    assert actual.size == golden.size
    differing = ImageChops.difference(actual, golden).convert("L").histogram()
    assert sum(differing[25:]) <= actual.width * actual.height // 10_000


@pytest.mark.parametrize("game", registry.BOARDS)
def test_the_position_is_shown_as_large_as_in_play(game: str) -> None:
    state, view = registry.BOARDS[game].samples()["middle"]
    plain = replace(view, clocks=("", ""))
    shown, played = (
        Image.open(BytesIO(data)).convert("RGB").convert("L")
        for data in (registry.card(game, state, plain, Card(None)), registry.picture(game, state, plain))
    )
    core = played.crop(registry.BOARDS[game].core)
    above = shown.height - core.height - cards._MARGIN // 2
    difference = ImageChops.difference(shown.crop((0, above, core.width, above + core.height)), core)
    assert sum(difference.histogram()[32:]) < 0.001 * core.width * core.height


def test_a_card_says_all_that_it_is_given_winner_first(written: list[str]) -> None:
    card("abak", FULL)
    assert [text for text in written if text] == [
        "Abak Evolution Backgammon",
        "2 points",
        "Bea",
        "Bea has borne off every stone",
        "52 turns · 1 May 2026",
        "Ana",
    ]


@pytest.mark.parametrize(("told", "less"), [(Card(1), ["Bea", "Ana"]), (Card(None), ["Ana", "Bea"])])
def test_what_is_empty_is_left_out(written: list[str], told: Card, less: list[str]) -> None:
    full = Image.open(BytesIO(card("apb", FULL)))
    written.clear()
    assert Image.open(BytesIO(card("apb", told))).height < full.height
    assert [text for text in written if text] == less


def test_a_player_whose_name_cannot_be_drawn_is_called_by_the_side(written: list[str]) -> None:
    card("backgammon", Card(0), View(names=("山田太郎", "鈴木"), sides=("White", "")))
    assert [text for text in written if text] == ["White", "2"]


def test_long_words_are_cut_and_none_runs_into_another(boxes: list[tuple[str, float, float]]) -> None:
    long = "Bartholomew the Second of Nowhere and Everywhere " * 4
    for winner in (0, 1, None):
        boxes.clear()
        assert card("backgammon", Card(winner, long, long, long, (long,) * 9), View(names=(long, long)))
        assert len(boxes) == 1 + 2 + (winner is not None) + cards.LINES + 1
        cut = sum(text.endswith("…") for text, *_ in boxes)
        assert cut == len(boxes) - (cards.LINES - 1)  # the last line alone of how it ended
        assert all(20 <= left < right <= 1060 for _, left, right in boxes)
    boxes.clear()
    assert card("backgammon", Card(0, result=long, facts=(long,)), View(names=(long, long)))
    result, winner_name, facts, loser = boxes
    assert winner_name[2] < result[1]
    assert loser[2] < facts[1]


def test_a_winners_name_is_smaller_before_it_is_cut(boxes: list[tuple[str, float, float]]) -> None:
    name = "Bartholomew the Second of Now"
    card("abalone", Card(0, result="12 points"), View(names=(name, "Bea")))
    assert name in [text for text, *_ in boxes]


def test_cards_differ_by_winner_and_words() -> None:
    told = [FULL, replace(FULL, winner=0), replace(FULL, winner=None), replace(FULL, result="3 points")]
    assert len({card("abalone", each) for each in told}) == len(told)


def test_a_card_shows_neither_clocks_nor_what_might_be_played() -> None:
    plain = View(names=NAMES)
    busy = replace(plain, clocks=("1:00", "2:00"), targets=(("e5", "A"),))
    assert card("abalone", FULL, plain) == card("abalone", FULL, busy)


def test_abaks_card_crowns_neither_player() -> None:
    """The king would do so; a soldier stands beside each name."""
    board, theme = registry.BOARDS["abak"], THEMES["wood"]
    kinds = board.legend(theme, 60)
    for seat in (0, 1):
        beside = board.emblem(theme, seat, 60).tobytes()
        assert beside == kinds["S"][seat].tobytes()
        assert beside != kinds["K"][seat].tobytes()
