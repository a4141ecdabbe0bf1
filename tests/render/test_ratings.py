"""Ratings behind the players' names: a long name is cut, a rating never is."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops

from render import registry
from render.canvas.text import MORE, drawable, fitted_name, width
from render.registry import BOARDS
from render.view import Card

SIZE = 31
LONG = "Anastasia Konstantinopoulou-Fernández"
RATINGS = (("(1532)", "(1488?)"), ("1532 (+11)", "1488? (\N{MINUS SIGN}122)"))


@pytest.mark.parametrize("rating", [one for pair in RATINGS for one in pair])
def test_a_rating_can_be_drawn_and_is_never_cut(rating: str) -> None:
    assert drawable(rating) == rating
    assert fitted_name("Ana", rating, SIZE, 600) == f"Ana {rating}"
    for room in range(250, 500, 10):
        shown = fitted_name(LONG, rating, SIZE, room)
        assert width(shown, SIZE) <= room
        assert shown.endswith(f"{MORE} {rating}")


def test_where_there_is_no_room_for_both_the_name_is_left() -> None:
    assert fitted_name("Ana", "(1532)", SIZE, 90) == "Ana"
    assert fitted_name("Ana", "", SIZE, 600) == "Ana"


def image(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


@pytest.mark.parametrize("key", BOARDS)
@pytest.mark.parametrize("names", [("Ana", "Ben"), (LONG, LONG)], ids=["short", "long"])
def test_every_board_and_card_shows_both_ratings(key: str, names: tuple[str, str]) -> None:
    sample = BOARDS[key].samples()["middle"]
    plain = replace(sample.view, names=names)
    for seat in (0, 1):
        beside = ["", ""]
        beside[seat] = RATINGS[0][seat]
        rated = replace(plain, ratings=(beside[0], beside[1]))
        pictures = [image(registry.picture(key, sample.state, view)) for view in (plain, rated)]
        changed = ImageChops.difference(*pictures).getbbox()
        assert changed is not None
        middle = (changed[1] + changed[3]) / 2
        assert (middle > pictures[0].height / 2) == (seat == sample.view.below)
    cards = [
        image(registry.card(key, sample.state, replace(plain, ratings=ratings), Card(0, "Game", "2 points", "How")))
        for ratings in (("", ""), RATINGS[1])
    ]
    assert cards[1].height > cards[0].height
