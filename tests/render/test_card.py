"""The card at the end of a game says what it is given, whole where it can be, and nothing else."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from render import registry
from render.canvas import card as cards
from render.canvas.sheet import Sheet
from render.theme import THEMES
from render.view import Card, View

FULL = Card(1, "Abak Evolution Backgammon", "2 points", "Bea has borne off every stone", ("52 turns", "1 May 2026"))
NAMES = ("Ana", "Bea")


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


@pytest.mark.parametrize("game", registry.BOARDS)
@pytest.mark.parametrize("theme", THEMES)
def test_a_card_is_a_small_picture_of_one_size(game: str, theme: str) -> None:
    data = card(game, FULL, View(names=NAMES, theme=theme))
    image = Image.open(BytesIO(data))
    assert (image.format, image.size) == ("PNG", (1080, cards.HEIGHT))
    assert len(data) < 60_000


def test_a_card_says_all_that_it_is_given_winner_first(written: list[str]) -> None:
    card("abak", FULL)
    said = [text for text in written if text]
    assert said == [
        "Abak Evolution Backgammon",
        "Bea",
        "2 points",
        "Bea has borne off every",
        "stone",
        "Ana",
        "52 turns",
        "1 May 2026",
    ]


def test_a_draw_names_both_and_what_is_empty_is_left_out(written: list[str]) -> None:
    card("apb", Card(None))
    assert [text for text in written if text] == ["Ana", "Bea"]


def test_long_words_are_cut_and_everything_stays_on_the_card(written: list[str]) -> None:
    long = "Bartholomew the Second of Nowhere and Everywhere " * 4
    told = Card(0, long, long, long, (long,) * 9)
    assert card("backgammon", told, View(names=(long, long)))
    said = [text for text in written if text]
    assert len(said) == 2 + 1 + 1 + cards.LINES + 1 + cards.LINES
    assert sum(text.endswith("…") for text in said) == 1 + 1 + 1 + 1 + 1 + cards.LINES
    blocks = cards._blocks(THEMES["wood"], registry.BOARDS["backgammon"], View(names=(long, long)), told, 440)
    assert sum(block.height for block in blocks) <= cards.HEIGHT - 20


def test_cards_differ_by_winner_and_words() -> None:
    told = [FULL, replace(FULL, winner=0), replace(FULL, winner=None), replace(FULL, result="3 points")]
    assert len({card("abalone", each) for each in told}) == len(told)


def test_a_card_shows_neither_clocks_nor_what_might_be_played() -> None:
    plain = View(names=NAMES)
    busy = replace(plain, clocks=("1:00", "2:00"), score=("3", "4"), targets=(("e5", "A"),))
    assert card("abalone", FULL, plain) == card("abalone", FULL, busy)
