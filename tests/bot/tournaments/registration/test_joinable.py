"""Tests which tournaments ``/tournament join`` offers: those that the user may join now, and no others."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from fakes.snapshots import FIRST_USER, Made
from harness.bot import SPANISH, bot_running, told
from harness.thinning import one_of
from harness.tournaments import Event, plan_of
from sqlalchemy import event

from bot.core.translations import CODES, language, language_for_locale
from bot.tournaments.registration.announcement import buttons, state
from bot.tournaments.registration.views import own_lines
from bot.tournaments.rounds.service import RoundService
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Eligibility, PlayerStatus, Status
from engine.core.errors import Refused
from engine.core.hours import DAY, HOUR
from engine.tournament.model import Format, Stage

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fakes.clock import Clock

    from bot.core.services import Services
    from bot.sandbox.server import Server
    from bot.tournaments.registration.service import RegistrationService
    from bot.tournaments.tournament import Tournament

    Opened = Callable[..., Awaitable[Tournament]]

OWNER = 900
ANA, BEN, EVE = 11, 22, 33
GAMES = ("long_swiss", "abalone_round_robin", "backgammon_knockout")
"""Templates of different games."""


async def can_join(registration: RegistrationService, cup: Tournament, user: int, roles: tuple[int, ...] = ()) -> bool:
    """Returns whether the tournament is offered, and checks the offer by joining."""
    cup = await registration.tournaments.get(cup.id)
    offered = await registration.joinable([cup], user, roles)
    try:
        await registration.join(cup.id, user, roles)
    except Refused:
        assert offered == []
        return False
    assert offered == [cup]
    return True


@pytest.mark.both_databases
async def test_what_can_be_joined_is_offered_and_nothing_else(
    registration: RegistrationService, services: Services, opened: Opened, clock: Clock
) -> None:
    rounds = services[RoundService]
    assert await can_join(registration, await opened(registration_opens=None), ANA)
    assert not await can_join(registration, await opened(registration_opens=clock() + HOUR), ANA)
    assert not await can_join(registration, await opened(registration_closes=clock()), ANA)
    cup = await opened("arena", capacity=2)
    for user in (ANA, BEN, EVE):
        assert await can_join(registration, cup, user)  # the last one waits for a place
    assert not await can_join(registration, cup, ANA)
    assert not await can_join(registration, cup, EVE)
    await registration.leave(cup.id, EVE)
    await rounds.start(cup.id, OWNER)
    assert not await can_join(registration, cup, 44)  # it is full
    assert not await can_join(registration, cup, EVE)
    await registration.leave(cup.id, BEN)
    assert not await can_join(registration, cup, BEN)
    assert await can_join(registration, cup, 44)


async def test_who_may_enter_is_looked_at(registration: RegistrationService, opened: Opened) -> None:
    role = await opened(eligibility=Eligibility(role_id=5))
    assert not await can_join(registration, role, ANA)
    assert await can_join(registration, role, ANA, (5,))
    assert await can_join(registration, await opened(eligibility=Eligibility(lowest=1400)), ANA)
    for wanted in (Eligibility(lowest=1600), Eligibility(highest=1400), Eligibility(games=1)):
        assert not await can_join(registration, await opened(eligibility=wanted), ANA)


async def test_a_swiss_that_runs_is_offered_while_it_takes_late_entries(
    registration: RegistrationService, services: Services, opened: Opened
) -> None:
    for late, offered in ((2, True), (0, False)):
        cup = await opened(late_entries=late)
        for user in (ANA, BEN):
            await registration.join(cup.id, user, ())
        await services[RoundService].start(cup.id, OWNER)
        await services[RoundService].advance(cup.id)
        assert await can_join(registration, cup, EVE) is offered


async def test_who_is_to_check_in_is_offered_it_once(
    registration: RegistrationService, services: Services, opened: Opened, clock: Clock
) -> None:
    cup = await opened(starts=clock() + DAY, check_in=HOUR)
    assert await can_join(registration, cup, ANA)
    assert not await can_join(registration, cup, ANA)
    clock.pass_seconds(DAY / 1000 - 1800)
    await services[RoundService].advance(cup.id)
    assert await can_join(registration, cup, ANA)
    assert not await can_join(registration, cup, ANA)
    async with services[TournamentService].changing(cup.id) as change:
        (ana,) = change.snapshot.players
        await change.set_players(replace(ana, status=PlayerStatus.EXPELLED))
    assert not await can_join(registration, cup, ANA)


@pytest.mark.parametrize("locale", ["en-US", SPANISH])
async def test_the_command_lists_what_can_be_joined(stand_in: Server, sqlite_url: str, locale: str) -> None:
    say = language_for_locale(locale)
    async with bot_running(stand_in, sqlite_url) as bot:
        event = Event.of(stand_in, bot, 2, locale=locale)
        world, ana = stand_in.world, event.people[0].at(stand_in.world.add_channel("chat"))
        for name, late in (("Begun", 0), ("Late", 3)):
            await event.create(plan_of(Format.SWISS, rounds=4, late_entries=late), name)
            await event.start()
            await event.round(1)
        carla = type(ana).join(world, "Carla", ana.channel_id, locale=locale)
        service, here = bot.service(TournamentService), event.organiser.channel_id
        swiss = plan_of(Format.SWISS, rounds=1)
        offered = await carla.choices("tournament join", "tournament", tournament="")
        assert [one["name"] for one in offered] == [say("tournament.suggested", name="Late", status="running")]
        await service.create(world.guild_id, here, 9, "Open", "en", swiss, Status.REGISTRATION)
        await carla.slash("tournament join")
        assert told(carla) == say("tournament.which", names=say.listed(["**Open**", "**Late**"]))
        await ana.slash("tournament join")  # in both others already
        assert told(ana).startswith(say("tournament.joined", name="Open", start="").strip().split("\n")[0][:20])
        await ana.slash("tournament join")
        assert told(ana) == say("tournament.none_fits")
        assert await ana.choices("tournament join", "tournament", tournament="") == []


async def test_what_a_user_may_join_costs_no_statement_for_each_tournament(
    registration: RegistrationService, opened: Opened
) -> None:
    among = [await opened(template, eligibility=Eligibility(lowest=1000)) for template in GAMES]
    asked: list[str] = []
    engine = registration.repository.database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    assert await registration.joinable(among[:1], ANA, ()) == among[:1]
    few = len(asked)
    assert await registration.joinable(among, ANA, ()) == among
    assert len(asked) == 2 * few


@pytest.mark.parametrize("code", CODES)
def test_who_is_out_reads_why(code: str) -> None:
    made, say = Made((Stage(Format.SWISS, rounds=3),), 4), language(code)
    made.player(1, status=PlayerStatus.EXPELLED, reason="expelled")
    made.player(2, status=PlayerStatus.WITHDRAWN, reason="no_show")
    made.player(3, status=PlayerStatus.WITHDRAWN, reason="withdrew")
    lines = [own_lines(made.snapshot, FIRST_USER + number, say) for number in (1, 2, 3, 4)]
    keys = ("join.expelled", "own.no_show", "own.out", "own.in")
    assert lines == [[say(f"tournament.{key}")] for key in keys]


def test_after_the_start_nobody_waits_for_a_place() -> None:
    """Nobody moves up any more."""
    say = language("en")
    made = Made((Stage(Format.SWISS, rounds=3),), 4)
    made.player(4, status=PlayerStatus.WAITING)
    before = replace(made.snapshot, tournament=replace(made.snapshot.tournament, status=Status.CHECK_IN))
    waits = say("tournament.own.waiting", place=1)
    assert [own_lines(one, FIRST_USER + 4, say) for one in (before, made.snapshot)] == [[waits], []]
    counts = ["\n".join(state(one, say, 0)) for one in (before, made.snapshot)]
    assert ["on the waiting list" in count for count in counts] == [True, False]


@one_of("locale", ["en-US", SPANISH])
async def test_a_running_tournament_leaves_its_dates_to_the_calendar(
    stand_in: Server, sqlite_url: str, locale: str
) -> None:
    """Rounds end early, and pauses move them."""
    say = language_for_locale(locale)
    async with bot_running(stand_in, sqlite_url) as bot:
        cup = Event.of(stand_in, bot, 2, locale=locale)
        await cup.create(plan_of(Format.SWISS, rounds=1, round_length=DAY, clock="1d/move"))
        await cup.organiser.slash("tournament show")
        assert say("tournament.calendar") in told(cup.organiser)
        await cup.start()
        await cup.organiser.slash("tournament show")
        assert say("tournament.calendar.running") in told(cup.organiser)
        assert say("tournament.calendar") not in told(cup.organiser)


@pytest.mark.parametrize(
    ("format_", "status", "player", "offered"),
    [
        (Format.SWISS, Status.REGISTRATION, None, True),
        (Format.SWISS, Status.REGISTRATION, PlayerStatus.WITHDRAWN, True),
        (Format.SWISS, Status.REGISTRATION, PlayerStatus.EXPELLED, False),
        (Format.ARENA, Status.RUNNING, None, True),
        (Format.ARENA, Status.RUNNING, PlayerStatus.WITHDRAWN, False),
        (Format.ARENA, Status.RUNNING, PlayerStatus.IN, False),
        (Format.SWISS, Status.REGISTRATION, PlayerStatus.WAITING, False),
        (Format.ARENA, Status.RUNNING, PlayerStatus.WAITING, True),
    ],
)
def test_the_button_to_join_is_for_those_who_may(
    format_: Format, status: Status, player: PlayerStatus | None, *, offered: bool
) -> None:
    made = Made((Stage(format_),), 2)
    made.set(status=status)
    reader = None if player is None else replace(made.snapshot.player(1), status=player)
    shown = buttons(made.snapshot.tournament, language("en"), reader, public=False)
    labels = {getattr(one, "label", "") for one in shown}
    assert (language("en")("button.tournament_join") in labels) is offered
