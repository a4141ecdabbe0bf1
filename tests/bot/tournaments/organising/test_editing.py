"""Settings that change after the announcement: what may, what follows, and who is told."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from harness.organising import FIRST, HELPER, OWNER, refused, to
from sqlalchemy import select

from bot.core.translations import CODES, language
from bot.notifications.tables import notifications
from bot.tournaments.notices import ACT
from bot.tournaments.organising import words
from bot.tournaments.organising.rules.effect import Act
from bot.tournaments.organising.service import By, Overtaken
from bot.tournaments.registration.notices import MOVED_UP
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.rounds.notices import CHECK_IN
from bot.tournaments.tournament import LateRule, Player, PlayerStatus, Status
from engine.core.hours import DAY, HOUR, MINUTE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from fakes.clock import Clock
    from harness.organising import Desk

    from bot.tournaments.tournament import Tournament


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """SQLite alone: ``test_transactions`` has what depends on the database."""
    return sqlite_url


async def edit(desk: Desk, name: str | None = None, **plan: Any) -> Tournament:
    """Changes these settings as the owner; returns the tournament."""
    await desk.organiser.edit(desk.id, await desk.by(), to(name, **plan))
    return (await desk.snapshot()).tournament


async def refusal(desk: Desk, **plan: Any) -> str:
    """Returns the key of the refusal; nothing has changed then."""
    before = await desk.snapshot()
    key = await refused(desk.organiser.edit(desk.id, await desk.by(), to(**plan)))
    assert await desk.snapshot() == before
    return key


async def called(desk: Desk, kind: str) -> list[int]:
    """Returns the users with notices of a kind so far; a user with two is named twice."""
    query = select(notifications.c.user_id).where(notifications.c.kind == kind).order_by(notifications.c.user_id)
    return list((await desk.organiser.repository.database.fetch(query)).scalars())


# --- what changes ----------------------------------------------------------------------------------------------------


async def test_all_settings_change_in_one_act_which_can_be_undone(desk: Desk, clock: Clock) -> None:
    await desk.create(round_length=3 * DAY, starts=clock() + DAY)
    before = (await desk.snapshot()).tournament
    new: dict[str, Any] = {
        "capacity": 8,
        "least": 4,
        "starts": clock() + 2 * DAY,
        "check_in": HOUR,
        "registration_opens": clock() + HOUR,
        "registration_closes": clock() + DAY,
        "round_length": 7 * DAY,
        "late_rule": LateRule.EXTEND,
        "extension": DAY,
    }
    after = await edit(desk, "Big Cup", **new)
    assert after.name == "Big Cup"
    assert after.plan == replace(before.plan, **new)
    assert after.version > before.version  # so the announcement is edited
    (entry,) = await desk.log()
    assert (entry.act, entry.actor, entry.reason) == (Act.EDIT, OWNER, "Because.")
    await desk.organiser.undo(desk.id, await desk.by())
    undone = (await desk.snapshot()).tournament
    assert (undone.name, undone.plan) == ("Cup", replace(before.plan, extension=DAY))


async def test_what_another_act_has_changed_since_is_not_undone(desk: Desk) -> None:
    await desk.create()
    first = await desk.organiser.edit(desk.id, await desk.by(), to(capacity=8))
    await edit(desk, capacity=12)
    assert await refused(desk.organiser.undo(desk.id, await desk.by(), first.seq)) == "undo_changed"
    await desk.organiser.undo(desk.id, await desk.by())
    assert (await desk.snapshot()).tournament.plan.capacity == 8


async def test_a_settings_undo_moves_nobody_out(desk: Desk) -> None:
    await desk.create(capacity=4)
    await edit(desk, capacity=5)
    await desk.services[RegistrationService].join(desk.id, FIRST + 4, ())
    assert await refused(desk.organiser.undo(desk.id, await desk.by())) == "undo_changed"
    assert (await desk.snapshot()).tournament.plan.capacity == 5


async def test_of_two_organisers_at_once_the_second_changes_nothing(desk: Desk) -> None:
    await desk.create()
    seen = await desk.by(user_id=HELPER)
    await edit(desk, capacity=8)
    with pytest.raises(Overtaken):
        await desk.organiser.edit(desk.id, By(HELPER, "Mine.", seen.seen), to(capacity=16))
    assert (await desk.snapshot()).tournament.plan.capacity == 8


# --- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "key"),
    [
        ({"capacity": 3}, "edit_capacity"),
        ({"capacity": 64}, "edit_nothing"),
        ({"least": 65}, "tournament.problem.capacity"),
        ({"least": 1}, "tournament.problem.capacity"),
        ({"starts": None}, "tournament.problem.check_in"),
        ({"check_in": 25 * HOUR}, "tournament.problem.check_in_past"),
        ({"registration_closes": 2**42}, "tournament.problem.closes_late"),
        ({"registration_opens": 2**42}, "tournament.problem.opens_late"),
        ({"round_length": 0}, "tournament.problem.no_end"),
    ],
)
async def test_what_does_not_fit_is_refused(desk: Desk, clock: Clock, plan: dict[str, Any], key: str) -> None:
    await desk.create(round_length=DAY, starts=clock() + DAY, check_in=HOUR)
    assert await refusal(desk, **plan) == key


async def test_nothing_changes_after_the_start(desk: Desk) -> None:
    await desk.create()
    await desk.start()
    assert await refusal(desk, capacity=8) == "edit_started"
    await desk.organiser.cancel(desk.id, await desk.by())
    assert await refusal(desk, capacity=8) == "edit_started"


async def test_dates_wait_for_the_end_of_a_pause_which_moves_them(desk: Desk, clock: Clock) -> None:
    starts = clock() + DAY
    await desk.create(starts=starts)
    await desk.organiser.pause(desk.id, await desk.by())
    assert await refusal(desk, starts=starts + HOUR) == "edit_paused"
    assert (await edit(desk, capacity=8)).plan.capacity == 8
    clock.at += HOUR
    await desk.organiser.resume(desk.id, await desk.by())
    assert (await edit(desk, starts=starts)).plan.starts == starts


async def test_during_a_pause_the_dates_cannot_be_restored_either_and_the_reason_is_said(
    desk: Desk, clock: Clock
) -> None:
    starts = clock() + DAY
    await desk.create(starts=starts)
    await edit(desk, starts=starts + HOUR)
    (edited, *_) = await desk.log()
    await desk.organiser.pause(desk.id, await desk.by())
    assert await refused(desk.organiser.undo(desk.id, await desk.by(), edited.seq)) == "edit_paused"
    assert (await desk.snapshot()).tournament.plan.starts == starts + HOUR


async def test_what_did_not_fit_before_keeps_nobody_from_changing_the_rest(desk: Desk, clock: Clock) -> None:
    """Joining has closed, and the check-in is open: both are no reason to refuse another name."""
    starts = clock() + 2 * HOUR
    await desk.create(starts=starts, check_in=HOUR, registration_closes=clock() + HOUR)
    clock.at += 90 * MINUTE
    await desk.rounds.advance(desk.id)
    assert (await edit(desk, "Big Cup", capacity=8)).status is Status.CHECK_IN
    assert (await edit(desk, starts=starts + 10 * MINUTE)).status is Status.CHECK_IN


# --- what follows ----------------------------------------------------------------------------------------------------


async def test_more_places_go_to_the_waiting_list_who_are_told(desk: Desk, clock: Clock) -> None:
    await desk.create(capacity=4)
    async with desk.tournaments.changing(desk.id) as change:
        for number in (5, 6):
            waiting = Player(number, FIRST + number - 1, PlayerStatus.WAITING, 1500, clock() + number)
            await change.add_player(waiting)
    await edit(desk, capacity=5)
    assert [(await desk.player(number)).status for number in (5, 6)] == [PlayerStatus.IN, PlayerStatus.WAITING]
    assert await called(desk, MOVED_UP) == [FIRST + 4]


async def test_another_process_calls_to_the_check_in_and_starts_by_the_new_dates(
    desk: Desk, another: Callable[[], Desk], clock: Clock
) -> None:
    await desk.create(starts=clock() + 2 * HOUR, check_in=30 * MINUTE)
    begun = clock()
    await edit(desk, starts=begun + 4 * HOUR, check_in=HOUR)
    later = another()
    later.id = desk.id
    assert (await later.snapshot()).tournament.next_at == begun + 3 * HOUR
    clock.at = begun + 2 * HOUR
    await later.rounds.advance(desk.id)
    assert (await later.snapshot()).tournament.status is Status.REGISTRATION
    clock.at = begun + 3 * HOUR
    await later.rounds.advance(desk.id)
    assert (await later.snapshot()).tournament.status is Status.CHECK_IN
    assert await called(later, CHECK_IN) == [FIRST, FIRST + 1, FIRST + 2, FIRST + 3]
    for number in range(4):
        await later.services[RegistrationService].check_in(desk.id, FIRST + number)
    clock.at = begun + 4 * HOUR
    await later.rounds.advance(desk.id)
    assert (await later.snapshot()).tournament.status is Status.RUNNING


@pytest.mark.parametrize("shorter", [True, False])
async def test_a_check_in_that_is_moved_begins_anew_and_calls_again(desk: Desk, clock: Clock, *, shorter: bool) -> None:
    starts = clock() + HOUR
    await desk.create(players=2, starts=starts, check_in=50 * MINUTE)
    clock.at += 20 * MINUTE
    await desk.rounds.advance(desk.id)
    await desk.services[RegistrationService].check_in(desk.id, FIRST)
    after = await edit(desk, **({"check_in": 20 * MINUTE} if shorter else {"starts": starts + DAY}))
    assert after.status is Status.REGISTRATION
    assert not [player for player in (await desk.snapshot()).players if player.checked_in]
    clock.at = (after.plan.starts or 0) - after.plan.check_in
    await desk.rounds.advance(desk.id)
    assert (await desk.snapshot()).tournament.status is Status.CHECK_IN
    assert await called(desk, CHECK_IN) == [FIRST, FIRST, FIRST + 1, FIRST + 1]


async def test_a_move_of_the_start_is_undone_during_the_check_in(desk: Desk, clock: Clock) -> None:
    """Then it is time for the check-in of the former start, which begins anew."""
    starts = clock() + HOUR
    await desk.create(players=2, starts=starts, check_in=50 * MINUTE)
    clock.at += 20 * MINUTE
    await desk.rounds.advance(desk.id)
    await edit(desk, starts=starts + DAY)
    await desk.organiser.undo(desk.id, await desk.by())
    assert (await desk.snapshot()).tournament.plan.starts == starts
    clock.at += 1000
    await desk.rounds.advance(desk.id)
    assert (await desk.snapshot()).tournament.status is Status.CHECK_IN
    assert await called(desk, CHECK_IN) == [FIRST, FIRST, FIRST + 1, FIRST + 1]


@pytest.mark.parametrize("until", [5 * MINUTE, 0])
async def test_who_moves_the_start_in_the_last_moment_is_not_overtaken(
    desk: Desk, clock: Clock, monkeypatch: pytest.MonkeyPatch, until: int
) -> None:
    """Another process has read the former start, and is about to open the check-in or to start."""
    starts = clock() + HOUR
    await desk.create(players=2, starts=starts, check_in=5 * MINUTE)
    clock.at = starts - until
    changing = desk.tournaments.changing

    def after_the_edit(*args: Any, **more: Any) -> Any:
        @asynccontextmanager
        async def moved() -> AsyncIterator[Any]:
            monkeypatch.undo()
            await edit(desk, starts=starts + DAY)
            async with changing(*args, **more) as change:
                yield change

        return moved()

    monkeypatch.setattr(desk.tournaments, "changing", after_the_edit)
    await desk.rounds.advance(desk.id)
    assert (await desk.snapshot()).tournament.status is Status.REGISTRATION
    assert await called(desk, CHECK_IN) == []


async def test_without_its_check_in_a_tournament_drops_nobody(desk: Desk, clock: Clock) -> None:
    await desk.create(starts=clock() + HOUR, check_in=50 * MINUTE)
    clock.at += 20 * MINUTE
    await desk.rounds.advance(desk.id)
    await edit(desk, check_in=0)
    clock.at += 40 * MINUTE
    await desk.rounds.advance(desk.id)
    snapshot = await desk.snapshot()
    assert snapshot.tournament.status is Status.RUNNING
    assert all(player.is_in for player in snapshot.players)


async def test_those_who_are_in_or_wait_are_told_of_another_start_and_of_nothing_else(desk: Desk, clock: Clock) -> None:
    await desk.create(players=2, starts=clock() + DAY)
    async with desk.tournaments.changing(desk.id) as change:
        await change.add_player(Player(3, FIRST + 2, PlayerStatus.WAITING, 1500, clock()))
        await change.add_player(Player(4, FIRST + 3, PlayerStatus.WITHDRAWN, 1500, clock(), reason="withdrew"))
        await change.add_player(Player(5, 2, PlayerStatus.IN, 1500, clock()))  # a machine
    await edit(desk, "Big Cup", least=3, capacity=3)
    assert await called(desk, ACT) == []
    await edit(desk, starts=clock() + 2 * DAY)
    assert await called(desk, ACT) == [FIRST, FIRST + 1, FIRST + 2]


# --- what is said ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", CODES)
async def test_a_change_is_told_with_what_was_and_what_is(desk: Desk, clock: Clock, code: str) -> None:
    say, starts = language(code), clock() + DAY
    await desk.create(round_length=DAY)
    await edit(desk, "Big Cup", starts=starts, check_in=HOUR, late_rule=LateRule.EXTEND, extension=2 * HOUR)
    (entry,) = await desk.log()
    line = words.line(entry, words.users_of(await desk.snapshot()), say)
    label, late = say("tournament.field.starts.label"), say("tournament.plan.late")
    assert "Cup → Big Cup; " in line
    assert f"{label}: {say('tournament.edit.starts_none')} → <t:{starts // 1000}:f>; " in line
    assert f": {say('tournament.plan.check_in.zero')} → {say.length(HOUR)}; " in line
    more = say("tournament.plan.late.extend", length=say.length(2 * HOUR))
    assert f"{late}: {say('tournament.plan.late.forfeit')} → {more}. " in line
