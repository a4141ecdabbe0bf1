"""Tests the line about a tournament."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.snapshots import SWISS, Made, a_ladder, an_arena

from bot.core.translations import language
from bot.tournaments.results.pages.build import own_sentence
from bot.tournaments.results.standing import Section, lines, progress
from bot.tournaments.results.words import escaped, halves, live_line, points_text
from bot.tournaments.tournament import Status

EN, ES = language("en"), language("es")


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "Round 2: 1 of 2 finished"),
        ({"paused": 5}, "Round 2: 1 of 2 finished · paused"),
        ({"status": Status.OVER}, "The tournament ended early, after round 2 of 5"),
        ({"status": Status.CANCELLED}, "The tournament was cancelled"),
        ({"status": Status.CHECK_IN}, "The tournament has not begun"),
    ],
)
def test_the_live_line(values: dict[str, object], said: str) -> None:
    made = Made(SWISS, 5).rounds_of(2, leave=1)  # the bye of the fifth is no game
    made.set(**values)
    assert live_line(made.snapshot, EN) == said
    assert progress(made.snapshot) == (1, 2)


def test_the_live_line_without_rounds() -> None:
    assert live_line(an_arena(4, 6).snapshot, EN) == "6 games finished, 1 game goes on"
    assert live_line(a_ladder().snapshot, EN) == "2 games played, 1 challenge is open"
    assert live_line(an_arena(2, 1).snapshot, ES).startswith("1 partida terminada, ")
    assert live_line(replace(Made(SWISS, 4).snapshot), ES) == "Se empareja la primera ronda"


@pytest.mark.parametrize(
    ("status", "place", "text"),
    [
        (Status.RUNNING, (3, 3, 2.0), "Vas en el puesto 3 con 2 puntos."),
        (Status.RUNNING, (3, 3, None), "Vas en el puesto 3."),
        (Status.OVER, (3, 3, 2.0), "Quedaste en el puesto 3 con 2 puntos."),
        (Status.OVER, (3, 3, None), "Quedaste en el puesto 3."),
        (Status.OVER, (5, 6, None), "Compartes los puestos 5 y 6."),
        (Status.OVER, (5, 8, None), "Compartes los puestos 5 a 8."),
    ],
)
def test_a_place_is_named_as_one_that_lasts_once_the_tournament_is_over(
    status: Status, place: tuple[int, int, float | None], text: str
) -> None:
    made = Made(SWISS, 4).rounds_of(1)
    snapshot = replace(made.snapshot, tournament=replace(made.snapshot.tournament, status=status))
    line = lines(snapshot, Section(1, 1))[0]
    first, last, points = place
    assert own_sentence(snapshot, replace(line, rank=first, last=last, points=points), ES) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (0.5, "½"), (1, "1"), (2.5, "2½"), (2.25, "2¼"), (0.75, "¾"), (12.0, "12")]
)
def test_points_as_text(value: float, text: str) -> None:
    assert halves(value) == text


def test_points_in_words() -> None:
    said = [points_text(value, EN) for value in (0, 0.5, 1, 1.5)]
    assert said == ["0 points", "½ point", "1 point", "1½ points"]
    assert points_text(1.5, ES) == "1½ puntos"


def test_names_cannot_change_a_message() -> None:
    names = escaped({1: "**x** [y](http://z) <@1> `c`"})
    assert names[1] == "\\*\\*x\\*\\* \\[y\\]\\(http:\u200b//z\\) \\<@1\\> \\`c\\`"
