"""Whoever joins a tournament that runs, or is entered in it, reads when the first game comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from harness.bot import SPANISH, bot_running, told
from harness.discord import Seat
from harness.tournaments import Desk, Event, plan_of

from bot.core.translations import CODES, language, language_for_locale
from bot.notifications.service import NotificationService
from bot.tournaments.organising import words
from bot.tournaments.registration.notices import ENTERED
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.tournament import Status
from engine.tournament.model import Format

if TYPE_CHECKING:
    from fakes.clock import Clock

    from bot.core.storage.database import Database
    from bot.core.translations import Language
    from bot.sandbox.server import Server
    from bot.tournaments.tournament import Plan


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """One is enough: nothing here is SQL."""
    return sqlite_url


def expected(format_: Format, say: Language) -> str:
    if format_ is Format.LADDER:
        return say("tournament.joined.ladder", name="Cup", place=3)
    return say("tournament.joined.arena", name="Cup")


@pytest.mark.parametrize("format_", [Format.LADDER, Format.ARENA])
@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_joining_a_ladder_or_an_arena_that_runs(
    stand_in: Server, sqlite_url: str, format_: Format, locale: str
) -> None:
    plan: Plan = plan_of(format_, clock="5m+3s")
    async with bot_running(stand_in, sqlite_url) as bot:
        event = Event.of(stand_in, bot, 2, locale=locale)
        await event.create(plan)
        await event.start()
        eve = Seat.join(stand_in.world, "Eve", event.organiser.channel_id, locale=locale)
        await eve.slash("tournament join")
        assert told(eve) == expected(format_, language_for_locale(locale))


@pytest.mark.parametrize("code", CODES)
async def test_whoever_is_entered_late_is_told_from_which_round_they_play(
    database: Database, clock: Clock, code: str
) -> None:
    desk, say = Desk.on(database, clock), language(code)
    await desk.create(plan_of(Format.SWISS, rounds=4, late_entries=3), 4)
    registration, service = desk.services[RegistrationService], desk.services[NotificationService]

    async def entered(user: int) -> str:
        await registration.join(desk.tournament_id, user, (), organiser=9)
        (entry,) = await desk.service.repository.log_of(desk.tournament_id, 1)
        made = service.notice(user, ENTERED, desk.tournament_id, guild_id=1, channel_id=100, locale=code, seq=entry.seq)
        return await service.kinds[ENTERED].text(made, say)

    at_once, leave = (
        say("tournament.entered", organiser="<@9>", name="Cup", channel="<#100>"),
        say("tournament.entered.leave"),
    )
    assert await entered(2001) == f"{at_once} {say('tournament.start.by_hand')} {leave}"
    await desk.rounds.start(desk.tournament_id, 9)
    await desk.go_on()
    assert (await desk.snapshot()).tournament.status is Status.RUNNING
    assert await entered(2002) == f"{at_once} {say('tournament.entered.late', n=2)} {leave}"
    entry, *_ = await desk.service.repository.log_of(desk.tournament_id, 1)
    line = words.line(entry, words.users_of(await desk.snapshot()), say)
    assert line == say("tournament.act.entered_round", actor="<@9>", player="<@2002>", round=2)
    await registration.join(desk.tournament_id, 2003, ())
    entry, *_ = await desk.service.repository.log_of(desk.tournament_id, 1)
    line = words.line(entry, words.users_of(await desk.snapshot()), say)
    assert line == say("tournament.act.late_entry_round", actor="<@2003>", round=2)
