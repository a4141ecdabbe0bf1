"""The texts of the bot and the pages tell what was found."""

import re
import runpy
from collections.abc import Iterable
from itertools import pairwise, product
from pathlib import Path

import pytest

from bot.core.translations import language
from engine.core.lesson import PLAN
from engine.games.abak import GAME
from engine.games.apb import GAME as APB
from training.found import apb, store, tables
from training.found.every import TABLES

DOCS = Path(__file__).parents[2] / "docs"


def value(rows: list[list[str]], name: str, at: int = 1) -> float:
    """Returns the figure in the row with this name."""
    return float(next(row for row in rows if row[0].endswith(name))[at].split(" ")[0])


def from_the_rear(opening: tables.Opening) -> bool | None:
    """Whether the best turn moves a stone from 24 or 23; None if one of the other kind is within the error bar."""
    rear = [bool(re.search(r"\b2[34]/", turn)) for turn in opening.turns]
    if (not rear[0]) in rear:
        other = opening.behind(rear.index(not rear[0]))
        if other.value <= other.error:
            return None
    return rear[0]


def rolls(openings: Iterable[tables.Opening], last: str, *, rear: bool) -> str:
    """Names the rolls that begin a game and are best played from the rear, or are not."""
    *first, end = (
        f"{each.roll[0]}-{each.roll[1]}"
        for each in openings
        if each.roll[0] != each.roll[1] and from_the_rear(each) is rear
    )
    return f"{', '.join(first)}{last}{end}"


def figure(cell: str) -> tuple[float, float]:
    """Returns a figure and its error bar."""
    one, error = map(float, cell.removesuffix(" %").split(" ± "))
    return one, error


def test_the_aims_of_abak_are_what_was_found() -> None:
    found = store.lines(DOCS / "findings" / "abak.jsonl")
    openings = {each.roll: each for each in tables.openings(found)}
    for code, page, last in (("en", "findings.md", " and "), ("es", "findings.es.md", " y ")):
        said = language(code)("abak.topic.plan")
        told = " ".join((DOCS / page).read_text(encoding="utf-8").split())
        for text, those in product((said, told), (True, False)):
            assert rolls(openings.values(), last, rear=those) in text
        assert " 0.05 of " in said or " 0.05 de " in said
        shown = next(topic for topic in GAME.topics if topic.key == PLAN)
        assert f"`{shown.steps}`" in said
    opening = openings[4, 3]
    assert opening.turns[0] == shown.steps
    worse = opening.behind(opening.turns.index("24/20 23/20"))
    assert worse.value > worse.error
    assert worse.value == pytest.approx(0.05, abs=0.005)
    orders = tables.order_rows(found)
    assert value(orders, "loses 0.05 points or more") == pytest.approx(100 / 12, abs=0.5)
    assert value(orders, "general goes back") == pytest.approx(100 / 5, abs=2)
    lacking = tables.lacking_rows(found)
    points = {row[0]: float(row[3].split(" ")[0]) for row in lacking}
    assert min(points, key=lambda name: points[name]) == "general"


def test_the_wounded_belong_at_home_the_odd_one_most() -> None:
    """Beyond the error bars, in each part of the board: worse farther back, and the odd one worse than all others."""
    found = store.lines(DOCS / "findings" / "abak.jsonl")
    places = {row[0]: [(0.0, 0.0), *map(figure, row[2:])] for row in tables.place_rows(found)}

    def is_worse(one: tuple[float, float], other: tuple[float, float]) -> bool:
        return other[0] - one[0] > one[1] + other[1]

    for name in ("even wounded", "odd wounded"):
        assert all(is_worse(back, front) for front, back in pairwise(places[name])), name
    odd = places.pop("odd wounded")
    for name, others in places.items():
        assert all(map(is_worse, odd[1:], others[1:])), name


def test_what_a_lone_druid_adds_to_a_prisoner_is_what_was_found() -> None:
    *_, holds, held = tables.prisoner_rows(store.lines(DOCS / "findings" / "abak.jsonl"))
    assert figure(holds[2])[0] > figure(holds[2])[1]
    assert abs(figure(held[2])[0]) < figure(held[2])[1]
    for page in ("findings.md", "findings.es.md"):
        text = (DOCS / page).read_text(encoding="utf-8")
        assert f" {holds[2].lstrip('+')} p" in text
        assert f" {held[2].lstrip('+')}." in text


def test_the_aims_of_apb_are_what_was_found() -> None:
    """Most, beyond the error bars."""
    found = {table.title: table for table in tables.apb(store.lines(DOCS / "findings" / "apb.jsonl"))}

    def told(title: str, name: str, at: int) -> tuple[float, float]:
        cell = next(row for row in found[title].rows if row[0] == name)[at]
        one, error = figure(cell)
        return one - error, one + error

    assert told("Results", "level 7", 6)[0] > 50
    assert told("lead, counted", "2", 3)[0] > 50
    assert told("own beside, behind", "0", 2)[0] > told("own beside, behind", "1", 2)[1]


def test_the_first_steps_of_apb_that_open_a_safe_line_are_counted_by_the_engine() -> None:
    start = APB.start({})
    first = {str(step): APB.apply(start, step) for step in APB.legal(start)}
    lines = [(step, after, last) for step, after in first.items() for last in APB.legal(after)]
    safe = {
        step: f"`{step} {last}`"
        for step, after, last in lines
        if str(last).startswith("e3-") and APB.outcome(APB.apply(after, last)) is None
    }
    for code in ("en", "es"):
        told = next(each for each in language(code)("apb.topic.plan").split(". ") if f" {len(first)} " in each)
        assert f" {len(safe)} " in told
        assert any(turn in told for turn in safe.values())


@pytest.mark.parametrize("page", ["findings.md", "findings.es.md"])
@pytest.mark.parametrize("game", TABLES)
def test_every_figure_of_the_tables_is_what_was_found(game: str, page: str) -> None:
    """Each row of the page's tables is one of the command's, with the same figures in the same order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = sorted((DOCS / "findings").glob(f"{game}*.jsonl"))
    rows = {
        " | ".join(row[1:]).strip("| ")
        for path in found
        for table in TABLES[game](store.lines(path))
        for row in table.rows
    }
    chapter = text[text.index(f"<!-- {game} -->") :].partition("<!-- end -->")[0]
    told = [line.strip("| ").partition(" | ")[2] for line in chapter.splitlines() if "±" in line and line[0] == "|"]
    assert len(told) > 10
    assert [row for row in told if row not in rows] == []


def test_the_openings_of_the_picture_are_the_best_ones() -> None:
    shown = runpy.run_path(str(DOCS.parent / "scripts" / "contact_sheet.py"))["OPENINGS"]
    best = {
        f"{high}-{low}": turns[0]
        for (high, low), turns, _ in tables.openings(store.lines(DOCS / "findings" / "abak.jsonl"))
    }
    assert shown == {roll: best[roll] for roll in shown}
    for page in ("findings.md", "findings.es.md"):
        text = (DOCS / page).read_text(encoding="utf-8")
        assert ", ".join(f"{roll} `{turn}`" for roll, turn in shown.items()) in text
    assert (DOCS / "pictures" / "abak-openings.png").stat().st_size <= 300_000


def test_the_principals_of_the_picture_are_behind_and_sheltered_as_it_says() -> None:
    for beside, text in enumerate(runpy.run_path(str(DOCS.parent / "scripts" / "contact_sheet.py"))["SHELTERED"]):
        found = dict(zip(apb.COUNTED, apb.counts(APB.decode(text)), strict=True))
        assert (found["lead"], found["own beside"]) == (apb.EVEN - 1, beside)
