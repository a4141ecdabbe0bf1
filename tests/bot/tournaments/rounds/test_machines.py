"""Machines that an organiser has entered: paired, rated and listed as everybody, never pinged, never absent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pytest
from fakes.thinker import FirstTurn
from harness.bot import bot_running, private, told
from harness.discord import alt, text, until
from harness.tournaments import Desk, Event, plan_of
from sqlalchemy import select

from bot.core.texts.quoting import escaped
from bot.core.translations import language
from bot.notifications.repository import _notification
from bot.notifications.service import NotificationService
from bot.notifications.tables import notifications
from bot.opponents.service import OpponentService
from bot.opponents.worker import OpponentWorker
from bot.players.machines import is_machine, machine_name
from bot.players.service import PreferenceService
from bot.ratings.pace import CORRESPONDENCE
from bot.ratings.service import RatingService
from bot.sandbox.state import objects, permissions
from bot.tournaments.registration.service import RegistrationService
from bot.tournaments.tournament import PlayerStatus, Status
from engine.core.hours import HOUR, MINUTE
from engine.core.record import Kind
from engine.tournament.model import Format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fakes.clock import Clock

    from bot.games.live import LiveGame
    from bot.sandbox.server import Server

EN = language("en")
LEVEL: Final = 3


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    """One is enough: the other tests of rounds have the transactions on both."""
    return sqlite_url


async def with_machines(desk: Desk, people: int, *levels: int, **plan: object) -> None:
    """Opens the first round of a tournament in which an organiser has entered machines."""
    format_ = plan.pop("format_", Format.ROUND_ROBIN)
    assert isinstance(format_, Format)
    await desk.create(plan_of(format_, **plan), people)
    for level in levels:
        await desk.services[RegistrationService].add_machine(desk.tournament_id, level)
    await desk.rounds.start(desk.tournament_id, 9)
    await desk.go_on()


async def told_of(desk: Desk) -> set[int]:
    """Returns the users to whom anything was written."""
    async with desk.service.repository.database.reading() as connection:
        return set(await connection.scalars(select(notifications.c.user_id)))


async def against_machine(desk: Desk) -> LiveGame:
    """Returns the first running game of a person against a machine."""
    games = [await desk.game(stored) for stored in await desk.running()]
    return next(live for live in games if live.person_against_machine is not None)


@pytest.mark.parametrize(
    ("format_", "plan"),
    [
        (Format.SWISS, {"rounds": 2}),
        (Format.ROUND_ROBIN, {}),
        (Format.SINGLE_ELIMINATION, {}),
        (Format.DOUBLE_ELIMINATION, {}),
    ],
)
async def test_two_levels_play_in_every_format_of_rounds(desk: Desk, format_: Format, plan: dict[str, int]) -> None:
    await with_machines(desk, 2, 1, LEVEL, format_=format_, **plan)
    desk.decide = lambda stored: max(stored.pairing.players)
    await desk.play_on(10)
    snapshot = await desk.snapshot()
    assert snapshot.tournament.status is Status.OVER
    assert [player.user_id for player in snapshot.players if player.first_place == 1] == [LEVEL]
    assert all(player.first_place for player in snapshot.players)
    assert await told_of(desk) == {1001, 1002}


async def test_an_arena_pairs_a_machine_that_is_free(desk: Desk) -> None:
    await with_machines(desk, 1, LEVEL, format_=Format.ARENA, arena=10 * MINUTE)
    for _ in range(2):
        await desk.go_on(5)
        (stored,) = await desk.running()
        await desk.win(stored, 2)
    snapshot = await desk.snapshot()
    assert len(snapshot.pairings) == 2


async def test_in_an_arena_machines_play_people_alone(desk: Desk) -> None:
    """The one that has been free longest, if a person would wait; never each other."""
    await with_machines(desk, 1, 1, LEVEL, format_=Format.ARENA, arena=10 * MINUTE)
    await desk.go_on(5)
    assert len(await desk.running()) == 1
    await desk.go_on(60)
    (stored,) = await desk.running()
    first = (await desk.game(stored)).players
    await desk.win(stored, 2)
    await desk.go_on(5)
    (stored,) = await desk.running()
    met = {*first, *(await desk.game(stored)).players}
    assert met == {1001, 1, LEVEL}


async def test_a_machine_is_challenged_in_a_ladder(desk: Desk) -> None:
    await with_machines(desk, 2, LEVEL, format_=Format.LADDER)
    async with desk.service.changing(desk.tournament_id) as change:
        places = dict(zip(change.snapshot.players, (2, 3, 1), strict=True))
        await change.set_players(*(replace(player, ladder_place=place) for player, place in places.items()))
    await desk.rounds.challenge(desk.tournament_id, 1001, LEVEL)
    await desk.go_on()
    (stored,) = await desk.running()
    await desk.win(stored, 1)
    assert [player.ladder_place for player in (await desk.snapshot()).players] == [1, 3, 2]


async def test_it_needs_no_check_in(desk: Desk, clock: Clock) -> None:
    await desk.create(plan_of(Format.SWISS, rounds=1, starts=clock() + 2 * HOUR, check_in=HOUR), 2)
    await desk.services[RegistrationService].add_machine(desk.tournament_id, LEVEL)
    await desk.go_on(3601)
    await desk.services[RegistrationService].check_in(desk.tournament_id, 1001)
    await desk.services[RegistrationService].add_machine(desk.tournament_id, 1)
    assert [player.checked_in for player in (await desk.snapshot()).players] == [True, False, False, False]
    await desk.go_on(3600)
    snapshot = await desk.snapshot()
    assert [player.status.value for player in snapshot.players] == ["in", "withdrawn", "in", "in"]
    assert snapshot.tournament.status is Status.RUNNING


async def test_it_never_leaves_the_server(desk: Desk) -> None:
    """Discord knows no member of so small an id."""
    asked: list[int] = []

    async def missing(guild_id: int, users: Sequence[int]) -> set[int]:
        del guild_id
        asked.extend(users)
        return set(filter(is_machine, users))

    desk.rounds.missing = missing
    await with_machines(desk, 1, LEVEL)
    assert set(asked) == {1001}
    assert all(player.status is PlayerStatus.IN for player in (await desk.snapshot()).players)


@pytest.mark.parametrize("allowed", [True, False])
async def test_its_games_of_a_rated_tournament_are_rated_where_the_server_allows_it(
    desk: Desk, *, allowed: bool
) -> None:
    preferences, ratings = desk.services[PreferenceService], desk.services[RatingService]
    await preferences.set_server(1, "machine_rated", "yes" if allowed else "no")
    await with_machines(desk, 2, LEVEL, clock="1d/move")
    games = [await desk.game(stored) for stored in await desk.running()]
    assert {live.record.header.rated for live in games if live.has_machine} == {allowed}
    await desk.play_on(5)
    assert (await desk.snapshot()).tournament.status is Status.OVER
    standings = await ratings.standings([1001, 1002, LEVEL], "abalone", CORRESPONDENCE)
    assert [standing.contests for standing in standings] == ([2, 2, 2] if allowed else [1, 1, 0])


async def test_a_player_is_told_why_a_game_is_not_rated(desk: Desk) -> None:
    await with_machines(desk, 1, LEVEL)
    async with desk.service.repository.database.reading() as connection:
        rows = (await connection.execute(select(notifications).where(notifications.c.kind == "round_paired"))).all()
    (paired,) = rows
    assert paired.user_id == 1001
    written = await desk.services[NotificationService].kinds[paired.kind].text(_notification(paired), EN)
    assert EN("machine.casual") in written
    assert escaped(machine_name(LEVEL, EN)) in written


async def test_it_plays_its_turns_and_gives_nothing_away(desk: Desk) -> None:
    """Takebacks, pauses and other clocks, which it grants elsewhere."""
    opponents = desk.services[OpponentService]
    opponents._thinker = FirstTurn()
    await with_machines(desk, 1, LEVEL, clock="1d/move", rated=False)
    live = await against_machine(desk)
    seat = live.person_against_machine
    for _ in range(3):
        if live.seat_to_act == seat:
            live = await desk.games.play(
                live.id, 1001, None, live.game.format(live.state, live.game.legal(live.state)[:1])
            )
        elif (deed := await opponents.decide(live)) is not None:
            live = await deed()
    assert {entry.seat for entry in live.entries if entry.kind is Kind.PLAY} == {0, 1}
    for what in ("takeback", "pause", "adjourn 2d/move"):
        live = await (
            desk.games.ask_back(live.id, 1001) if what == "takeback" else desk.games.offer(live.id, 1001, what)
        )
        deed = await opponents.decide(live)
        assert deed is not None
        live = await deed()
        assert (live.entries[-1].kind, live.entries[-1].body) == (Kind.DECLINE, what)


async def test_a_round_robin_with_a_machine_runs_to_its_end(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine wins it; the role for the first place goes to the best of the people."""
    monkeypatch.setattr(OpponentWorker, "pause", 0.0)
    async with bot_running(stand_in, sqlite_url) as bot:
        bot.service(OpponentService)._thinker = FirstTurn()
        world = stand_in.world
        role_id = world.ids()
        guild = world.guilds[world.guild_id]
        guild["roles"].append(objects.role(role_id, "Champion", 0))
        own = next(role for role in guild["roles"] if "tags" in role)
        own |= {"position": 2, "permissions": str(permissions.BOT | permissions.MANAGE_ROLES)}
        event = Event.of(stand_in, bot, 2)
        ana, ben = event.people
        await event.create(plan_of(Format.ROUND_ROBIN, prizes=((1, role_id),)))
        await event.organiser.slash("tournament import", level=LEVEL)
        name = machine_name(LEVEL, EN)
        added = EN("tournament.machine.added", player=name, name="Cup")
        assert told(event.organiser) == f"{added} {EN('machine.casual')}"
        await event.start()
        machine = 3  # its number
        event.decide = lambda stored: None if machine in stored.pairing.players else 2

        async def has_moved() -> bool:
            for stored in await event.running():
                live = await event.game(stored)
                if not live.has_machine:
                    continue
                if live.seat_to_act == live.person_against_machine:
                    first = live.game.format(live.state, live.game.legal(live.state)[:1])
                    await event.games.play(live.id, live.players[live.seat_to_act or 0], live.seq, first)
                return any(entry.seat != live.person_against_machine for entry in live.entries)
            await event.play_round()  # perhaps the machine has no game in this round
            return False

        await until(has_moved, "the machine plays")
        event.decide = lambda stored: max(stored.pairing.players)
        await event.play_to_the_end()
        closing = await event.shows("🏆 **Cup is over**", f"1. {name}")
        assert closing.splitlines()[-1] == EN("tournament.rounds.prize", user=ben.user_id, role=f"<@&{role_id}>")
        assert str(role_id) in world.members[world.guild_id][ben.user_id]["roles"]
        rounds = event.said("**Cup · Round ")
        assert sum(escaped(name) in text for text in rounds) == len(rounds) > 1
        assert sum(name in thread for thread in event.threads()) == 2
        await event.organiser.slash("tournament crosstable")
        assert name in alt(private(event.organiser))[0]
        assert {user for user, _ in world.events.notifications} <= {ana.user_id, ben.user_id, event.organiser.user_id}


async def test_two_machines_play_on_one_board(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(OpponentWorker, "pause", 0.0)
    async with bot_running(stand_in, sqlite_url) as bot:
        thinker = bot.service(OpponentService)._thinker = FirstTurn()
        event = Event.of(stand_in, bot, 1)
        await event.create(plan_of(Format.ROUND_ROBIN))
        for level in (2, LEVEL):
            await bot.service(RegistrationService).add_machine(event.tournament_id, level)
        event.decide = lambda stored: None if 1 not in stored.pairing.players else 1
        await event.start()
        found: list[LiveGame] = []

        async def both_have_played() -> bool:
            await event.play_round()
            games = [await event.game(stored) for stored in await event.running()]
            found[:] = [live for live in games if live.person_against_machine is None]
            return bool(found) and found[0].shown_seq > 5

        await until(both_have_played, "the machines have played and the board shows it")
        thinker.free.clear()
        (live,) = found

        async def is_shown() -> bool:
            live = await event.games.newest(found[0].id)
            return live.shown_seq == live.seq

        await until(is_shown, "the board shows the last turn")
        live = await event.games.newest(live.id)
        boards = [one for one in stand_in.world.messages.in_channel(live.place.channel_id) if one["attachments"]]
        assert len(boards) == 1
        for entry in live.entries[-2:]:
            assert f"`{entry.body}`" in text(boards[0])
        thinker.free.set()
