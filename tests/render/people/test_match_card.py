"""The card of a match looks as it looked when somebody last looked at it; a board shows the score."""

import os
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from PIL import Image, ImageChops

from render import registry
from render.canvas import strip
from render.canvas.sheet import WIDTH, Sheet
from render.people import match_card, pictures
from render.people.views import MatchCard, MatchGame
from render.theme import THEMES

GOLDEN = Path(__file__).parents[2] / "golden" / "matches"
NAMES: Final = ("Ana María", "Benjamín el Grande de los Dados")
HOW: Final = ("gammon", "the double was passed", "resignation")
HEADINGS: Final = MatchGame("", "Winner", "", "Points", "Cube", "Score")


def card(games: int) -> MatchCard:
    rows = tuple(
        MatchGame(
            str(n + 1),
            NAMES[n % 2],
            HOW[n % 3],
            str(1 + n % 4),
            str(2 ** (n % 3)),
            f"{n // 2} \N{EN DASH} {(n + 1) // 2}",
        )
        for n in range(games)
    )
    title, how = "Backgammon · match to 7", "Ana María wins the match."
    return MatchCard(title, NAMES, ("1532 (+11)", ""), ("7", "4"), 0, how, HEADINGS, rows)


SERIES: Final = replace(
    card(3),
    title="Abalone · best of 3",
    winner=None,
    scores=("1½", "1½"),
    headings=replace(HEADINGS, points="", cube=""),
)
CASES: Final = {"short": card(5), "long": card(31), "series": SERIES}


def read(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("case", CASES)
def test_cards_look_as_before(case: str, theme: str) -> None:
    data = pictures.match_card(replace(CASES[case], theme=theme))
    path = GOLDEN / f"{case}-{theme}.png"
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    actual, golden = read(data), read(path.read_bytes())
    assert (actual.size, actual.width) == (golden.size, WIDTH)
    differing = ImageChops.difference(actual, golden).convert("L").histogram()
    assert sum(differing[25:]) <= actual.width * actual.height // 10_000


def test_no_golden_card_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == {f"{case}-{theme}" for case in CASES for theme in THEMES}


@pytest.mark.parametrize("games", [1, match_card.ONE_COLUMN, match_card.ONE_COLUMN + 1, 49])
def test_a_card_says_every_game(games: int, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    text = Sheet.text

    def record(self: Sheet, x: float, y: float, said: str, *args: object, **rest: object) -> None:
        written.append(said)
        text(self, x, y, said, *args, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Sheet, "text", record)
    match_card.draw_match_card(THEMES["wood"], card(games))
    assert [said for said in written if said in map(str, range(1, 50))]
    assert {str(number) for number in range(1, games + 1)} <= set(written)
    brief = games > match_card.ONE_COLUMN
    assert (HOW[0] in written) != brief
    assert {"7", "4", "1532 (+11)"} <= set(written)


@pytest.mark.parametrize("game", registry.BOARDS)
def test_a_board_shows_the_score(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    badge = strip.draw_score

    def record(sheet: Sheet, theme: object, score: str, x: float, y: float) -> None:
        shown.append(score)
        badge(sheet, theme, score, x, y)  # type: ignore[arg-type]

    monkeypatch.setattr(strip, "draw_score", record)
    state, view = registry.BOARDS[game].samples()["middle"]
    registry.fresh(game, state, view)
    assert shown == []
    with_score = replace(view, scores=("3/7", "12/7"), ratings=("(1532)", "(1488?)"))
    registry.fresh(game, state, with_score)
    assert sorted(shown) == ["12/7", "3/7"]
