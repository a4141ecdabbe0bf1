"""A round of a knockout has one name, wherever it is named."""

from __future__ import annotations

from datetime import UTC

import pytest
from fakes.snapshots import START, SWISS, Made

from bot.core.translations import language
from bot.tournaments.organising import words as log
from bot.tournaments.results.pages import bracket
from bot.tournaments.results.pages.calendar import calendar_page, dates
from bot.tournaments.results.round_names import of_pairing, of_round, sizes
from bot.tournaments.results.words import live_line
from bot.tournaments.tournament import LogEntry
from engine.tournament.model import Format, Result, Stage, Ties

EN, ES = language("en"), language("es")
KNOCKOUT = (Stage(Format.SINGLE_ELIMINATION, third_place=True),)


def first_wins(made: Made, *, drawn: int = 0) -> None:
    """Ends the running games: the last ones of them in draws, all others for the first player."""
    running = made.running
    for place, stored in enumerate(running):
        made.settle(stored, Result.DRAW if place >= len(running) - drawn else Result.FIRST_WINS)


def own(made: Made, code: str = "en") -> dict[str, str]:
    """Returns the names of the pairings of the current round, by their slots."""
    snapshot, plan = made.snapshot, made.snapshot.tournament.plan
    here = [one.pairing for one in snapshot.pairings if one.pairing.round == snapshot.tournament.round]
    return {one.slot: of_pairing(plan, one, sizes(snapshot), language(code)) for one in here}


@pytest.mark.parametrize(
    ("code", "columns"),
    [
        ("en", ["Quarter-finals", "Semi-finals", "Final · Third place"]),
        ("es", ["Cuartos de final", "Semifinales", "Final · Tercer puesto"]),
    ],
)
def test_a_knockout_names_its_rounds_as_its_bracket_does(code: str, columns: list[str]) -> None:
    made, say = Made(KNOCKOUT, 7), language(code)
    for name in columns:
        made.pair()
        number = made.snapshot.tournament.round
        assert of_round(made.snapshot, number, say) == name
        assert set(own(made, code).values()) == set(name.split(" · "))
        assert live_line(made.snapshot, say).startswith(f"{name}: ")
        entry = LogEntry(1, 0, None, "paired", number, {})
        assert name in log.line(entry, log.users_of(made.snapshot), say)
        first_wins(made)
    names = dict.fromkeys(range(1, 8), "?")
    heads = [text for _, text in bracket.view_of(made.snapshot, 1, names, "", say, "classic", None, {}).heads]
    assert sorted(heads) == sorted(" · ".join(columns).split(" · "))


def test_replays_are_named_as_such() -> None:
    """Of eight players two draw. Then two others play their semi-final already."""
    made = Made(KNOCKOUT, 8)
    made.pair()
    first_wins(made, drawn=1)
    made.pair()
    assert own(made) == {"W1-4": "Quarter-finals (replay)", "W2-1": "Semi-finals"}
    assert of_round(made.snapshot, 2, EN) == "Quarter-finals (replay) · Semi-finals"
    first_wins(made)
    made.pair()
    assert of_round(made.snapshot, 3, EN) == "Semi-finals"
    first_wins(made)
    made.pair()
    first_wins(made, drawn=1)
    made.pair()
    assert of_round(made.snapshot, 5, ES) == "Tercer puesto (repetición)"


def test_a_double_elimination_names_the_bracket_too() -> None:
    made = Made((Stage(Format.DOUBLE_ELIMINATION),), 4)
    seen = []
    while made.pair():
        seen.append((of_round(made.snapshot, made.snapshot.tournament.round, EN), own(made)))
        first_wins(made)
    assert [name for name, _ in seen[:3]] == ["Round 1", "Round 2", "Round 3"]
    assert seen[1][1] == {"W2-1": "Winners' bracket · Final", "L1-1": "Losers' bracket · Semi-final"}
    assert seen[3] == ("Grand final", {"F1": "Grand final"})


def test_other_rounds_have_numbers_also_play_offs() -> None:
    made = Made((Stage(Format.ROUND_ROBIN, ties=Ties.PLAY_OFF),), 2)
    made.pair()
    first_wins(made, drawn=1)
    made.pair()
    assert own(made) == {"W1-1": "Round 2"}
    assert of_round(made.snapshot, 2, EN) == "Round 2"


def planned(made: Made) -> list[str]:
    """Returns the names of the rounds in the calendar."""
    found = [date for date in dates(made.snapshot, made.rounds, START) if date.key == "round"]
    shown = calendar_page(made.snapshot, found, "", UTC, EN, "classic", (0, 1))
    return [line.split("**")[1] for line in shown.lines]


def test_a_calendar_names_the_rounds_to_come() -> None:
    made = Made(KNOCKOUT, 8)
    made.pair()
    assert planned(made) == ["Quarter-finals", "Semi-finals", "Final · Third place"]
    first_wins(made, drawn=1)
    made.pair()
    later = ["Semi-finals", "Final · Third place"]
    assert planned(made) == ["Quarter-finals", "Quarter-finals (replay) · Semi-finals", *later]


def test_a_calendar_counts_on_the_knockout_after_a_swiss() -> None:
    made = Made((Stage(Format.SWISS, rounds=2, qualifiers=4), Stage(Format.SINGLE_ELIMINATION)), 6)
    made.pair()
    assert planned(made) == ["Round 1", "Round 2", "Semi-finals", "Final"]
    assert planned(Made(SWISS, 6).rounds_of(1)) == [f"Round {number}" for number in range(1, 6)]
