"""Cancelling a tournament: who is told, and in which words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.organising import FIRST, HELPER
from sqlalchemy import select

from bot.core.translations import CODES, Language, language
from bot.notifications.service import NotificationService
from bot.notifications.tables import notifications
from bot.tournaments.notices import ACT, about
from bot.tournaments.tournament import Player, PlayerStatus

if TYPE_CHECKING:
    from harness.organising import Desk

THERE = [FIRST, FIRST + 1, FIRST + 2]


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """SQLite alone: ``test_transactions`` has what depends on the database."""
    return sqlite_url


async def create(desk: Desk) -> None:
    """Opens the registration of two who are in, one who waits, one who has left, and a machine."""
    await desk.create(players=2, capacity=3)
    async with desk.tournaments.changing(desk.id) as change:
        await change.add_player(Player(3, FIRST + 2, PlayerStatus.WAITING, 1500, change.now))
        await change.add_player(Player(4, FIRST + 3, PlayerStatus.WITHDRAWN, 1500, change.now, reason="withdrew"))
        await change.add_player(Player(5, 2, PlayerStatus.IN, 1500, change.now))


async def told(desk: Desk) -> list[int]:
    """Returns the users with notices of an organiser's act; a user with two is named twice."""
    query = select(notifications.c.user_id).where(notifications.c.kind == ACT).order_by(notifications.c.user_id)
    return list((await desk.organiser.repository.database.fetch(query)).scalars())


async def notice(desk: Desk, say: Language) -> str:
    """Returns the text of a notice of the newest act."""
    service, (entry, *_) = desk.services[NotificationService], await desk.log()
    tournament = (await desk.snapshot()).tournament
    return await service.kinds[ACT].text(about(service, tournament, FIRST, ACT, seq=entry.seq), say)


@pytest.mark.parametrize("started", [False, True])
async def test_all_who_signed_up_are_told_of_a_cancellation_and_of_its_undoing(desk: Desk, *, started: bool) -> None:
    await create(desk)
    if started:
        await desk.start()
    await desk.organiser.cancel(desk.id, await desk.by(user_id=HELPER))
    assert await told(desk) == THERE
    await desk.organiser.undo(desk.id, await desk.by(user_id=HELPER))
    assert await told(desk) == sorted(THERE * 2)


@pytest.mark.parametrize("code", CODES)
async def test_a_cancellation_speaks_of_running_games_only_after_the_start(desk: Desk, code: str) -> None:
    say = language(code)
    await create(desk)
    games = say("tournament.act.cancel_games")
    cancelled = say("tournament.act.cancel", actor=f"<@{HELPER}>")
    await desk.organiser.cancel(desk.id, await desk.by(user_id=HELPER))
    said = await notice(desk, say)
    assert cancelled in said
    assert games not in said
    await desk.organiser.undo(desk.id, await desk.by(user_id=HELPER))
    assert say("tournament.act.undo.cancel", actor=f"<@{HELPER}>", seq=1) in await notice(desk, say)
    await desk.start()
    await desk.organiser.cancel(desk.id, await desk.by(user_id=HELPER))
    assert f"{cancelled} {games}" in await notice(desk, say)
