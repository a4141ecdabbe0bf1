"""After a long absence the bot catches up at a pace that leaves Discord's limit to those who play meanwhile."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

import pytest
from fakes.clock import Clock
from harness.bot import Room, bot_running, milliseconds
from harness.discord import until
from harness.scene import FIRST
from sqlalchemy import insert, select

from bot.board.delivery.publisher import BoardPublisher
from bot.clocks import service
from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.worker import DeadlineWorker
from bot.core.workers import Pace
from bot.games.service import GameService
from bot.games.stored import Place
from bot.games.tables import entries, games
from engine.core.clock import SECOND
from engine.core.hours import HOUR, MINUTE
from engine.core.record import Kind

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server

GAMES: Final = 300
WATCHED: Final = 4.0
"""Seconds for which requests are counted."""


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


async def test_half_of_what_discord_allows_is_for_others(stand_in: Server, sqlite_url: str) -> None:
    """All deadlines came while the bot was away: each game gets its time back, the nearest deadline first."""
    now = Clock(milliseconds())
    async with bot_running(stand_in, sqlite_url, now=now) as bot:
        room = Room.of(stand_in, bot)
        ids = await fill(bot, room, GAMES, "10m/move")
        await heard(bot)
    now.at += HOUR
    async with bot_running(stand_in, sqlite_url, now=now) as room.bot:
        known, begun = len(stand_in.world.log), time.monotonic()
        other = room.elsewhere(stand_in.world.add_channel("others"))
        live = await other.begin("apb")
        answered = time.monotonic()
        await other.type(live, FIRST)
        assert time.monotonic() - answered < WATCHED
        await asyncio.sleep(max(0.0, WATCHED - (time.monotonic() - begun)))
        sent = [entry for entry in [*stand_in.world.log][known:] if "/interactions/" not in entry.path]
        seconds = time.monotonic() - begun
        found = await credited(room.bot, ids)
        assert 0 < len(found) < GAMES
        assert set(found) == set(sorted(ids, key=lambda game_id: game_id != ids[0])[: len(found)])
        assert len([e for e in sent if "webhooks" not in e.path]) <= 25 * seconds + service.BURST


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
