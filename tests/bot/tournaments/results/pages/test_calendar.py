"""The dates of a tournament, in order of time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import Any

import pytest
from fakes.result_pages import drawn, page
from fakes.snapshots import START, SWISS, Made

from bot.core.translations import language
from bot.tournaments.results.pages.build import CALENDAR
from bot.tournaments.results.pages.calendar import State, calendar_page, dates
from bot.tournaments.tournament import Status
from engine.core.hours import DAY, HOUR
from engine.tournament.model import Format, Stage


@pytest.mark.parametrize("check_in", [0, HOUR])
def test_a_calendar_has_a_check_in_only_where_there_is_one(check_in: int) -> None:
    made = Made(SWISS, 4)
    plan = replace(made.snapshot.tournament.plan, starts=START, check_in=check_in)
    made.set(status=Status.REGISTRATION, started=None, plan=plan)
    found = [(one.begins, one.ends) for one in dates(made.snapshot, (), START - DAY) if one.key == "check_in"]
    assert found == ([(START - HOUR, START)] if check_in else [])


@pytest.mark.parametrize("players", [0, 3, 9])
def test_a_calendar_has_its_rounds_before_the_start(players: int) -> None:
    """Whoever is in counts, and at least the fewest players with whom it is played."""
    made = Made((Stage(Format.SINGLE_ELIMINATION),), players)
    for number in range(1, players + 1):
        made.player(number, seed=0)
    plan = replace(made.snapshot.tournament.plan, least=4)
    made.set(status=Status.REGISTRATION, started=None, plan=plan)
    found = dates(made.snapshot, (), START)
    assert [one.key for one in found] == ["start", *["round"] * (4 if players == 9 else 2)]
    shown = calendar_page(made.snapshot, found, "", UTC, language("en"), "classic", (0, 1))
    assert "lasts up to 7 days" in shown.lines[1]


def test_a_calendar_counts_the_breaks_and_knows_when_the_one_that_goes_on_ends() -> None:
    made = Made(SWISS, 4).rounds_of(1)
    tournament = made.snapshot.tournament

    def planned(**changes: Any) -> list[tuple[int | None, int | None]]:
        plan = replace(tournament.plan, round_break=DAY, **changes)
        snapshot = replace(made.snapshot, tournament=replace(tournament, plan=plan, break_until=START))
        found = dates(snapshot, made.rounds, START)
        return [(date.begins, date.ends) for date in found if date.state is State.PLANNED]

    second, third, *_ = planned()
    assert second == (START, START + 7 * DAY)
    assert third == (START + 8 * DAY, START + 15 * DAY)
    assert planned(round_length=0)[:2] == [(START, None), (None, None)]


async def test_a_calendar_says_in_which_time_zone_it_is() -> None:
    built = await page(Made(SWISS, 4).rounds_of(1), CALENDAR)
    assert drawn(built).zone == "UTC"
    assert built.page.alt()[0][-1] == "UTC"
    assert "UTC" not in "".join(built.page.lines)  # Discord shows those in the reader's own
