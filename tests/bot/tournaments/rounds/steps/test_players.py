"""Tests who plays: starts, absences, late entries, byes, leaving."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from harness.tournaments import Desk, plan_of

from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.rounds.steps.starting import withdrawn
from bot.tournaments.tournament import PlayerStatus, Seeding, Status
from engine.core.errors import Refused
from engine.core.hours import HOUR
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fakes.clock import Clock

SWISS = Format.SWISS


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """One is enough: ``test_results`` has the transactions on both."""
    return sqlite_url


async def test_a_tournament_starts_by_itself_after_the_check_in(desk: Desk, clock: Clock) -> None:
    await desk.create(plan_of(SWISS, starts=clock() + 3 * HOUR, check_in=HOUR, capacity=3), 3)
    await desk.enter(1004, status=PlayerStatus.WAITING)
    await desk.go_on(1.9 * 3600)
    assert (await desk.snapshot()).tournament.status is Status.REGISTRATION
    await desk.go_on(0.2 * 3600)
    assert (await desk.snapshot()).tournament.status is Status.CHECK_IN
    async with desk.service.changing(desk.tournament_id) as change:
        here = [replace(player, checked_in=True) for player in change.snapshot.players if player.number in {1, 3, 4}]
        await change.set_players(*here)
    await desk.go_on(3600)
    snapshot = await desk.snapshot()
    assert snapshot.tournament.status is Status.RUNNING
    assert [player.status.value for player in snapshot.players] == ["in", "withdrawn", "in", "in"]
    assert snapshot.player(2).reason == "no_show"
    assert sorted(player.seed for player in snapshot.players) == [0, 1, 2, 3]
    assert "no_show" in await desk.acts()


async def test_too_few_players(desk: Desk, clock: Clock) -> None:
    await desk.create(plan_of(SWISS, starts=clock() + HOUR, least=4), 3)
    with pytest.raises(Refused, match=r"tournament\.rounds\.too_few"):
        await desk.rounds.start(desk.tournament_id, 9)
    assert (await desk.snapshot()).tournament.status is Status.REGISTRATION
    await desk.go_on(3600)
    assert (await desk.snapshot()).tournament.status is Status.CANCELLED
    with pytest.raises(Refused, match=r"tournament\.rounds\.started"):
        await desk.rounds.start(desk.tournament_id, 9)


@pytest.mark.parametrize(("seeding", "seeds"), [(Seeding.RATING, [1, 2, 3]), (Seeding.HAND, [3, 1, 2])])
async def test_seeds(desk: Desk, seeding: Seeding, seeds: Sequence[int]) -> None:
    await desk.create(plan_of(SWISS, seeding=seeding), 3)
    async with desk.service.changing(desk.tournament_id) as change:
        await change.set_players(replace(change.snapshot.player(2), seed=1), replace(change.snapshot.player(3), seed=2))
    await desk.rounds.start(desk.tournament_id, 9)
    assert [player.seed for player in (await desk.snapshot()).players] == seeds


async def test_who_withdraws_forfeits_the_game_and_is_not_paired_again(desk: Desk) -> None:
    await desk.begin(plan_of(SWISS, rounds=3), 4)
    gone = (await desk.running())[0]
    leaver = gone.pairing.first
    await desk.rounds.withdraw(desk.tournament_id, 1000 + leaver)
    assert (await desk.pairing(gone)).result is Result.SECOND_WINS_BY_FORFEIT
    assert (await desk.game(gone)).is_over
    with pytest.raises(Refused, match=r"tournament\.rounds\.not_in"):
        await desk.rounds.withdraw(desk.tournament_id, 1000 + leaver)
    await desk.play_on(1)
    second = await desk.of_round(2)
    assert leaver not in {number for stored in second for number in stored.pairing.players}
    assert [stored.result for stored in second if stored.pairing.second is None] == [Result.PAIRING_BYE]


async def test_a_game_of_two_who_have_left_is_void(desk: Desk) -> None:
    await desk.begin(plan_of(SWISS, rounds=3), 4)
    stored = (await desk.running())[0]
    async with desk.service.changing(desk.tournament_id) as change:
        both = [change.snapshot.player(number) for number in stored.pairing.players]
        await change.set_players(*(withdrawn(player, "left", 1) for player in both))
    await desk.rounds.advance(desk.tournament_id)
    assert (await desk.pairing(stored)).result is Result.BOTH_FORFEIT
    assert (await desk.game(stored)).is_over


async def test_who_withdraws_before_the_game_is_open_forfeits_it(desk: Desk) -> None:
    await desk.create(plan_of(SWISS, rounds=3), 2)
    await desk.rounds.start(desk.tournament_id, 9)
    await desk.rounds.advance(desk.tournament_id)
    await desk.rounds.withdraw(desk.tournament_id, 1001)
    (stored,) = await desk.of_round(1)
    loser = (Result.SECOND_WINS_BY_FORFEIT, Result.FIRST_WINS_BY_FORFEIT)[stored.pairing.first != 1]
    assert (stored.result, stored.contest_id) == (loser, None)
    await desk.go_on()
    assert (await desk.snapshot()).tournament.status is Status.OVER


async def test_before_the_start_the_waiting_list_moves_up(desk: Desk) -> None:
    await desk.create(plan_of(SWISS, capacity=2), 2)
    await desk.enter(1003, status=PlayerStatus.WAITING)
    await desk.rounds.withdraw(desk.tournament_id, 1001)
    assert [player.is_in for player in (await desk.snapshot()).players] == [False, True, True]


async def test_a_late_entry_plays_from_the_next_round(desk: Desk) -> None:
    await desk.begin(plan_of(SWISS, rounds=3, late_entries=2), 4)
    await desk.enter(1005, seed=5, first_round=2)
    await desk.play_on(1)
    assert 5 in {number for stored in await desk.of_round(2) for number in stored.pairing.players}


async def test_who_still_waits_after_the_start_may_enter_late_if_there_is_a_place(desk: Desk, clock: Clock) -> None:
    """Nobody moves up any more, and a stranger could enter."""
    plan = plan_of(SWISS, rounds=3, late_entries=2, starts=clock() + HOUR, check_in=HOUR // 2, capacity=3)
    await desk.create(plan, 3)
    await desk.enter(1004, status=PlayerStatus.WAITING)
    await desk.enter(1005, status=PlayerStatus.WAITING)
    await desk.go_on(0.6 * 3600)
    registration = desk.services[RegistrationService]
    for user in (1001, 1002):
        await registration.check_in(desk.tournament_id, user)
    with pytest.raises(Refused, match=r"tournament\.join\.waiting"):
        await registration.join(desk.tournament_id, 1004, (), 9)
    await desk.go_on(0.4 * 3600)
    tournament = (await desk.snapshot()).tournament
    assert tournament.status is Status.RUNNING
    assert await registration.joinable([tournament], 1004, ())
    assert (await registration.join(desk.tournament_id, 1004, ())).first_round == 2
    assert (await desk.snapshot()).player(4).is_in
    assert not await registration.joinable([tournament], 1005, ())
    with pytest.raises(Refused, match=r"tournament\.join\.full"):
        await registration.join(desk.tournament_id, 1005, ())
    await desk.play_on(1)
    assert 4 in {number for stored in await desk.of_round(2) for number in stored.pairing.players}


@pytest.mark.both_databases
async def test_who_enters_late_is_seeded_by_rating(desk: Desk) -> None:
    """Somebody without a game has 1500. Who had the better seat in the first round keeps what follows from it."""
    await desk.begin(plan_of(SWISS, rounds=3, late_entries=2), 4)
    async with desk.service.changing(desk.tournament_id) as change:
        rated = zip(change.snapshot.players, (1700, 1600, 1400, 1300), strict=True)
        await change.set_players(*(replace(player, rating=rating) for player, rating in rated))
    await desk.services[RegistrationService].join(desk.tournament_id, 1005, ())
    seeds = {player.user_id: player.seed for player in (await desk.snapshot()).players}
    assert seeds == {1001: 1, 1002: 2, 1005: 3, 1003: 4, 1004: 5}
    await desk.play_on(2)
    assert (await desk.snapshot()).tournament.round == 3


async def test_byes_by_request(desk: Desk) -> None:
    await desk.create(plan_of(SWISS, rounds=3, byes=1), 4)
    await desk.rounds.ask_bye(desk.tournament_id, 1003, 1)
    for number, why in ((1, "bye_known"), (2, "byes_used")):
        with pytest.raises(Refused, match=rf"tournament\.rounds\.{why}"):
            await desk.rounds.ask_bye(desk.tournament_id, 1003, number)
    with pytest.raises(Refused, match=r"tournament\.rounds\.bye_not_last"):
        await desk.rounds.ask_bye(desk.tournament_id, 1001, 3)
    await desk.rounds.start(desk.tournament_id, 9)
    await desk.go_on()
    byes = {stored.pairing.first: stored.result for stored in await desk.of_round(1) if stored.pairing.second is None}
    assert byes[3] is Result.HALF_BYE
    with pytest.raises(Refused, match=r"tournament\.rounds\.bye_too_late"):
        await desk.rounds.ask_bye(desk.tournament_id, 1001, 1)


async def test_a_bye_is_taken_back_before_its_round(desk: Desk) -> None:
    await desk.create(plan_of(SWISS, rounds=3, byes=1), 4)
    with pytest.raises(Refused, match=r"tournament\.rounds\.bye_unknown"):
        await desk.rounds.ask_bye(desk.tournament_id, 1003, 1, withdraw=True)
    await desk.rounds.ask_bye(desk.tournament_id, 1003, 1)
    await desk.rounds.ask_bye(desk.tournament_id, 1003, 1, withdraw=True)
    await desk.rounds.ask_bye(desk.tournament_id, 1004, 1)
    await desk.rounds.ask_bye(desk.tournament_id, 1003, 2)  # it has the one bye again
    await desk.rounds.start(desk.tournament_id, 9)
    await desk.go_on()
    byes = [stored.pairing.first for stored in await desk.of_round(1) if stored.result is Result.HALF_BYE]
    assert byes == [4]
    with pytest.raises(Refused, match=r"tournament\.rounds\.bye_had"):
        await desk.rounds.ask_bye(desk.tournament_id, 1004, 1, withdraw=True)
    assert (await desk.acts()).count("bye_withdrawn") == 1


async def test_who_has_left_the_server_is_withdrawn_before_the_round(desk: Desk) -> None:
    async def missing(guild_id: int, users: Sequence[int]) -> set[int]:
        assert guild_id == 1
        return {1002}.intersection(users)

    desk.rounds.missing = missing
    await desk.begin(plan_of(SWISS, rounds=3), 5)
    snapshot = await desk.snapshot()
    assert snapshot.player(2).reason == "left_server"
    assert 2 not in {number for stored in snapshot.pairings for number in stored.pairing.players}
