"""Names may hold anything; a picture shows what its font can."""

import pytest

from render.canvas.text import drawable, fitted, label, width


@pytest.mark.parametrize("text", ["Ana", "¿Qué? ¡Ñandú, año!", "Żółć", "Юля", "½ → 3", "O'Neil-Smith (2)"])
def test_the_font_has_what_players_write(text: str) -> None:
    assert drawable(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [("Ana🔥", "Ana"), ("山田 Bea", "Bea"), ("★ Leo ★", "Leo"), ("🔥🔥", ""), ("", ""), ("a\n b\t\u200bc", "a bc")],
)
def test_what_the_font_lacks_is_left_out(text: str, shown: str) -> None:
    assert drawable(text) == shown


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
