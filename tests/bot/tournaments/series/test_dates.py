"""The dates and names of what follows in a series."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from harness.tournaments import plan_of
from hypothesis import given
from hypothesis import strategies as st

from bot.tournaments.series.dates import ANNOUNCED_BEFORE, next_name, next_plan, repeats_at
from bot.tournaments.tournament import NAME_LENGTH, Plan, Repeat, Status, Tournament
from engine.core.hours import DAY, HOUR
from engine.tournament.model import Format


def at(text: str) -> int:
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def date(moment: int | None) -> str:
    assert moment is not None
    return datetime.fromtimestamp(moment / 1000, UTC).strftime("%Y-%m-%d %H:%M")


def repeating(start: str, repeat: Repeat = Repeat.MONTHLY, **more: Any) -> Plan:
    return plan_of(Format.SWISS, rounds=3, starts=at(start), repeat=repeat, **more)


def series(plan: Plan, count: int) -> list[str]:
    found = []
    for _ in range(count):
        assert plan.starts is not None
        plan = next_plan(plan, plan.starts)
        found.append(date(plan.starts)[:10])
    return found


def test_a_week_is_seven_days() -> None:
    assert series(repeating("2026-12-25 18:30", Repeat.WEEKLY), 3) == ["2027-01-01", "2027-01-08", "2027-01-15"]


def test_a_month_keeps_its_day_and_a_short_one_has_it_at_its_end() -> None:
    assert series(repeating("2026-11-30 18:30"), 4) == ["2026-12-30", "2027-01-30", "2027-02-28", "2027-03-30"]
    assert series(repeating("2027-12-31 18:30"), 4) == ["2028-01-31", "2028-02-29", "2028-03-31", "2028-04-30"]


def test_a_start_that_was_moved_is_the_new_day() -> None:
    short = next_plan(repeating("2027-01-31 18:30"), at("2027-02-01 00:00"))
    assert date(short.starts) == "2027-02-28 18:30"
    moved = replace(short, starts=at("2027-02-20 19:00"))
    assert date(next_plan(moved, at("2027-02-21 00:00")).starts) == "2027-03-20 19:00"


def test_the_other_dates_keep_their_distance() -> None:
    dates = {"registration_opens": at("2027-01-29 12:00"), "registration_closes": at("2027-01-31 12:00")}
    moved = next_plan(repeating("2027-01-31 18:30", check_in=HOUR, **dates), at("2027-02-01 00:00"))
    shown = [date(moved.registration_opens), date(moved.registration_closes), date(moved.starts)]
    assert shown == ["2027-02-26 12:00", "2027-02-28 12:00", "2027-02-28 18:30"]


@pytest.mark.parametrize(
    ("now", "more", "start"),
    [
        ("2027-01-08 18:29", {}, "2027-01-08"),
        ("2027-01-08 18:30", {}, "2027-01-15"),
        ("2027-01-08 17:30", {"check_in": HOUR}, "2027-01-15"),
        ("2027-02-06 00:00", {}, "2027-02-12"),
        ("2027-01-08 12:00", {"registration_closes": at("2027-01-01 12:00")}, "2027-01-15"),
    ],
)
def test_what_cannot_be_joined_any_more_is_left_out(now: str, more: dict[str, Any], start: str) -> None:
    moved = next_plan(repeating("2027-01-01 18:30", Repeat.WEEKLY, **more), at(now))
    assert date(moved.starts)[:10] == start


def test_the_next_one_is_announced_three_days_before_it_needs_players() -> None:
    plan = repeating("2027-01-01 18:30", Repeat.WEEKLY)
    assert repeats_at(plan) == at("2027-01-08 18:30") - ANNOUNCED_BEFORE
    assert repeats_at(replace(plan, check_in=DAY)) == at("2027-01-07 18:30") - ANNOUNCED_BEFORE
    opens = replace(plan, registration_opens=at("2026-12-30 18:30"))
    assert repeats_at(opens) == at("2027-01-06 18:30") - ANNOUNCED_BEFORE
    assert repeats_at(replace(plan, starts=None)) is None
    assert repeats_at(replace(plan, repeat=Repeat.NONE)) is None


@given(st.integers(at("2026-01-01 00:00"), at("2040-01-01 00:00")), st.sampled_from([Repeat.WEEKLY, Repeat.MONTHLY]))
def test_of_any_start_the_next_one_is_a_week_or_a_month_later(starts: int, repeat: Repeat) -> None:
    plan = plan_of(Format.SWISS, rounds=3, starts=starts, repeat=repeat)
    moved = next_plan(plan, starts)
    assert moved.starts is not None
    assert (moved.starts - starts) % DAY == 0
    days = (moved.starts - starts) // DAY
    assert days == 7 if repeat is Repeat.WEEKLY else 28 <= days <= 31
    before, after = (datetime.fromtimestamp(moment // 1000, UTC) for moment in (starts, moved.starts))
    if repeat is Repeat.MONTHLY:
        assert (after.year * 12 + after.month) - (before.year * 12 + before.month) == 1
        assert after.day == before.day or (after.day < before.day and after.day >= 28)


@pytest.mark.parametrize(
    ("name", "edition", "following"),
    [
        ("Friday Abak", 1, "Friday Abak 2"),
        ("Friday Abak 2", 2, "Friday Abak 3"),
        ("Friday Abak 41", 1, "Friday Abak 42"),
        ("Spring 2027", 1, "Spring 2027 2"),
        ("Christmas special", 4, "Christmas special 5"),
        ("7", 1, "7 2"),
    ],
)
def test_the_number_in_the_name_counts_on(name: str, edition: int, following: str) -> None:
    plan = repeating("2027-01-01 18:30")
    made = Tournament("t", 1, 2, 3, name, "en", plan, Status.OVER, 0, edition=edition)
    assert next_name(made) == following


def test_a_long_name_has_room_for_its_number() -> None:
    plan = repeating("2027-01-01 18:30")
    made = Tournament("t", 1, 2, 3, "x" * NAME_LENGTH, "en", plan, Status.OVER, 0)
    assert next_name(made) == "x" * (NAME_LENGTH - 2) + " 2"
