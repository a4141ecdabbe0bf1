"""A shard's connection comes back, whatever ends it."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

import discord
import pytest
from harness.bot import Room, bot_running
from harness.discord import until

from bot.core.processes import gateway
from bot.core.processes.gateway import GatewayShard

if TYPE_CHECKING:
    from bot.core.client import AbakBot
    from bot.sandbox.server import Server

BEAT = 0.3
REAL, CLOSE = gateway.BEAT, gateway.CLOSE


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.core.processes.gateway.BEAT", BEAT)
    monkeypatch.setattr("bot.core.processes.gateway.CLOSE", BEAT)


def connected(bot: AbakBot) -> bool:
    return all(shard.is_open for shard in bot.runner.shards.values())


def test_a_silent_connection_is_given_up_within_a_quarter_of_a_minute() -> None:
    assert (1 + gateway.BEATS) * REAL + CLOSE <= 15


async def test_a_connection_that_dies_without_a_word_is_replaced(stand_in: Server, sqlite_url: str) -> None:
    world = stand_in.world
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        (session,) = stand_in.gateway.sessions.values()
        before = session.socket
        world.faults.stall()
        await until(lambda: session.socket not in {None, before}, "it is back")
        await room.challenge("apb")
        assert session.socket is not before
        assert {session.id} == stand_in.gateway.sessions.keys(), "the session was resumed"
        assert connected(bot)


async def test_a_quiet_connection_is_left_alone(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        (session,) = stand_in.gateway.sessions.values()
        before, began = session.socket, time.monotonic()
        await until(lambda: time.monotonic() - began > 6 * BEAT)
        assert session.socket is before
        assert connected(bot)


async def test_an_identify_that_comes_too_early_is_tried_again(stand_in: Server, sqlite_url: str) -> None:
    world = stand_in.world
    world.shards, world.identify_pause = 2, 0.5
    async with bot_running(stand_in, sqlite_url) as bot:
        await until(lambda: len(bot.runner.shards) == 2 and connected(bot), "both shards are connected")
    early = [number for number, _, too_early in stand_in.gateway.identifies if too_early]
    assert early, "the bot was told not to wait"


async def test_identifies_wait_for_their_turn(stand_in: Server, sqlite_url: str) -> None:
    world = stand_in.world
    world.shards, world.identify_pause = 4, 0.5
    world.max_concurrency = 2
    # the bot counts from its turn, Discord from the arrival: a connection may be slower than the next by the difference
    async with bot_running(stand_in, sqlite_url, identify_pause=2.5) as bot:
        await until(lambda: len(bot.runner.shards) == 4 and connected(bot), "all shards are connected")
    assert [early for *_, early in stand_in.gateway.identifies] == [False] * 4


async def test_a_gateway_that_refuses_the_bot_ends_it(stand_in: Server, sqlite_url: str) -> None:
    with pytest.raises(discord.ConnectionClosed, match="4004"):  # noqa: PT012  raised when the block ends
        async with bot_running(stand_in, sqlite_url) as bot:
            stand_in.world.token = "another"
            stand_in.world.faults.drop_gateway(resume=False)
            await until(bot.closed.is_set, "the bot is closed")


async def test_a_session_that_never_begins_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord answers every heartbeat, and says neither READY nor RESUMED."""
    shard = GatewayShard(discord.Client(intents=discord.Intents.none()), 0, None)  # type: ignore[arg-type]  no turns
    shard._beat = 0.005

    async def receive() -> None:
        while True:
            shard._received += 1
            await asyncio.sleep(0.001)

    monkeypatch.setattr(shard, "_receive", receive)
    with pytest.raises(TimeoutError, match="does not begin"):
        await shard._listen()


@pytest.mark.parametrize("lacks", ["data", "id", "user", "type"])
async def test_an_interaction_that_cannot_be_read_ends_no_connection(
    stand_in: Server, sqlite_url: str, lacks: str
) -> None:
    async with bot_running(stand_in, sqlite_url, faults=2) as bot:
        room = Room.of(stand_in, bot)
        (session,) = stand_in.gateway.sessions.values()
        before = session.socket
        user = {"id": "11", "username": "ana", "discriminator": "0", "avatar": None}
        whole = {"id": "1", "type": 3, "token": "t", "version": 1, "application_id": "2", "channel_id": "3"}
        whole |= {"user": user, "data": {"custom_id": "b:games:me:0:", "component_type": 2}, "locale": "en-US"}
        session.send("INTERACTION_CREATE", {key: value for key, value in whole.items() if key != lacks})
        session.send("INTERACTION_CREATE", dict.fromkeys(whole))
        await room.challenge("apb")  # is answered by the same connection
        assert session.socket is before
        assert connected(bot)


async def test_what_arrives_while_a_shard_is_given_away_is_answered(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        await room.ana.slash("abak games")
        sending = [asyncio.create_task(room.ana.slash("abak games")) for _ in range(3)]
        await asyncio.sleep(0)  # they are on their way, and the bot has not read them
        await bot.runner._end(0, "shared")
        assert [sent.state for sent in await asyncio.gather(*sending)] == ["answered"] * 3


async def test_what_arrives_while_the_bot_stops_is_answered(stand_in: Server, sqlite_url: str) -> None:
    async with bot_running(stand_in, sqlite_url) as bot:
        room = Room.of(stand_in, bot)
        await room.ana.slash("abak games")
        sending = [asyncio.create_task(room.ana.slash("abak games")) for _ in range(3)]
        await asyncio.sleep(0)  # they are on their way, and the bot has not read them
        await bot.close()
        assert [sent.state for sent in await asyncio.gather(*sending)] == ["answered"] * 3
