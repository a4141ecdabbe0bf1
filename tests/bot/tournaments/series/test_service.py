"""The next tournament of a series: when it is announced, what it is like, when it is the last; and the season."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from harness.tournaments import Desk, plan_of

from bot.core.translations import language
from bot.tournaments.organising import words
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.series.dates import repeats_at
from bot.tournaments.series.repository import LOOK, PODIUM_WAIT
from bot.tournaments.series.service import SeriesService
from bot.tournaments.tournament import Plan, PlayerStatus, Repeat, Status, Tournament
from engine.core.errors import Refused
from engine.core.hours import DAY, HOUR
from engine.tournament.model import Format

if TYPE_CHECKING:
    from fakes.clock import Clock

    from bot.core.storage.database import Database

OWNER = 9


def weekly(clock: Clock, **more: Any) -> Plan:
    """Returns the plan of a knockout that starts in a day, and then every week."""
    return plan_of(Format.SINGLE_ELIMINATION, **{"starts": clock() + DAY, "repeat": Repeat.WEEKLY} | more)


async def announced(desk: Desk) -> list[Tournament]:
    """Announces what is due, after the time for a podium; returns all tournaments, the oldest first."""
    desk.clock.pass_seconds(PODIUM_WAIT / 1000)
    await desk.services[SeriesService].announce_due()
    return sorted(await desk.service.of_server(1, set(Status)), key=lambda one: one.edition)


async def newest(desk: Desk) -> Tournament:
    """Returns the newest tournament, which the desk then goes on with."""
    found = (await announced(desk))[-1]
    desk.tournament_id = found.id
    return found


async def played(desk: Desk, plan: Plan, players: int = 4) -> None:
    """Plays a tournament to its end."""
    await desk.create(plan, players)
    await to_the_end(desk)


async def to_the_end(desk: Desk) -> None:
    await desk.go_on(DAY // 1000)
    await desk.play_on(3)
    assert (await desk.snapshot()).tournament.status is Status.OVER


async def to_the_start(desk: Desk, players: int) -> None:
    """Enters so many players in the newest tournament, and waits until its start."""
    tournament = await newest(desk)
    for number in range(1, players + 1):
        await desk.enter(1000 + number)
    assert tournament.plan.starts is not None
    await desk.go_on((tournament.plan.starts - desk.clock()) / 1000)


async def by(desk: Desk) -> By:
    return By(OWNER, "So it is.", await desk.services[OrganiserService].last_seq(desk.tournament_id))


# --- the next one ----------------------------------------------------------------------------------------------------


@pytest.mark.both_databases
async def test_when_one_ends_the_next_one_is_announced_with_the_same_settings(desk: Desk, clock: Clock) -> None:
    plan = weekly(clock, check_in=0, registration_closes=clock() + DAY - HOUR, capacity=12, least=3, season=4)
    await desk.create(plan, 4)
    await desk.services[OrganiserService].appoint(desk.tournament_id, await by(desk), 77, adds=True)
    await to_the_end(desk)
    first, second = await announced(desk)
    assert first.repeat_at is None
    assert second.status is Status.REGISTRATION
    assert (second.name, second.owner, second.channel_id, second.locale) == ("Cup 2", OWNER, 100, "en")
    assert (second.series, second.edition) == (first.id, 2)
    moved = {key: getattr(plan, key) + 7 * DAY for key in ("starts", "registration_closes")}
    assert second.plan == replace(plan, **moved)
    assert second.shown < second.version or second.version == 0  # so its announcement is due
    assert second.next_at == second.plan.starts
    assert await desk.service.organisers(second.id) == [77]
    snapshot = await desk.service.snapshot(second.id)
    assert (snapshot.players, snapshot.pairings) == ((), ())
    (entry,) = await desk.service.repository.log_of(second.id, 9)
    assert (entry.act, entry.actor) == ("repeated", None)


async def test_the_next_one_waits_for_the_podium_of_the_last_but_not_for_long(desk: Desk, clock: Clock) -> None:
    series, rounds = desk.services[SeriesService], desk.rounds.repository

    async def count() -> int:
        await series.announce_due()
        return len(await desk.service.of_server(1, set(Status)))

    await played(desk, weekly(clock))
    clock.pass_seconds(30)  # sending takes long
    assert await count() == 1
    assert await series.repository.next_due(clock()) == clock() + LOOK
    (closing,) = await rounds.closing(clock(), 9, clock() + HOUR)
    assert await count() == 1
    await rounds.close_later(closing.tournament, None)
    assert await count() == 2
    assert await series.repository.next_due(clock()) is None
    await to_the_start(desk, 2)
    await desk.play_on(2)
    clock.pass_seconds(PODIUM_WAIT / 1000)  # the podium cannot be sent
    assert await count() == 3


async def test_the_third_belongs_to_the_first(desk: Desk, clock: Clock) -> None:
    await played(desk, weekly(clock))
    await to_the_start(desk, 2)
    await desk.play_on(2)
    first, second, third = await announced(desk)
    assert (third.series, third.edition, third.name) == (first.id, 3, "Cup 3")
    assert third.plan.starts == (second.plan.starts or 0) + 7 * DAY


async def test_what_does_not_repeat_has_no_next_one(desk: Desk, clock: Clock) -> None:
    await played(desk, weekly(clock, repeat=Repeat.NONE))
    assert len(await announced(desk)) == 1


@pytest.mark.both_databases
async def test_there_are_never_two_successors(desk: Desk, clock: Clock, database: Database) -> None:
    """Two processes at once, one that has died after the announcement, and a later correction."""
    await played(desk, weekly(clock))
    other = Desk.on(database, clock)
    await asyncio.gather(*(one.services[SeriesService].announce_next(desk.tournament_id) for one in (desk, other)))
    assert len(await announced(desk)) == 2
    async with desk.service.changing(desk.tournament_id) as change:
        await change.set(replace(change.tournament, repeat_at=clock()))
    first, _ = await announced(desk)
    assert first.repeat_at is None


async def test_of_a_failure_nothing_is_left_and_it_is_tried_again(desk: Desk, clock: Clock) -> None:
    await played(desk, weekly(clock))
    series = desk.services[SeriesService]
    copy = series.repository.copy_organisers

    async def fails(*_: object) -> None:
        raise RuntimeError("killed")

    series.repository.copy_organisers = fails  # type: ignore[method-assign]
    assert len(await announced(desk)) == 1
    series.repository.copy_organisers = copy  # type: ignore[method-assign]
    assert len(await announced(desk)) == 2


async def test_a_long_one_is_followed_at_its_planned_time(desk: Desk, clock: Clock) -> None:
    await desk.create(weekly(clock), 4)
    await desk.go_on(DAY // 1000)
    tournament = (await desk.snapshot()).tournament
    assert tournament.repeat_at == repeats_at(tournament.plan) == (tournament.plan.starts or 0) + 4 * DAY
    desk.clock.pass_seconds(4 * DAY // 1000 - 100)
    assert len(await announced(desk)) == 1
    desk.clock.pass_seconds(100)
    _, second = await announced(desk)
    assert second.plan.starts == (tournament.plan.starts or 0) + 7 * DAY
    await desk.play_on(3)
    assert (await desk.snapshot()).tournament.status is Status.OVER
    assert len(await announced(desk)) == 2


async def test_after_a_long_outage_the_next_one_is_ahead(desk: Desk, clock: Clock) -> None:
    await played(desk, weekly(clock))
    started = (await desk.snapshot()).tournament.plan.starts or 0
    clock.pass_seconds(30 * DAY // 1000)
    assert (await newest(desk)).plan.starts == started + 35 * DAY


# --- the last one ----------------------------------------------------------------------------------------------------


async def test_too_few_players_do_not_end_a_series_but_twice_do(desk: Desk, clock: Clock) -> None:
    await desk.create(weekly(clock), 1)
    await desk.go_on(DAY // 1000)
    assert (await desk.snapshot()).tournament.status is Status.CANCELLED
    await to_the_start(desk, 1)
    assert (await desk.snapshot()).tournament.status is Status.CANCELLED
    assert len(await announced(desk)) == 2
    entries = await desk.service.repository.log_of(desk.tournament_id, 1)
    assert [entry.act for entry in entries] == ["series_stopped"]


async def test_one_that_is_played_lets_it_go_on(desk: Desk, clock: Clock) -> None:
    await desk.create(weekly(clock), 0)
    await desk.go_on(DAY // 1000)
    await to_the_start(desk, 2)
    await desk.play_on(1)
    await to_the_start(desk, 0)
    assert [one.status for one in await announced(desk)] == [
        Status.CANCELLED,
        Status.OVER,
        Status.CANCELLED,
        Status.REGISTRATION,
    ]


@pytest.mark.parametrize("runs", [False, True])
async def test_cancelling_one_keeps_the_series_unless_that_ends_too(desk: Desk, clock: Clock, *, runs: bool) -> None:
    await desk.create(weekly(clock), 2)
    if runs:
        await desk.go_on(DAY // 1000)
    organising = desk.services[OrganiserService]
    entry = await organising.cancel(desk.tournament_id, await by(desk))
    assert [one.status for one in await announced(desk)] == [Status.CANCELLED, Status.REGISTRATION]
    line = words.line(entry, words.users_of(await desk.snapshot()), language("en"))
    assert language("en")("tournament.act.series_goes_on") in line
    await organising.undo(desk.tournament_id, await by(desk))
    desk.clock.pass_seconds(30 * DAY // 1000)
    await desk.services[SeriesService].announce_due()
    second = [one for one in await announced(desk) if one.edition == 2]
    assert len(second) == 1  # it is not announced twice


@pytest.mark.parametrize("runs", [False, True])
async def test_an_organiser_ends_it_by_cancelling_and_may_undo_that(desk: Desk, clock: Clock, *, runs: bool) -> None:
    await desk.create(weekly(clock), 2)
    if runs:
        await desk.go_on(DAY // 1000)
    organising = desk.services[OrganiserService]
    entry = await organising.cancel(desk.tournament_id, await by(desk), ends_series=True)
    line = words.line(entry, words.users_of(await desk.snapshot()), language("en"))
    assert language("en")("tournament.act.series_ends") in line
    desk.clock.pass_seconds(30 * DAY // 1000)
    assert len(await announced(desk)) == 1
    await organising.undo(desk.tournament_id, await by(desk))
    tournament = (await desk.snapshot()).tournament
    assert tournament.repeat_at == (repeats_at(tournament.plan) if runs else None)


def to(**plan: Any) -> Any:
    return lambda tournament: replace(tournament, plan=replace(tournament.plan, **plan))


async def test_an_organiser_ends_it_while_it_runs_and_begins_it_again(desk: Desk, clock: Clock) -> None:
    await desk.create(weekly(clock), 2)
    await desk.go_on(DAY // 1000)
    organising = desk.services[OrganiserService]
    await organising.edit(desk.tournament_id, await by(desk), to(repeat=Repeat.NONE))
    assert (await desk.snapshot()).tournament.repeat_at is None
    desk.clock.pass_seconds(30 * DAY // 1000)
    assert len(await announced(desk)) == 1
    await organising.undo(desk.tournament_id, await by(desk))
    assert (await desk.snapshot()).tournament.plan.repeat is Repeat.WEEKLY
    assert len(await announced(desk)) == 2


async def test_while_it_runs_nothing_else_changes(desk: Desk, clock: Clock) -> None:
    await desk.create(weekly(clock), 2)
    await desk.go_on(DAY // 1000)
    organising = desk.services[OrganiserService]
    with pytest.raises(Refused, match="edit_started"):
        await organising.edit(desk.tournament_id, await by(desk), to(repeat=Repeat.MONTHLY, capacity=3))
    await organising.edit(desk.tournament_id, await by(desk), to(repeat=Repeat.MONTHLY, season=4))
    await desk.play_on(1)
    with pytest.raises(Refused, match="edit_started"):
        await organising.edit(desk.tournament_id, await by(desk), to(repeat=Repeat.NONE))


async def test_what_repeats_needs_a_start(desk: Desk, clock: Clock) -> None:
    await desk.create(weekly(clock), 2)
    with pytest.raises(Refused, match=r"problem\.repeat"):
        await desk.services[OrganiserService].edit(desk.tournament_id, await by(desk), to(starts=None))


async def test_a_series_without_its_owner_ends(desk: Desk, clock: Clock) -> None:
    await desk.create(weekly(clock), 2)
    async with desk.service.changing(desk.tournament_id) as change:
        await change.set(replace(change.tournament, owner=-5))
    await to_the_end(desk)
    assert len(await announced(desk)) == 1


# --- the season ------------------------------------------------------------------------------------------------------


async def season(desk: Desk) -> tuple[int, bool, list[tuple[int, int, Fraction]]]:
    found = await desk.services[SeriesService].season((await desk.snapshot()).tournament)
    assert found is not None
    return found.part, found.former, [(one.rank, one.who, one.points) for one in found.table]


@pytest.mark.both_databases
async def test_the_points_of_a_season_are_summed(desk: Desk, clock: Clock) -> None:
    await played(desk, weekly(clock, season=2))
    first = [(1, 1001, 10), (2, 1002, 7)]
    shared = [(3, 1003, Fraction(9, 2)), (3, 1004, Fraction(9, 2))]
    assert await season(desk) == (1, False, first + shared)
    await newest(desk)
    assert await season(desk) == (2, False, first + shared)
    await to_the_start(desk, 2)
    desk.decide = lambda _: 2
    await desk.play_on(1)
    both = [(1, 1001, 17), (1, 1002, 17), *shared]
    assert await season(desk) == (2, False, both)
    await newest(desk)
    assert await season(desk) == (1, True, both)  # a new season: how the last one ended
    await to_the_start(desk, 2)
    await desk.play_on(1)
    assert (await season(desk))[2] == [(1, 1002, 10), (2, 1001, 7)]


async def test_who_was_expelled_or_is_gone_has_no_points(desk: Desk, clock: Clock) -> None:
    await played(desk, weekly(clock, season=4))
    async with desk.service.changing(desk.tournament_id) as change:
        one, two, *_ = change.snapshot.players
        await change.set_players(replace(one, status=PlayerStatus.EXPELLED), replace(two, user_id=-3))
    assert [user_id for _, user_id, _ in (await season(desk))[2]] == [1003, 1004]


async def test_without_points_there_is_no_season(desk: Desk, clock: Clock) -> None:
    await played(desk, weekly(clock))
    series = desk.services[SeriesService]
    assert await series.season((await desk.snapshot()).tournament) is None
    alone = replace((await desk.snapshot()).tournament.plan, repeat=Repeat.NONE, season=4)
    assert await series.season(replace((await desk.snapshot()).tournament, plan=alone)) is None
