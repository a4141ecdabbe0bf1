"""Tests the notices of the start: called to check in, called again, dropped, or left without a tournament."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from harness.tournaments import plan_of
from sqlalchemy import select

from bot.core.translations import CODES, language
from bot.notifications.service import NotificationService
from bot.notifications.tables import notifications
from bot.tournaments.organising import words
from bot.tournaments.organising.service import OrganiserService
from bot.tournaments.registration.notices import ENTERED, MOVED_UP
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.rounds.notices import CALLED_OFF, CHECK_IN, NO_SHOW
from bot.tournaments.tournament import PlayerStatus, Status
from engine.core.errors import Refused
from engine.core.hours import HOUR, MINUTE
from engine.tournament.model import Format

if TYPE_CHECKING:
    from fakes.clock import Clock
    from harness.tournaments import Desk

LEVEL = 2


async def told(desk: Desk) -> list[tuple[int, str]]:
    """Returns the users and kinds of the notices so far, in the order in which they were written."""
    found = await desk.rounds.repository.database.fetch(
        select(notifications.c.user_id, notifications.c.kind).order_by(notifications.c.due, notifications.c.user_id)
    )
    return [(row.user_id, row.kind) for row in found]


async def body(desk: Desk, user_id: int) -> dict[str, bool]:
    """Returns whether the first notice of a user says that they wait."""
    query = select(notifications.c.body).where(notifications.c.user_id == user_id).order_by(notifications.c.due)
    found = json.loads((await desk.rounds.repository.database.fetch(query)).scalars().first() or "{}")
    return {key: value for key, value in found.items() if key == "waiting"}


async def said(desk: Desk, kind: str, user_id: int, code: str = "en", seq: int = 0, **more: bool) -> str:
    """Returns the text of a notice if it is sent now; empty if there is no reason to send it any more."""
    made = desk.services[NotificationService].notice(
        user_id, kind, desk.tournament_id, guild_id=1, channel_id=100, locale=code, seq=seq, **more
    )
    sent = desk.services[NotificationService].kinds[kind]
    return await sent.text(made, language(code)) if await sent.is_current(made) else ""


@pytest.mark.both_databases
async def test_players_are_called_to_check_in_twice_and_those_who_stay_away_are_told(desk: Desk, clock: Clock) -> None:
    plan = plan_of(Format.SWISS, rounds=1, starts=clock() + 2 * HOUR, check_in=15 * MINUTE, capacity=3)
    await desk.create(plan, 3)
    await desk.enter(1004, status=PlayerStatus.WAITING)
    await desk.enter(LEVEL)
    await desk.go_on(105 * 60)
    assert await told(desk) == [(user, CHECK_IN) for user in (1001, 1002, 1003, 1004)]
    for user in (1001, 1002):
        await desk.services[RegistrationService].check_in(desk.tournament_id, user)
    at = f"<t:{(plan.starts or 0) // 1000}:R>"
    assert await said(desk, CHECK_IN, 1003) == f"**Cup** starts {at}. Check in before that in <#100>, or you are out."
    assert await said(desk, CHECK_IN, 1001) == ""
    assert await body(desk, 1003) == {}
    waits = await said(desk, CHECK_IN, 1004, **await body(desk, 1004))
    assert waits.endswith(
        " You are on the waiting list. Check in before that in <#100>, or you cannot get a free place."
    )
    assert (await desk.snapshot()).tournament.next_at == (plan.starts or 0) - 5 * MINUTE
    await desk.go_on(10 * 60)
    await desk.go_on()
    assert (await told(desk))[4:] == [(1003, CHECK_IN), (1004, CHECK_IN)]
    assert (await desk.snapshot()).tournament.next_at == plan.starts
    await desk.go_on(5 * 60)
    after = (await told(desk))[6:]
    assert (1003, NO_SHOW) in after
    assert not {kind for _, kind in after} & {CHECK_IN, CALLED_OFF}
    assert await said(desk, NO_SHOW, 1003) == "**Cup** began without you: you had not checked in."


async def test_a_free_place_goes_to_who_waits_and_has_checked_in_and_to_nobody_else(desk: Desk, clock: Clock) -> None:
    await desk.create(plan_of(Format.SWISS, rounds=1, starts=clock() + HOUR, check_in=15 * MINUTE, capacity=3), 3)
    for user in (1004, 1005):
        await desk.enter(user, status=PlayerStatus.WAITING)
    await desk.go_on(50 * 60)
    for user in (1001, 1002, 1005):
        await desk.services[RegistrationService].check_in(desk.tournament_id, user)
    await desk.go_on(10 * 60)
    assert [one.user_id for one in (await desk.snapshot()).players if one.is_in] == [1001, 1002, 1005]
    assert await said(desk, MOVED_UP, 1005) == "A place is free: you are now in **Cup** (<#100>)."


async def test_a_short_check_in_has_one_call(desk: Desk, clock: Clock) -> None:
    await desk.create(plan_of(Format.SWISS, rounds=1, starts=clock() + HOUR, check_in=5 * MINUTE), 2)
    await desk.go_on(55 * 60)
    await desk.go_on(60)
    assert await told(desk) == [(1001, CHECK_IN), (1002, CHECK_IN)]


async def test_a_tournament_that_is_called_off_tells_those_who_came_and_those_who_did_not(
    desk: Desk, clock: Clock
) -> None:
    await desk.create(plan_of(Format.SWISS, rounds=1, starts=clock() + HOUR, check_in=5 * MINUTE), 2)
    await desk.go_on(56 * 60)
    await desk.services[RegistrationService].check_in(desk.tournament_id, 1001)
    await desk.go_on(5 * 60)
    assert (await desk.snapshot()).tournament.status is Status.CANCELLED
    assert set((await told(desk))[2:]) == {(1001, CALLED_OFF), (1002, CALLED_OFF)}
    for user in (1001, 1002):
        told_so = "**Cup** is cancelled: too few players were there at the start."
        assert await said(desk, CALLED_OFF, user) == told_so


@pytest.mark.parametrize("code", CODES)
async def test_whom_an_organiser_enters_during_the_check_in_is_called(desk: Desk, clock: Clock, code: str) -> None:
    """Nobody else says that a player is there; also not of one who was in before."""
    say, starts = language(code), clock() + HOUR
    await desk.create(plan_of(Format.SWISS, starts=starts, check_in=15 * MINUTE), 2)
    await desk.go_on(50 * 60)
    registration = desk.services[RegistrationService]
    entered = await registration.join(desk.tournament_id, 1003, (), organiser=9)
    with pytest.raises(Refused, match=r"tournament\.join\.already"):
        await registration.join(desk.tournament_id, 1001, (), organiser=9)
    assert not entered.checked_in
    assert not any(player.checked_in for player in (await desk.snapshot()).players)
    (urgent,) = await desk.service.repository.database.fetch(
        select(notifications.c.body).where(notifications.c.kind == ENTERED)
    )
    assert json.loads(urgent.body)["urgent"]
    told_so = await said(desk, ENTERED, 1003, code, await desk.services[OrganiserService].last_seq(desk.tournament_id))
    assert say("tournament.entered.check_in_now") in told_so
    await registration.join(desk.tournament_id, 9, (), organiser=9)  # who enters themselves is there
    assert [player.user_id for player in (await desk.snapshot()).players if player.checked_in] == [9]


async def test_who_moves_up_is_told_what_is_left_to_do(desk: Desk, clock: Clock) -> None:
    """Nobody is asked to check in who has done it, or when it is too late."""
    starts = clock() + HOUR
    await desk.create(plan_of(Format.SWISS, rounds=1, starts=starts, check_in=15 * MINUTE, capacity=2), 2)
    registration = desk.services[RegistrationService]
    for user in (1003, 1004):
        await registration.join(desk.tournament_id, user, ())
    there = "A place is free: you are now in **Cup** (<#100>)."
    start = f"🕒 Start: <t:{starts // 1000}:f> (<t:{starts // 1000}:R>)."
    await registration.leave(desk.tournament_id, 1001)
    opens = f"<t:{(starts - 15 * MINUTE) // 1000}:f>"
    assert await said(desk, MOVED_UP, 1003) == f"{there} {start} Check in there from {opens}, or you do not play."
    await desk.go_on(50 * 60)
    assert await said(desk, MOVED_UP, 1003) == f"{there} {start} Check in there now, or you do not play."
    for user in (1003, 1004):
        await registration.check_in(desk.tournament_id, user)
    assert await said(desk, MOVED_UP, 1003) == f"{there} {start}"
    await desk.go_on(11 * 60)
    assert (1004, MOVED_UP) in await told(desk)
    assert await said(desk, MOVED_UP, 1004) == there


async def test_whoever_is_entered_together_stands_in_one_entry_of_the_log(desk: Desk, clock: Clock) -> None:
    await desk.create(plan_of(Format.SWISS), 0)
    registration = desk.services[RegistrationService]

    async def lines() -> list[str]:
        entries = await desk.service.repository.log_of(desk.tournament_id, 99)
        users = words.users_of(await desk.snapshot())
        return [words.line(entry, users, language("en")) for entry in reversed(entries)]

    before = len(await lines())
    for user in range(1001, 1013):
        await registration.join(desk.tournament_id, user, (), organiser=9)
        if user == 1001:
            assert (await lines())[before:] == ["<@9> entered <@1001>."]
    named = ", ".join(f"<@{user}>" for user in range(1001, 1011))
    together = [f"<@9> entered 12 players: {named}, …"]
    assert (await lines())[before:] == together
    assert len(await told(desk)) == 12
    await registration.join(desk.tournament_id, 1013, (), organiser=1099)
    clock.pass_seconds(3600)
    await registration.join(desk.tournament_id, 1014, (), organiser=1099)
    assert (await lines())[before:] == [*together, "<@1099> entered <@1013>.", "<@1099> entered <@1014>."]
    await registration.leave(desk.tournament_id, 1014)
    await registration.join(desk.tournament_id, 1014, (), organiser=1099)  # and is told so once more
    assert len(await told(desk)) == 15


async def test_whom_an_organiser_enters_is_told(desk: Desk, clock: Clock) -> None:
    """By whom, when it starts, when to check in, and how to leave. Organisers who enter themselves know it."""
    starts = clock() + 2 * HOUR
    await desk.create(plan_of(Format.SWISS, capacity=4, starts=starts, check_in=15 * MINUTE), 2)
    registration = desk.services[RegistrationService]
    await registration.join(desk.tournament_id, 9, (), organiser=9)
    await registration.join(desk.tournament_id, 1003, (), organiser=9)
    await registration.join(desk.tournament_id, 1004, (), organiser=9)
    await registration.join(desk.tournament_id, 1005, ())
    assert await told(desk) == [(1003, ENTERED), (1004, ENTERED)]
    start = f"🕒 Start: <t:{starts // 1000}:f> (<t:{starts // 1000}:R>)."
    opens = f"<t:{(starts - 15 * MINUTE) // 1000}:f>"
    assert await said(desk, ENTERED, 1003, seq=1) == (
        f"<@9> entered you in **Cup** (<#100>). {start} Check in there from {opens}, or you do not play. "
        "If you do not want to play: `/tournament leave`."
    )
    assert (await said(desk, ENTERED, 1004, seq=1)).startswith("<@9> put you on the waiting list of **Cup** (<#100>).")
    await registration.leave(desk.tournament_id, 1003)
    assert await said(desk, ENTERED, 1003, seq=1) == ""
