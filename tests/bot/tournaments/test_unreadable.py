"""A tournament that cannot be read is named, and holds up no other: in lists, in batches and at the end of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest
from harness import damage as damaging
from harness.bot import SPANISH, bot_running, told
from harness.thinning import one_of
from harness.tournaments import Desk, Event, plan_of
from sqlalchemy import select
from sqlalchemy import text as sql

from bot.core.storage.faults import damage
from bot.core.translations import language_for_locale
from bot.core.workers import LONGEST_PAUSE, backoff
from bot.privacy.deletion.service import DeletionService
from bot.tournaments.organising.service import By, OrganiserService
from bot.tournaments.registration.service import LEASE_MS
from bot.tournaments.registration.worker import AnnouncementWorker
from bot.tournaments.rows import UnreadableTournament
from bot.tournaments.tables import tournaments
from bot.tournaments.tournament import PairingState, Status
from engine.core.hours import DAY
from engine.tournament.model import Format, Result

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fakes.clock import Clock

    from bot.core.storage.database import Database
    from bot.sandbox.server import Server
    from bot.tournaments.tournament import Plan

BAD: Final = "(SELECT id FROM tournaments WHERE name = 'Bad')"
"""What BAD stands for in the statements below."""
PLAN: Final = """UPDATE tournaments SET plan = '{"x": 1}' WHERE name = 'Bad'"""
GAME: Final = "UPDATE tournaments SET plan = replace(plan, '\"abalone\"', '\"tetris\"') WHERE name = 'Bad'"
STAGES: Final = """UPDATE tournaments SET plan = '{"game": "abalone", "stages": []}' WHERE name = 'Bad'"""
PLAYERS: Final = "UPDATE tournament_players SET byes = 'x' WHERE tournament_id = BAD"
PAIRINGS: Final = "UPDATE tournament_pairings SET reason = 'x' WHERE tournament_id = BAD"
ROUNDS: Final = "UPDATE tournament_rounds SET more_ids = 'x' WHERE tournament_id = BAD"
LOG: Final = "UPDATE tournament_log SET detail = '{' WHERE tournament_id = BAD"
MENDED: Final = "UPDATE tournaments SET plan = (SELECT plan FROM tournaments WHERE name = 'Cup') WHERE name = 'Bad'"


@pytest.fixture(autouse=True)
def unnamed() -> None:
    """Forgets the damage that earlier tests have reported."""
    damage._named.clear()


async def spoil(database: Database, statement: str) -> None:
    await damaging.spoil(database, statement.replace("BAD", BAD))


# --- lists and commands over the socket ------------------------------------------------------------------------------


@pytest.mark.both_databases
@one_of("locale", ["en-US", SPANISH])
@pytest.mark.parametrize("damaged", [PLAN, GAME, STAGES], ids=["plan", "game", "stages"])
async def test_it_is_left_out_of_every_list_and_named_when_it_is_asked_for(
    stand_in: Server, sqlite_url: str, damaged: str, locale: str
) -> None:
    say = language_for_locale(locale)
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:  # it is named in the log once
        event = Event.of(stand_in, bot, 2, locale=locale)
        await event.create(plan_of(Format.SWISS, rounds=1), name="Cup")
        guild_id, channel, owner = stand_in.world.guild_id, event.organiser.channel_id, event.organiser.user_id
        plan = plan_of(Format.SWISS, rounds=1)
        bad = await event.service.create(guild_id, channel, owner, "Bad", "en", plan, Status.REGISTRATION)
        await event.shows("## Bad")
        await spoil(bot.services.database, damaged)
        ana, olga = event.people[0], event.organiser
        await ana.slash("tournament list")
        assert "Cup" in told(ana)
        assert "Bad" not in told(ana)
        suggested = await ana.choices("tournament show", "tournament", tournament="")
        assert ["Cup" in one["name"] for one in suggested] == [True]
        await ana.slash("tournament show")
        assert "Cup" in told(ana)
        await event.start()  # the other one goes on
        (stored,) = await event.round(1)
        assert [one["value"] for one in await olga.choices("tournament adjudicate", "game", game="")] == ["1"]
        for named in ("Bad", "bad", bad.id):
            await ana.slash("tournament show", tournament=named)
            assert told(ana) == say("tournament.unreadable", name="Bad")
        await event.win(stored, 1)
        await event.status(Status.OVER)
        await ana.slash("tournament show")  # the only active one is the one that cannot be read
        assert told(ana) == say("tournament.unreadable", name="Bad")
        await spoil(bot.services.database, "UPDATE tournaments SET status = 'over' WHERE name = 'Bad'")
        await ana.slash("tournament history")
        assert "Cup" in told(ana)
        await spoil(bot.services.database, "UPDATE tournaments SET status = 'draft' WHERE name = 'Bad'")
        await olga.slash("tournament create")
        assert "Bad" not in told(olga)


@pytest.mark.parametrize("damaged", [PLAYERS, PAIRINGS], ids=["player", "pairing"])
async def test_what_belongs_to_it_cannot_be_read_either(stand_in: Server, sqlite_url: str, damaged: str) -> None:
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        bad = Event.of(stand_in, bot, 2)
        await bad.create(plan_of(Format.SWISS, rounds=2), name="Bad")
        await bad.start()
        (stored,) = await bad.round(1)
        good = Event.of(stand_in, bot, 2)
        await good.create(plan_of(Format.SWISS, rounds=1))
        await spoil(bot.services.database, damaged)
        ana, say = bad.people[0], language_for_locale("en-US")
        await ana.slash("tournament list")
        assert all(name in told(ana) for name in ("Bad", "Cup"))
        await ana.slash("tournament standings", tournament="Bad")
        assert told(ana) == say("tournament.unreadable", name="Bad")
        live = await bad.games.newest(stored.game_id or "")
        await bad.games.resign(live.id, live.players[0], 1)
        assert (await bad.games.newest(live.id)).is_over
        await good.start()
        await good.play_to_the_end()
        await good.shows("🏆 **Cup is over**")


async def test_its_log_is_shown_without_the_entry_that_cannot_be_read(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url, faults=1) as bot:
        event = Event.of(stand_in, bot, 2)
        await event.create(plan_of(Format.SWISS, rounds=2), name="Bad")
        await event.organiser.slash("tournament pause", reason="Rain.")
        await event.shows("**Bad**: ", "paused")
        await spoil(bot.services.database, LOG)
        await event.organiser.slash("tournament resume", reason="Sun.")
        await event.shows("**Bad**: ", "resumed")
        await event.organiser.slash("tournament log")
        assert "resumed" in told(event.organiser)
        assert "Rain" not in told(event.organiser)


# --- batches over all servers, on each kind of database --------------------------------------------------------------


async def two(database: Database, clock: Clock, plan: Plan, players: int = 4) -> tuple[Desk, Desk]:
    """Pairs the first rounds of a tournament Bad with so many players and of Cup with two, and opens nothing."""
    bad = Desk.on(database, clock)
    await bad.create(plan, players)
    await spoil(database, "UPDATE tournaments SET name = 'Bad'")
    good = Desk(bad.services, clock)
    await good.create(plan, 2)
    for desk in (bad, good):
        await desk.rounds.start(desk.tournament_id, 9)
        await desk.rounds.advance(desk.tournament_id)
    return bad, good


async def stored(database: Database, query: str) -> Any:
    """Returns the only value that a query finds."""
    async with database.reading() as connection:
        return (await connection.execute(sql(query.replace("BAD", BAD)))).scalar_one()


async def seldom(clock: Clock, tried: Callable[[], Awaitable[int | None]]) -> None:
    """Tries for a month whenever it is due: ``tried`` does, and says when it is due next."""
    tries, end = 0, clock() + 30 * DAY
    while clock() < end:
        due, tries = await tried(), tries + 1
        assert due is not None
        assert due > clock()
        clock.at = due
    assert tries < 30 * DAY / LONGEST_PAUSE + 20


@pytest.mark.parametrize("damaged", [PLAN, PAIRINGS], ids=["tournament", "pairing"])
async def test_the_games_of_others_are_opened(database: Database, clock: Clock, damaged: str) -> None:
    """The games of the unreadable tournament fill a whole batch, and come first."""
    bad, good = await two(database, clock, plan_of(Format.SWISS, rounds=3), 16)
    await spoil(database, damaged)
    await spoil(database, "UPDATE tournament_pairings SET next_attempt_at = -1 WHERE tournament_id = BAD")
    repository = bad.openings.repository
    (opening,) = await repository.unopened(clock(), 8, clock() + LEASE_MS)
    assert opening.tournament.id == good.tournament_id
    await spoil(database, "UPDATE tournament_pairings SET state = 'running' WHERE tournament_id <> BAD")

    async def tried() -> int | None:
        assert await repository.unopened(clock(), 8, clock() + LEASE_MS) == []
        return await repository.next_unopened(clock())

    assert await tried() == clock() + backoff(0)
    await seldom(clock, tried)
    await spoil(database, MENDED)
    await spoil(database, "UPDATE tournament_pairings SET reason = '' WHERE tournament_id = BAD")
    clock.at += LONGEST_PAUSE
    assert len(await repository.unopened(clock(), 8, clock() + LEASE_MS)) == 8


@pytest.mark.parametrize("damaged", [PLAN, ROUNDS], ids=["tournament", "round"])
async def test_the_rounds_of_others_are_shown(database: Database, clock: Clock, damaged: str) -> None:
    bad, good = await two(database, clock, plan_of(Format.SWISS, rounds=3))
    await spoil(database, damaged)
    await spoil(database, "UPDATE tournament_rounds SET next_attempt_at = -1 WHERE tournament_id = BAD")
    repository = bad.rounds.repository
    (unshown,) = await repository.unshown(clock(), 1, clock() + LEASE_MS)
    assert unshown.tournament.id == good.tournament_id
    await repository.shown(good.tournament_id, 1, 99, [5], clock())

    async def tried() -> int | None:
        assert await repository.unshown(clock(), 1, clock() + LEASE_MS) == []
        return await repository.next_unshown()

    assert await tried() == clock() + backoff(0)
    await seldom(clock, tried)
    await spoil(database, MENDED)
    await spoil(database, "UPDATE tournament_rounds SET more_ids = '' WHERE tournament_id = BAD")
    (unshown,) = await repository.unshown(clock(), 1, clock() + LEASE_MS)
    assert unshown.tournament.id == bad.tournament_id


async def test_the_last_messages_of_others_are_sent(database: Database, clock: Clock) -> None:
    bad, good = await two(database, clock, plan_of(Format.SWISS, rounds=3))
    await spoil(database, PLAN)
    await spoil(database, "UPDATE tournaments SET ended = started, closing_at = 2")
    await spoil(database, "UPDATE tournaments SET closing_at = 1 WHERE name = 'Bad'")
    repository = bad.rounds.repository
    (found,) = await repository.closing(clock(), 1, clock() + LEASE_MS)
    assert found.tournament.id == good.tournament_id
    await repository.close_later(found.tournament, None)

    async def tried() -> int | None:
        assert await repository.closing(clock(), 1, clock() + LEASE_MS) == []
        return await repository.next_closing()

    await seldom(clock, tried)
    await spoil(database, MENDED)
    (found,) = await repository.closing(clock(), 1, clock() + LEASE_MS)
    assert found.tournament.id == bad.tournament_id


async def test_the_acts_of_others_are_finished(database: Database, clock: Clock) -> None:
    bad, good = await two(database, clock, plan_of(Format.SWISS, rounds=3))
    for desk in (bad, good):
        await desk.services[OrganiserService].pause(desk.tournament_id, By(9, "Rain.", 99))
    await spoil(database, LOG)
    await spoil(database, "UPDATE tournament_log SET next_attempt_at = 1 WHERE act = 'pause' AND tournament_id = BAD")
    repository = bad.services[OrganiserService].repository
    (found,) = await repository.lease(clock(), clock() + LEASE_MS, 1)
    assert found.tournament_id == good.tournament_id
    await repository.next_attempt(good.tournament_id, found.entry.seq, None)
    assert await repository.lease(clock(), clock() + LEASE_MS, 1) == []
    assert await repository.next_due() == clock() + backoff(0)


@pytest.mark.parametrize("damaged", [PLAN, PLAYERS, PAIRINGS], ids=["tournament", "player", "pairing"])
@one_of("format_", [Format.SWISS, Format.ARENA])
async def test_its_games_end_and_their_results_count(
    database: Database, clock: Clock, damaged: str, format_: Format
) -> None:
    desk = Desk.on(database, clock)
    await desk.begin(plan_of(format_, rounds=1), 2)
    await desk.go_on(5)
    (pairing,) = await desk.running()
    live = await desk.game(pairing)
    await spoil(database, "UPDATE tournaments SET name = 'Bad'")
    await spoil(database, damaged)
    await desk.games.resign(live.id, live.players[1], 1)
    assert (await desk.games.newest(live.id)).is_over
    with pytest.raises(UnreadableTournament):
        await desk.snapshot()
    if damaged == PAIRINGS:  # whom it belongs to is not known: an organiser decides when it can be read again
        assert await stored(database, "SELECT state FROM tournament_pairings") == PairingState.RUNNING
    else:
        assert await stored(database, "SELECT result FROM tournament_pairings") == Result.FIRST_WINS


@pytest.mark.both_databases
async def test_its_owner_and_its_players_have_their_data_deleted(database: Database, clock: Clock) -> None:
    bad, _ = await two(database, clock, plan_of(Format.SWISS, rounds=3))
    await bad.service.create(1, 100, 9, "Bad", "en", plan_of(Format.SWISS), Status.DRAFT)
    await spoil(database, PLAN)
    for user_id in (9, 1001):
        await bad.services[DeletionService].delete(user_id)
    assert await stored(database, "SELECT count(*) FROM tournaments WHERE status = 'draft'") == 0
    assert await stored(database, "SELECT owner < 0 FROM tournaments WHERE id = BAD")
    assert await stored(database, "SELECT user_id < 0 FROM tournament_players WHERE number = 1 AND tournament_id = BAD")


# --- workers ---------------------------------------------------------------------------------------------------------


async def test_the_workers_go_on_and_it_is_shown_when_it_can_be_read_again(
    stand_in: Server, sqlite_url: str, clock: Clock
) -> None:
    async with bot_running(stand_in, sqlite_url, now=clock, faults=1) as bot:
        bad = Event.of(stand_in, bot, 2)
        await bad.create(plan_of(Format.SWISS, rounds=1), name="Bad")
        await bad.start()
        await bad.round(1)
        await bad.shows("**Bad · Round 1**")
        await spoil(bot.services.database, PLAN)
        await spoil(bot.services.database, "UPDATE tournaments SET closing_at = 1, version = version + 1, next_at = 1")
        await spoil(
            bot.services.database, "UPDATE tournament_rounds SET version = version + 1 WHERE tournament_id = BAD"
        )
        good = Event.of(stand_in, bot, 2)
        await good.create(plan_of(Format.SWISS, rounds=1))
        await good.start()
        await good.round(1)
        await good.shows("## Cup")
        await good.shows("**Cup · Round 1**")
        await good.play_to_the_end()
        await good.shows("🏆 **Cup is over**")
        for _ in range(20):
            clock.pass_seconds(LONGEST_PAUSE / 1000)
            await bot.service(AnnouncementWorker).run_once()
        rows = await bot.services.database.fetch(select(tournaments.c.attempts).where(tournaments.c.name == "Bad"))
        assert rows.scalar_one() >= 20
        await spoil(bot.services.database, MENDED)
        await spoil(bot.services.database, "UPDATE tournaments SET locale = 'es' WHERE name = 'Bad'")
        clock.pass_seconds(LONGEST_PAUSE / 1000)
        good.look()
        await bad.shows("## Bad", language_for_locale(SPANISH)("tournament.results.live", round=1, done=0, n=1))
