"""Tests how the choices of a picker are laid out on a phone."""

from __future__ import annotations

import random

import pytest
from harness.thinning import one_of
from harness.walks import drafts, walk

from bot.core.translations import language
from bot.moves import picker
from bot.moves.draft import Draft, follow
from bot.moves.layout import LINES, LONG, TALL_LINES, fits, height, laid_out
from engine.registry import GAMES
from render import registry


def test_rows_of_the_board_are_rows_of_buttons_if_they_fit() -> None:
    layout = laid_out(["c3", "c4", "b1", "b2", "a1"], [2, 2, 1, 1, 0], (), LINES)
    assert (layout.rows, layout.menu) == ([[0, 1], [2, 3], [4]], [])


def test_rows_are_filled_where_the_rows_of_the_board_do_not_fit() -> None:
    layout = laid_out(["c3"] * 15, [row for row in range(5) for _ in range(3)], (), LINES)
    assert ([len(row) for row in layout.rows], layout.menu) == ([5, 5, 5], [])


def test_long_labels_go_into_a_menu_where_they_would_push_the_board_away() -> None:
    labels = ["13 \u2192 10", "8 \u2192 5, hits the soldier", "6 \u2192 3"] * 4
    layout = laid_out(labels, [0] * 12, (), LINES)
    assert layout.menu == [1, 4, 7, 10]
    assert all(len(labels[at]) > LONG for at in layout.menu)
    assert height(layout.rows, labels) < LINES


def test_what_stands_apart_has_the_last_rows() -> None:
    layout = laid_out(["e3", "d4", "f4"], [1, 0, 0], {0}, TALL_LINES)
    assert layout.rows == [[1, 2], [0]]


@pytest.mark.parametrize("key", GAMES)
@one_of("code", ["en", "es"])
def test_in_games_at_random_a_phone_shows_the_board_above_all_choices(key: str, code: str) -> None:
    game, say, seen = GAMES[key], language(code), 0
    most = TALL_LINES if registry.is_tall(key) else LINES
    rng = random.Random(7)
    for state in walk(game, rng, turns=30):
        for drafted in drafts(follow(game, state, Draft()), rng):
            if drafted.complete:
                continue
            rows = [
                row["components"] for row in picker.components(picker.Verbs("1", 0), drafted, say, 0).to_components()
            ]
            choices = [[one.get("label", "") for one in row] for row in rows[:-1]]
            assert sum(height([range(len(labels))], labels) for labels in choices) <= most
            assert all(map(fits, choices))
            shown = [one for row in rows[:-1] for part in row for one in part.get("options", [part])]
            assert len(shown) == len(drafted.offered)
            seen += 1
    assert seen > 20


def test_what_was_seen_to_need_a_second_line_on_a_phone_gets_one() -> None:
    """Measured at 390 pixels in the sandbox: both rows were a few pixels too wide."""
    assert not fits(["13", "9", "5", "1", "Deshacer"])
    assert not fits(["Challenge anyone here", "Another tour"])
    assert fits(["Challenge anyone here", "Tours"])
    assert fits(["d4", "f4", "d3", "e3 \u2192 e4", "f3"])
