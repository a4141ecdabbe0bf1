"""After a long absence the bot catches up at a pace that leaves Discord's limit to those who play meanwhile."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_right
from collections import deque
from typing import TYPE_CHECKING

import pytest
from fakes.clock import Clock
from fakes.process import Process
from harness.bot import Room, bot_running, milliseconds
from harness.discord import Seat, until
from sqlalchemy import insert, select, update

from bot.board.delivery.publisher import BoardPublisher
from bot.board.delivery.repository import OldBoard
from bot.board.delivery.service import BoardDelivery
from bot.challenges.service import ChallengeService
from bot.clocks import service
from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.worker import DeadlineWorker
from bot.core.workers import Pace
from bot.games.service import GameService
from bot.games.stored import Place
from bot.games.tables import entries, games
from bot.notifications.model import PAUSED
from bot.notifications.service import NotificationService
from bot.sandbox.world import LoggedRequest
from engine.core.clock import SECOND
from engine.core.hours import DAY, HOUR, MINUTE
from engine.core.record import Kind

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server

ANN, BOB = 11, 22


async def fill(bot: AbakBot, room: Room, number: int, control: str) -> list[str]:
    """So many games whose boards are shown; each has its deadline a second after the one before."""
    guild_id = room.server.world.guild_id
    place, players = Place(guild_id, room.server.world.add_channel("first")), (room.ana.user_id, room.ben.user_id)
    first = await bot.service(GameService).open("apb", {}, players, place, "en", control, "loss")
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
async def test_an_absence_is_credited_whoever_comes_first(stand_in: Server, sqlite_url: str, waits: bool) -> None:
    """A player acts before the first heartbeat after the absence is recorded, or after it."""
    now = Clock(milliseconds())
    async with bot_running(stand_in, sqlite_url, now=now) as bot:
        room = Room.of(stand_in, bot)
        ids = await fill(bot, room, 8, "1d/move")
        await heard(bot)
    now.at += 10 * MINUTE
    async with bot_running(stand_in, sqlite_url, now=now) as room.bot:
        if waits:
            await heard(room.bot)
        await room.challenge("apb")
        async with asyncio.timeout(20):
            while await credited(room.bot, ids) != sorted(ids):  # noqa: ASYNC110
                await asyncio.sleep(0.05)


async def test_a_pace_lets_a_burst_through_and_then_its_rate() -> None:
    pace, loop = Pace(100.0, 10.0), asyncio.get_running_loop()
    begun = loop.time()
    for _ in range(10):
        await pace.wait()
    assert loop.time() - begun < 0.05
    await asyncio.gather(*(pace.wait() for _ in range(20)))
    assert loop.time() - begun >= 0.19


async def test_processes_that_serve_shards_share_the_pace(stand_in: Server, postgres_url: str) -> None:
    """Discord counts the requests of all together."""
    stand_in.world.shards = 2
    async with bot_running(stand_in, postgres_url) as one:
        assert one.service(service.CatchUp).sharers() == 1
        async with bot_running(stand_in, postgres_url) as other, asyncio.timeout(20):
            while {one.service(service.CatchUp).sharers(), other.service(service.CatchUp).sharers()} != {2}:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    pace, loop = Pace(100.0), asyncio.get_running_loop()
    pace.sharers = lambda: 2
    begun = loop.time()
    await asyncio.gather(*(pace.wait() for _ in range(10)))
    assert loop.time() - begun >= 0.19


class Arrivals(deque[LoggedRequest]):
    """The stand-in's log, which also knows when each request came that counts against Discord's limit."""

    def __init__(self) -> None:
        super().__init__(maxlen=10_000)
        self.times: list[float] = []

    def append(self, request: LoggedRequest) -> None:
        if "/channels" in request.path:  # neither answers to interactions nor what a start needs
            self.times.append(time.monotonic())
        super().append(request)

    def most(self, seconds: float) -> int:
        """The most requests in any span of so many seconds."""
        return max(bisect_right(self.times, begun + seconds) - n for n, begun in enumerate(self.times))


async def fall_due(bot: AbakBot, room: Room, ids: list[str], number: int) -> list[Seat]:
    """These boards were never shown, and each of so many others is to get a notice; returns those.

    As many old boards and challenges wait, whose messages are gone.
    """
    service = bot.service(NotificationService)
    others = [Seat.join(room.server.world, f"P{n}", room.channel_id) for n in range(number)]
    live = await bot.service(GameService).get(ids[0])
    places = [(await bot.service(GameService).get(game_id)).place for game_id in ids]
    challenges = bot.service(ChallengeService)
    for who, place in zip(others, places, strict=False):
        challenge = await challenges.post(who.user_id, None, "apb", {}, place, "en")
        await challenges.posted(challenge.id, 1)
    written = [service.of_game(live, who.user_id, PAUSED, seq=live.seq, due=service.now() + MINUTE) for who in others]
    async with bot.services.database.writing() as connection:
        await service.store.add(connection, written)
        old = [OldBoard(n, place, removed=False) for n, place in enumerate(places, 1)]
        await bot.service(BoardDelivery).add_old(old, connection)
        await connection.execute(update(games).where(games.c.id.in_(ids)).values(shown_seq=-1))
    return others


async def test_an_absence_makes_at_most_25_requests_in_any_second(stand_in: Server, sqlite_url: str) -> None:
    """Deadlines, corrections, boards and notices are all due at once; who plays meanwhile is answered."""
    now, world = Clock(milliseconds()), stand_in.world
    async with bot_running(stand_in, sqlite_url, now=now) as bot:
        room = Room.of(stand_in, bot)
        ids = await fill(bot, room, 40, "10m/move")
        await heard(bot)
        await bot.service(BoardPublisher).close()
        others = await fall_due(bot, room, ids[20:], 30)
    now.at += 2 * DAY
    world.log = arrivals = Arrivals()
    async with bot_running(stand_in, sqlite_url, now=now, sync_commands=False) as room.bot:
        await heard(room.bot)
        while (
            not all(who.direct().messages for who in others)
            or await credited(room.bot, ids) != sorted(ids)
            or await room.bot.service(ChallengeService).unshown()
        ):
            begun = time.monotonic()
            await room.ana.slash("abak games")
            assert time.monotonic() - begun < 3
            await asyncio.sleep(0.2)
    gone = [request.path for request in arrivals if request.path.rpartition("/messages/")[2] in map(str, range(1, 21))]
    assert len(gone) == 2 * 20, "old boards and challenges are in it"
    assert arrivals.most(1) <= 25, arrivals.times
