"""Joining and leaving on both databases: at once, at capacity, late, in check-in, and who may not."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from bot.notifications.tables import notifications
from bot.tournaments.registration.entering import players_in, waiting_list
from bot.tournaments.registration.notices import MOVED_UP
from bot.tournaments.registration.service import DRAFTS_KEPT
from bot.tournaments.registration.templates import TEMPLATES
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import NEVER, Eligibility, Status, TournamentSnapshot
from engine.core.errors import Refused
from engine.core.hours import DAY, HOUR
from engine.tournament.model import Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fakes.clock import Clock

    from bot.core.services import Services
    from bot.tournaments.registration.service import RegistrationService
    from bot.tournaments.tournament import Tournament

    Opened = Callable[..., Awaitable[Tournament]]

OWNER, GUILD, CHANNEL = 900, 7, 70
ANA, BEN, EVE, MAX = 11, 22, 33, 44


async def snapshot_of(services: Services, tournament: Tournament) -> TournamentSnapshot:
    return await services[TournamentService].snapshot(tournament.id)


def inside(snapshot: TournamentSnapshot) -> list[int]:
    return [player.user_id for player in players_in(snapshot.players)]


async def refusal(work: Awaitable[object]) -> str:
    with pytest.raises(Refused) as caught:
        await work
    return caught.value.key


@pytest.mark.both_databases
async def test_two_clicks_at_once_join_once(
    registration: RegistrationService, services: Services, opened: Opened
) -> None:
    cup = await opened()
    clicks = await asyncio.gather(*(registration.join(cup.id, ANA, ()) for _ in range(4)), return_exceptions=True)
    assert sorted(getattr(one, "key", "in") for one in clicks) == ["in", *["tournament.join.already"] * 3]
    assert inside(await snapshot_of(services, cup)) == [ANA]


@pytest.mark.both_databases
async def test_the_last_place_is_given_once(
    registration: RegistrationService, services: Services, opened: Opened
) -> None:
    cup = await opened(capacity=3)
    crowd = range(100, 108)
    joined = await asyncio.gather(*(registration.join(cup.id, user, ()) for user in crowd))
    assert sorted(one.waiting for one in joined) == [0, 0, 0, 1, 2, 3, 4, 5]
    snapshot = await snapshot_of(services, cup)
    assert len(inside(snapshot)) == 3
    assert sorted(player.number for player in snapshot.players) == [*range(1, 9)]


@pytest.mark.parametrize(("clock_of_games", "urgent"), [("3d/move", False), ("5m+3s", True)])
async def test_who_moves_up_into_live_play_is_told_in_quiet_hours_too(
    registration: RegistrationService, services: Services, opened: Opened, clock_of_games: str, *, urgent: bool
) -> None:
    cup = await opened(capacity=1, clock=clock_of_games)
    for user in (ANA, BEN):
        await registration.join(cup.id, user, ())
    await registration.leave(cup.id, ANA)
    async with services.database.reading() as connection:
        (body,) = await connection.scalars(select(notifications.c.body))
    assert json.loads(body)["urgent"] is urgent


async def test_the_first_on_the_waiting_list_moves_up_and_is_told(
    registration: RegistrationService, services: Services, opened: Opened, clock: Clock
) -> None:
    cup = await opened(capacity=2)
    for user in (ANA, BEN, EVE, MAX):
        await registration.join(cup.id, user, ())
        clock.pass_seconds(1)
    assert await refusal(registration.join(cup.id, MAX, ())) == "tournament.join.waiting"
    await registration.leave(cup.id, ANA)
    snapshot = await snapshot_of(services, cup)
    assert inside(snapshot) == [BEN, EVE]
    assert [player.user_id for player in waiting_list(snapshot.players)] == [MAX]
    async with services.database.reading() as connection:
        rows = list(await connection.execute(select(notifications.c.user_id, notifications.c.kind)))
    assert [tuple(row) for row in rows] == [(EVE, MOVED_UP)]
    again = await registration.join(cup.id, ANA, ())
    assert again.waiting == 2
    snapshot = await snapshot_of(services, cup)
    assert len(snapshot.players) == 4  # the same row, at the end of the list
    assert [player.user_id for player in waiting_list(snapshot.players)] == [MAX, ANA]


@pytest.mark.both_databases
async def test_who_leaves_at_once_with_another_leaves_no_hole(
    registration: RegistrationService, services: Services, opened: Opened
) -> None:
    cup = await opened(capacity=4)
    for user in range(100, 108):
        await registration.join(cup.id, user, ())
    leaving = [user for user in range(100, 104) if user != 102]
    await asyncio.gather(*(registration.leave(cup.id, user) for user in leaving))
    snapshot = await snapshot_of(services, cup)
    assert inside(snapshot) == [102, 104, 105, 106]
    assert await refusal(registration.leave(cup.id, 100)) == "tournament.leave.not_in"


@pytest.mark.parametrize(
    ("wanted", "key"),
    [
        (Eligibility(role_id=5), "tournament.join.role"),
        (Eligibility(lowest=1600), "tournament.join.low"),
        (Eligibility(highest=1400), "tournament.join.high"),
        (Eligibility(games=3), "tournament.join.games"),
    ],
)
async def test_only_who_is_eligible_joins(
    registration: RegistrationService, opened: Opened, wanted: Eligibility, key: str
) -> None:
    cup = await opened(eligibility=wanted)
    assert await refusal(registration.join(cup.id, ANA, [6])) == key
    await registration.join(cup.id, BEN, (), organiser=OWNER)
    if wanted.role_id:
        await registration.join(cup.id, ANA, [wanted.role_id])


async def test_registration_has_its_times(
    registration: RegistrationService, services: Services, opened: Opened, clock: Clock
) -> None:
    now = clock()
    cup = await opened(registration_opens=now + HOUR, registration_closes=now + DAY, starts=now + 2 * DAY)
    assert await refusal(registration.join(cup.id, ANA, ())) == "tournament.join.early"
    clock.pass_seconds(3600)
    await registration.join(cup.id, ANA, ())
    clock.pass_seconds(23 * 3600)
    assert await refusal(registration.join(cup.id, BEN, ())) == "tournament.join.closed"
    async with services[TournamentService].changing(cup.id) as change:
        await change.set(replace(change.tournament, status=Status.OVER))
    assert await refusal(registration.join(cup.id, BEN, ())) == "tournament.join.over"


async def test_players_check_in_also_those_who_wait(
    registration: RegistrationService, services: Services, opened: Opened, clock: Clock
) -> None:
    cup = await opened(capacity=2, starts=clock() + DAY, check_in=HOUR)
    for user in (ANA, BEN, EVE, MAX):
        await registration.join(cup.id, user, ())
    assert await refusal(registration.check_in(cup.id, ANA)) == "tournament.check_in.not_now"
    clock.pass_seconds(23 * 3600)
    await services[RoundService].advance(cup.id)
    assert (await services[TournamentService].get(cup.id)).status is Status.CHECK_IN
    assert (await registration.join(cup.id, ANA, ())).checked_in
    assert await refusal(registration.join(cup.id, ANA, ())) == "tournament.check_in.done"
    assert (await registration.join(cup.id, MAX, ())).waiting == 1  # before Eve, who has not checked in
    clock.pass_seconds(3600)
    await services[RoundService].advance(cup.id)
    assert sorted(inside(await snapshot_of(services, cup))) == [ANA, MAX]


async def test_late_entry_while_the_plan_allows_it(
    registration: RegistrationService, services: Services, opened: Opened
) -> None:
    cup = await opened(late_entries=2)
    for user in range(100, 106):
        await registration.join(cup.id, user, ())
    await services[RoundService].start(cup.id, OWNER)
    await services[RoundService].advance(cup.id)
    joined = await registration.join(cup.id, ANA, ())
    assert joined.first_round == 2
    player = (await snapshot_of(services, cup)).of_user(ANA)
    assert player is not None
    assert (player.seed, player.section, player.first_round) == (7, 1, 2)
    async with services[TournamentService].changing(cup.id) as change:
        await change.set(replace(change.tournament, round=2))
    assert await refusal(registration.join(cup.id, BEN, ())) == "tournament.join.late"


async def test_nobody_enters_a_knockout_that_has_begun(
    registration: RegistrationService, services: Services, opened: Opened
) -> None:
    cup = await opened("backgammon_knockout")
    for user in range(100, 104):
        await registration.join(cup.id, user, ())
    await services[RoundService].start(cup.id, OWNER)
    assert await refusal(registration.join(cup.id, ANA, ())) == "tournament.join.started"
    await registration.leave(cup.id, 100)
    assert await refusal(registration.join(cup.id, 100, ())) == "tournament.join.withdrew"


async def test_a_player_joins_an_arena_and_a_ladder_that_run(
    registration: RegistrationService, services: Services, opened: Opened
) -> None:
    for template in ("arena", "ladder"):
        cup = await opened(template)
        for user in (100, 101):
            await registration.join(cup.id, user, ())
        await services[RoundService].start(cup.id, OWNER)
        await registration.join(cup.id, ANA, ())
        player = (await snapshot_of(services, cup)).of_user(ANA)
        assert player is not None
        assert (player.free_since is not None, player.ladder_place) == (
            (template == "arena"),
            3 if template == "ladder" else None,
        )


async def test_seeds_are_set_by_hand_one_by_one(
    registration: RegistrationService, services: Services, opened: Opened
) -> None:
    cup = await opened()
    for user in (ANA, BEN, EVE):
        await registration.join(cup.id, user, ())
    await registration.seed(cup.id, EVE, 1)
    await registration.seed(cup.id, BEN, 1)
    assert [one.user_id for one in await registration.seed(cup.id, EVE, 5)] == [BEN, EVE]
    assert await refusal(registration.seed(cup.id, MAX, 1)) == "tournament.seed.unknown"
    await services[RoundService].start(cup.id, OWNER)
    snapshot = await snapshot_of(services, cup)
    assert {player.user_id: player.seed for player in snapshot.players} == {BEN: 1, EVE: 2, ANA: 3}
    assert await refusal(registration.seed(cup.id, ANA, 1)) == "tournament.seed.started"


async def test_a_draft_is_its_owners_alone(registration: RegistrationService, services: Services) -> None:
    draft = await registration.draft(GUILD, CHANNEL, OWNER, "Cup", "en", TEMPLATES["ladder"])
    for work in (
        registration.edit(draft.id, ANA, lambda one: replace(one, name="mine")),
        registration.open(draft.id, ANA),
        registration.discard(draft.id, ANA),
    ):
        assert await refusal(work) == "tournament.draft.gone"
    assert await refusal(registration.join(draft.id, ANA, ())) == "tournament.unknown"
    assert [one.id for one in await registration.drafts(GUILD, OWNER)] == [draft.id]
    opened = await registration.open(draft.id, OWNER)
    assert (opened.status, opened.next_at) == (Status.REGISTRATION, NEVER)
    assert await refusal(registration.open(draft.id, OWNER)) == "tournament.draft.gone"
    assert await refusal(registration.discard(draft.id, OWNER)) == "tournament.draft.gone"
    assert (await services[TournamentService].get(draft.id)).status is Status.REGISTRATION


@pytest.mark.both_databases
async def test_old_drafts_are_deleted_and_nothing_else(
    registration: RegistrationService, services: Services, opened: Opened, clock: Clock
) -> None:
    kept = await opened()
    old = await registration.draft(GUILD, CHANNEL, OWNER, "Old", "en", TEMPLATES["ladder"])
    clock.pass_seconds(DRAFTS_KEPT / 1000 + 1)
    new = await registration.draft(GUILD, CHANNEL, OWNER, "New", "en", TEMPLATES["ladder"])
    assert await registration.forget_drafts(50) == 1
    assert [one.id for one in await registration.drafts(GUILD, OWNER)] == [new.id]
    assert await refusal(services[TournamentService].get(old.id)) == "tournament.unknown"
    assert (await services[TournamentService].get(kept.id)).status is Status.REGISTRATION


async def test_who_enters_late_is_paired_in_the_next_round(
    registration: RegistrationService, services: Services, opened: Opened
) -> None:
    cup = await opened(late_entries=2)
    for user in range(100, 106):
        await registration.join(cup.id, user, ())
    rounds = services[RoundService]
    await rounds.start(cup.id, OWNER)
    await rounds.advance(cup.id)
    await registration.join(cup.id, ANA, ())
    await registration.join(cup.id, BEN, ())
    async with services[TournamentService].changing(cup.id) as change:
        for stored in change.snapshot.pairings:
            if stored.result is None:
                await rounds.settle(change, stored, Result.FIRST_WINS, "organiser")
    await rounds.advance(cup.id)
    snapshot = await snapshot_of(services, cup)
    assert snapshot.tournament.round == 2
    paired = {number for one in snapshot.pairings if one.pairing.round == 2 for number in one.pairing.players}
    assert paired == set(range(1, 9))


async def test_a_machine_never_waits_for_a_place(
    registration: RegistrationService, services: Services, opened: Opened
) -> None:
    cup = await opened(capacity=2)
    await registration.join(cup.id, ANA, ())
    await registration.add_machine(cup.id, 3)
    assert await refusal(registration.add_machine(cup.id, 4)) == "tournament.join.full"
    assert (await registration.join(cup.id, BEN, ())).waiting == 1
    assert inside(await snapshot_of(services, cup)) == [ANA, 3]


async def test_a_machine_enters_late_as_anybody_and_comes_back_before_the_start_only(
    registration: RegistrationService, services: Services, opened: Opened
) -> None:
    cup = await opened(late_entries=2)
    for user in (ANA, BEN, EVE):
        await registration.join(cup.id, user, ())
    rounds = services[RoundService]
    await registration.add_machine(cup.id, 3)
    await rounds.withdraw(cup.id, 3)
    await registration.add_machine(cup.id, 3)
    await rounds.start(cup.id, OWNER)
    await registration.add_machine(cup.id, 4)
    snapshot = await snapshot_of(services, cup)
    assert [(player.user_id, player.number) for player in snapshot.players][-2:] == [(3, 4), (4, 5)]
    await rounds.withdraw(cup.id, 3)
    assert await refusal(registration.add_machine(cup.id, 3)) == "tournament.machine.out"
    closed = await opened(late_entries=0)
    for user in (ANA, BEN):
        await registration.join(closed.id, user, ())
    await rounds.start(closed.id, OWNER)
    assert await refusal(registration.add_machine(closed.id, 3)) == "tournament.join.started"
