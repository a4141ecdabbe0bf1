"""After a long absence the bot catches up at a pace that leaves Discord's limit to those who play meanwhile."""

from __future__ import annotations

import asyncio
import math
import sys
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import pytest
from fakes.clock import Clock
from fakes.process import Process
from harness.bot import Room, bot_running, milliseconds
from harness.discord import Seat, until
from harness.tournaments import plan_of
from sqlalchemy import delete, insert, select, text, update

from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.repository import OldBoard
from bot.board.delivery.service import BoardDelivery
from bot.challenges.service import ChallengeService
from bot.clocks import service
from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.service import CatchUp
from bot.clocks.worker import DeadlineWorker
from bot.core import workers
from bot.core.workers import Pace
from bot.games.new_game import NewGame
from bot.games.service import GameService
from bot.games.stored import Place
from bot.games.tables import entries, games
from bot.notifications.model import PAUSED
from bot.notifications.service import NotificationService
from bot.sandbox.world import LoggedRequest
from bot.tournaments.registration.worker import AnnouncementWorker
from bot.tournaments.service import TournamentService
from bot.tournaments.tournament import Status
from engine.core.clock import SECOND
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import Kind
from engine.tournament.model import Format

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server

ANN, BOB = 11, 22


async def fill(bot: AbakBot, room: Room, number: int, control: str) -> list[str]:
    """Stores so many games whose boards are shown; each has its deadline a second after the one before."""
    guild_id = room.server.world.guild_id
    place, players = Place(guild_id, room.server.world.add_channel("first")), (room.ana.user_id, room.ben.user_id)
    first = await bot.service(GameService).open(NewGame("apb", {}, place, "en", control, "loss"), players)
    await bot.service(BoardPublisher).idle()
    channels = [room.server.world.add_channel(f"c{n}") for n in range(number - 1)]
    async with bot.services.database.writing() as connection:
        row = (await connection.execute(select(games).where(games.c.id == first.id))).one()._asdict()
        listed = (await connection.execute(select(entries).where(entries.c.game_id == first.id))).all()
        for n, channel_id in enumerate(channels):
            later = {key: row[key] + (n + 1) * SECOND for key in ("started", "last_entry_at", "deadline")}
            more = {"id": f"n{n:05}", "channel_id": channel_id, "message_id": None}
            await connection.execute(insert(games).values(row | later | more))
        if listed:
            await connection.execute(
                insert(entries), [e._asdict() | {"game_id": f"n{n:05}"} for n in range(number - 1) for e in listed]
            )
    return [first.id, *(f"n{n:05}" for n in range(number - 1))]


async def heard(bot: AbakBot) -> None:
    """Waits for the first heartbeat: the bot is known to have been there."""
    bot.service(DeadlineWorker).wake()
    await until(bot.service(HeartbeatService).recorded_shards, "a heartbeat is recorded")


async def credited(bot: AbakBot, ids: list[str]) -> list[str]:
    async with bot.services.database.reading() as connection:
        query = select(entries.c.game_id).where(entries.c.kind == Kind.CREDIT, entries.c.game_id.in_(ids))
        return list(await connection.scalars(query.order_by(entries.c.game_id)))


@pytest.mark.both_databases
async def test_ticks_keep_the_pace_nearest_deadline_first(process: Process) -> None:
    ids = []
    for number in range(60):
        live = await process.nim(f"{60 - number}m/move", (ANN, BOB), Place(1, 5 + number))
        ids.append(live.id)
    noted: list[float | str] = []
    process.games.subscribe(lambda live: noted.append(live.id))

    class Noting(Pace):
        async def wait(self, units: float = 1.0) -> None:
            noted.append(units)

    await process.pass_time(0)
    process.clock.at += 2 * HOUR
    deadlines = service.DeadlineService(process.games, process.heartbeats, process.clock, Noting(1))
    await deadlines.run_once([0])
    assert noted == [given for game_id in ids[::-1] for given in (service.PER_TICK, game_id)]


@pytest.mark.changes_schema  # its statistics are not for others
@pytest.mark.both_databases
async def test_no_more_are_leased_than_wanted_whatever_the_statistics_say(process: Process) -> None:
    """PostgreSQL believes that there is no game, and joins what is due in its own way."""
    if process.database.url.get_backend_name() == "postgresql":
        await process.nim("1m/move", (ANN, BOB), Place(1, 4))
        async with process.database.writing() as connection:
            await connection.execute(delete(entries))
            await connection.execute(delete(games))
        async with process.database.writing() as connection:
            await connection.execute(text("ANALYZE games"))
    ids = [(await process.nim(f"{1 + n}m/move", (ANN, BOB), Place(1, 5 + n))).id for n in range(20)]
    now = process.clock.at + 2 * HOUR
    lease = process.games.repository.lease
    assert [await lease(now, now + HOUR, [0], 1, 5) for _ in range(4)] == [ids[n : n + 5] for n in range(0, 20, 5)]


@pytest.mark.both_databases
async def test_a_run_ends_in_time_for_the_worker_however_much_is_due(process: Process) -> None:
    for number in range(service.BATCH + 10):
        await process.nim("10m/move", (ANN, BOB), Place(1, 5 + number))
    await process.pass_time(0)
    process.clock.at += 2 * HOUR

    class Slow(Pace):
        async def wait(self, _: float = 1.0) -> None:
            process.clock.at += 2 * SECOND

    deadlines = service.DeadlineService(process.games, process.heartbeats, process.clock, Slow(1))
    assert await deadlines.run_once([0]) == 0


def test_together_it_is_half_of_what_discord_allows() -> None:
    assert service.REQUESTS_PER_SECOND + service.BURST <= 25


@pytest.mark.parametrize("waits", [False, True])
async def test_an_absence_is_credited_whoever_comes_first(stand_in: Server, database_url: str, waits: bool) -> None:
    """A player acts before the first heartbeat after the absence is recorded, or after it."""
    now = Clock(milliseconds())
    async with bot_running(stand_in, database_url, now=now) as bot:
        room = Room.of(stand_in, bot)
        ids = await fill(bot, room, 8, "1d/move")
        await heard(bot)
    now.at += 10 * MINUTE
    async with bot_running(stand_in, database_url, now=now) as room.bot:
        if waits:
            await heard(room.bot)
        await room.challenge("apb")

        async def all_credited() -> bool:
            assert room.bot is not None
            return await credited(room.bot, ids) == sorted(ids)

        await until(all_credited, "every game is credited")


@dataclass
class Loop:
    """The part of asyncio that a pace needs, with a time that passes only when a test says so."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)
    """How long each sleep was to be."""

    def get_running_loop(self) -> Self:
        return self

    def time(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Loop:
    loop = Loop()
    monkeypatch.setattr(workers, "asyncio", loop)
    return loop


async def test_a_pace_lets_a_burst_through_and_then_its_rate(loop: Loop) -> None:
    pace = Pace(64.0, 8.0)
    for _ in range(2):
        loop.now += 1.0  # a rest
        loop.slept.clear()
        for _ in range(8):
            await pace.wait()
        assert loop.slept == []
        for _ in range(4):
            await pace.wait()
        await pace.wait(2.0)
        assert loop.slept == [1 / 64, 2 / 64, 3 / 64, 4 / 64, 6 / 64]


async def test_who_shares_a_pace_has_a_part_of_it(loop: Loop) -> None:
    pace = Pace(64.0)
    pace.sharers = lambda: 2
    for _ in range(4):
        await pace.wait()
    assert loop.slept == [2 / 64, 4 / 64, 6 / 64, 8 / 64]


async def test_processes_that_serve_shards_share_the_pace(stand_in: Server, postgres_url: str) -> None:
    """Discord counts the requests of all together."""
    stand_in.world.shards = 2
    async with bot_running(stand_in, postgres_url) as one:
        assert one.service(CatchUp).sharers() == 1
        async with bot_running(stand_in, postgres_url) as other:
            await until(lambda: {bot.service(CatchUp).sharers() for bot in (one, other)} == {2}, "they share the pace")


class Passed:
    """Notes the requests that the pace of catching up lets through: how many, for which module, and when by its own
    clock.

    A busy machine runs late requests that were let through in time, and then many at once: no pace can help that.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.requests: list[float] = []
        self.times: list[float] = []
        self.waits: Counter[str] = Counter()

        async def wait(pace: CatchUp, units: float = 1.0) -> None:
            self.requests.append(units)
            self.waits[sys._getframe(1).f_globals["__name__"]] += 1
            await Pace.wait(pace, units)

        def decide(pace: CatchUp, moment: float) -> None:
            vars(pace)["_until"] = moment
            if moment > -math.inf:
                self.times.append(max(moment, asyncio.get_running_loop().time()))

        monkeypatch.setattr(CatchUp, "wait", wait)
        monkeypatch.setattr(CatchUp, "_until", property(lambda pace: vars(pace)["_until"], decide), raising=False)

    def by(self, moment: float) -> float:
        """Counts the requests that had their turn by then, without those that still wait."""
        return sum(n for at, n in zip(self.times, self.requests, strict=True) if at <= moment)

    def most(self, seconds: float) -> float:
        """Returns the most requests in any span of so many seconds."""
        passed = list(zip(self.times, self.requests, strict=True))
        return max(sum(n for at, n in passed if begun <= at <= begun + seconds) for begun in self.times)


class Arrivals(deque[LoggedRequest]):
    """The stand-in's log, which also knows how many requests the pace had let through when each of them came."""

    def __init__(self, passed: Passed) -> None:
        super().__init__(maxlen=10_000)
        self._passed = passed
        self.allowed: list[float] = []

    def append(self, request: LoggedRequest) -> None:
        if "/channels" in request.path:  # neither answers to interactions nor what a start needs
            self.allowed.append(self._passed.by(asyncio.get_running_loop().time()))
        super().append(request)

    def gone(self, most: int) -> list[str]:
        """Returns the requests for messages with ids up to that number, which are gone."""
        ids = set(map(str, range(1, most + 1)))
        return [request.path for request in self if request.path.rpartition("/messages/")[2] in ids]


async def fall_due(bot: AbakBot, room: Room, ids: list[str], number: int) -> list[Seat]:
    """These boards were never shown, and each of so many others is to get a notice; returns those.

    As many old boards and challenges wait, whose messages are gone, and as many tournaments are to be announced.
    """
    service = bot.service(NotificationService)
    others = [Seat.join(room.server.world, f"P{n}", room.channel_id) for n in range(number)]
    live = await bot.service(GameService).get(ids[0])
    places = [(await bot.service(GameService).get(game_id)).place for game_id in ids]
    challenges = bot.service(ChallengeService)
    for who, place in zip(others, places, strict=False):
        challenge = await challenges.post(who.user_id, None, NewGame("apb", {}, place, "en"))
        await challenges.posted(challenge.id, 1)
    plan, ana = plan_of(Format.SWISS, rounds=3), room.ana.user_id
    create, status = bot.service(TournamentService).create, Status.REGISTRATION
    for place in places:
        await create(place.guild_id, place.channel_id, ana, "Cup", "en", plan, status)
    written = [service.of_game(live, who.user_id, PAUSED, seq=live.seq, due=service.now() + MINUTE) for who in others]
    async with bot.services.database.writing() as connection:
        await service.store.add(connection, written)
        old = [OldBoard(n, place, removed=False) for n, place in enumerate(places, 1)]
        await bot.service(BoardDelivery).add_old(old, connection)
        await connection.execute(update(games).where(games.c.id.in_(ids)).values(shown_seq=-1))
    return others


WAITS = Counter(
    {
        "bot.clocks.service": 40,
        "bot.board.delivery.publisher": 10,  # the others may have been shown after their ticks
        "bot.board.delivery.tidying": 20,
        "bot.challenges.worker": 20,
        "bot.notifications.dispatcher": 30,
        "bot.tournaments.registration.worker": 20,
    }
)
"""How often at least each of those that send requests by themselves waits for the pace, if it waits for each."""


def announced(room: Room) -> int:
    """Counts the tournaments that are announced."""
    messages, channels = room.server.world.messages, list(room.server.world.channels)
    return sum("## Cup" in m["content"] for channel_id in channels for m in messages.in_channel(channel_id))


async def test_an_absence_makes_at_most_25_requests_in_any_second(
    stand_in: Server, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything of which the bot sends requests is due at once; who plays meanwhile is answered."""
    now, world = Clock(milliseconds()), stand_in.world
    async with bot_running(stand_in, sqlite_url, now=now) as bot:
        room = Room.of(stand_in, bot)
        ids = await fill(bot, room, 40, "10m/move")
        await heard(bot)
        await bot.service(BoardPublisher).close()
        await bot.service(AnnouncementWorker).close()
        others = await fall_due(bot, room, ids[20:], 30)
    now.at += 2 * DAY
    passed = Passed(monkeypatch)
    world.log = arrivals = Arrivals(passed)
    answers = 0
    async with bot_running(stand_in, sqlite_url, now=now, sync_commands=False) as room.bot:
        await heard(room.bot)
        while (
            not all(who.direct().messages for who in others)
            or await credited(room.bot, ids) != sorted(ids)
            or await room.bot.service(ChallengeService).unshown()
            or announced(room) < 20
            or len(arrivals.gone(20)) < 2 * 20
        ):
            await room.ana.slash("abak games")
            answers += 1
            await asyncio.sleep(0.2)
    assert answers > 1, "the first came while others still waited"
    assert len(arrivals.gone(20)) == 2 * 20, "old boards and challenges are in it"
    assert announced(room) == 20
    assert passed.waits >= WAITS, passed.waits
    assert passed.most(1) <= 25, passed.times
    assert all(n <= allowed for n, allowed in enumerate(arrivals.allowed, 1)), arrivals.allowed
