"""Names may hold anything; a picture shows what its font can."""

import pytest

from render import registry
from render.canvas.text import called, drawable, fitted, label, width
from render.view import View


@pytest.mark.parametrize("text", ["Ana", "¿Qué? ¡Ñandú, año!", "Żółć", "Юля", "½ → 3", "O'Neil-Smith (2)"])
def test_the_font_has_what_players_write(text: str) -> None:
    assert drawable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [("Ana🔥", "Ana"), ("山田 Bea", "Bea"), ("★ Leo ★", "Leo"), ("🔥🔥", ""), ("", ""), ("a\n b\t\u200bc", "a bc")],
)
def test_what_the_font_lacks_is_left_out(text: str, shown: str) -> None:
    assert drawable(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\U0001d56c\U0001d593\U0001d586", "Ana"),  # bold Fraktur
        ("\uff22\uff45\uff41", "Bea"),  # full width
        ("\u24c1eo", "Leo"),  # in a circle
        ("Be\u0301", "Bé"),
    ],
)
def test_other_shapes_of_letters_are_shown_as_these(text: str, shown: str) -> None:
    assert drawable(text) == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Bé 🎲 日本", "Bé"),
        ("山田太郎", "White"),
        ("[日本]", "White"),
        ("🔥🔥", "White"),
        ("...", "..."),
        ("日本 2", "2"),
        ("", ""),
    ],
)
def test_a_name_of_which_no_letter_can_be_drawn_gives_way_to_the_sides(name: str, shown: str) -> None:
    assert called(View(names=(name, "Bea"), sides=("White", "Black")), 0) == shown


def test_where_the_side_has_no_name_either_the_seats_number_is_shown() -> None:
    nameless = View(names=("山田", "鈴木"))
    assert [called(nameless, seat) for seat in (0, 1)] == ["1", "2"]
    assert called(View(names=("山田", "鈴木"), sides=("白", "Schwarz")), 0) == "1"


@pytest.mark.parametrize("game", registry.BOARDS)
def test_no_board_leaves_a_player_without_a_name(game: str) -> None:
    state, _ = registry.BOARDS[game].samples()["start"]
    drawn = [
        registry.fresh(game, state, View(names=(name, "Bea"), sides=("White", "Black")))
        for name in ("山田太郎", "White", "")
    ]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_long_text_is_cut_to_its_room() -> None:
    long = "Bartholomew the Second of Nowhere"
    cut = fitted(long, 31, 200)
    assert cut.endswith("…")
    assert long.startswith(cut[:-1])
    assert 150 < width(cut, 31) <= 200
    assert fitted(long, 31, 2000) == long
    assert not fitted(long, 31, 5)


def test_an_anchor_moves_the_text_across_only() -> None:
    left, middle, right = (label("abc", 30, anchor=anchor) for anchor in "lmr")
    assert left.x < middle.x < right.x
    assert left.y == middle.y == right.y
