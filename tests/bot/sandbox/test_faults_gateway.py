"""The sandbox can make a bot's connection fail in the ways of Discord."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
import pytest
from harness.discord import Seat, answered_within, running, until
from harness.tiny import Tiny

from bot.sandbox.errors import Timeout
from bot.sandbox.state import permissions
from bot.sandbox.world import World

if TYPE_CHECKING:
    from bot.sandbox.server import Server

Json = dict[str, Any]


async def test_resume_after_a_drop_misses_nothing(client: Tiny, stand_in: Server, world: World, ana: Seat) -> None:
    before = set(stand_in.gateway.sessions)
    world.faults.drop_gateway()
    sent = await ana.slash("fruit", name="sent while nobody listened")
    await until(lambda: client.resumed == 1, "resumed")
    assert sent.message is not None
    assert ana.last["content"] == "sent while nobody listened"
    assert set(stand_in.gateway.sessions) == before


async def test_asked_to_reconnect(client: Tiny, stand_in: Server, world: World, ana: Seat) -> None:
    before = set(stand_in.gateway.sessions)
    world.faults.reconnect()
    await until(lambda: client.resumed == 1, "resumed")
    await ana.slash("fruit", name="pear")
    assert set(stand_in.gateway.sessions) == before


@pytest.mark.parametrize("told", [True, False])
async def test_a_session_that_is_gone(client: Tiny, stand_in: Server, world: World, ana: Seat, told: bool) -> None:
    before = set(stand_in.gateway.sessions)
    if told:
        world.faults.invalidate()
    else:
        world.faults.drop_gateway(resume=False)
    await until(lambda: stand_in.gateway.sessions.keys() - before, "a new session")
    await until(lambda: client.guilds and not client.guilds[0].unavailable, "the guild is back")
    await ana.slash("fruit", name="pear")
    assert client.resumed == 0


async def test_an_invalid_session_that_may_be_resumed(client: Tiny, world: World, ana: Seat) -> None:
    world.faults.invalidate(resume=True)
    await until(lambda: client.resumed == 1, "resumed")
    await ana.slash("fruit", name="pear")


async def test_a_silent_shard_lives_but_hears_nothing(client: Tiny, world: World, ana: Seat) -> None:
    world.faults.silence()
    with answered_within(world, 0.05), pytest.raises(Timeout, match="did not respond"):
        await ana.slash("fruit", name="pear")
    await client.ws.send_heartbeat({"op": 1, "d": None})
    world.faults.reconnect()
    await until(lambda: client.resumed == 1, "resumed")
    await ana.slash("fruit", name="plum")
    assert ana.last["content"] == "plum"


async def test_a_stalled_shard_gets_no_answer_until_it_reconnects(
    client: Tiny, stand_in: Server, world: World, ana: Seat
) -> None:
    world.faults.stall()
    (session,) = stand_in.gateway.sessions.values()
    keeper = client.ws._keep_alive
    last = keeper._last_recv
    await client.ws.send_heartbeat({"op": 1, "d": None})
    with answered_within(world, 0.05), pytest.raises(Timeout, match="did not respond"):
        await ana.slash("fruit", name="pear")
    assert keeper._last_recv == last
    assert session.socket is not None
    assert client.ws.open
    world.faults.drop_gateway()
    await until(lambda: client.resumed == 1, "resumed")
    await ana.slash("fruit", name="plum")
    assert ana.last["content"] == "plum"


@pytest.mark.parametrize(
    ("intents", "token", "error"),
    [
        (discord.Intents.all(), "right", discord.PrivilegedIntentsRequired),
        (discord.Intents.none(), "wrong", discord.LoginFailure),
    ],
)
async def test_who_is_not_let_in(
    stand_in: Server, intents: discord.Intents, token: str, error: type[Exception]
) -> None:
    stand_in.world.token = "right"
    with pytest.raises(error):
        async with running(Tiny(intents=intents), token=token):
            pass


async def test_shards_hear_of_their_own_servers(stand_in: Server, world: World, ana: Seat) -> None:
    world.shards = 2
    guilds = [world.guild_id, *(world.add_guild(f"G{n}") for n in range(3))]
    by_shard = {shard: [g for g in guilds if (g >> 22) % 2 == shard] for shard in (0, 1)}
    assert all(by_shard.values())
    one, two = Tiny(shard_id=0, shard_count=2), Tiny(shard_id=1, shard_count=2)
    async with running(one), running(two):
        for shard, client in ((0, one), (1, two)):
            await until(lambda c=client, s=shard: len(c.guilds) == len(by_shard[s]), "its guilds")
            assert {g.id for g in client.guilds} == set(by_shard[shard])
            place = world.add_channel("there", by_shard[shard][0])
            await ana.at(place).slash("fruit", name="pear")
        await ana.direct().slash("fruit", name="to shard 0")
    assert len(stand_in.gateway.sessions) == 2


async def test_message_events_go_to_those_who_asked(stand_in: Server, world: World, ana: Seat) -> None:
    heard: list[tuple[str, str]] = []

    class Listener(Tiny):
        async def on_message(self, message: discord.Message) -> None:
            heard.append((message.author.name, message.content))

        async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
            heard.append(("edit", payload.message.content))

        async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
            heard.append(("delete", str(payload.message_id)))

    assert stand_in.world is world
    async with running(Listener(intents=discord.Intents(guilds=True, guild_messages=True))) as client:
        ana.say("hidden from it")
        ana.say(f"seen by it <@{world.application_id}>")
        mine = await client.get_partial_messageable(ana.channel_id).send("mine")
        await mine.edit(content="changed")
        await mine.delete()
        await until(lambda: len(heard) == 5, "five events")
    assert heard[0] == ("ana", "")
    assert heard[1] == ("ana", f"seen by it <@{world.application_id}>")
    assert heard[2:] == [("bot", "mine"), ("edit", "changed"), ("delete", str(mine.id))]


async def test_a_client_follows_channels_and_threads(client: Tiny, world: World, ana: Seat) -> None:
    guild = client.guilds[0]
    new = world.add_channel("new")
    thread = world.add_thread(ana.channel_id, "A thread", ana.user_id)
    await until(lambda: guild.get_channel(new) and guild.get_thread(int(thread["id"])), "both are known")
    world.change_thread(int(thread["id"]), name="Renamed")
    await until(lambda: [t.name for t in guild.threads] == ["Renamed"], "renamed")
    world.delete_channel(new)
    world.delete_channel(int(thread["id"]))
    await until(lambda: not guild.get_channel(new) and not guild.threads, "both are gone")
    world.deny(ana.channel_id, permissions.SEND_MESSAGES)
    place = guild.get_channel(ana.channel_id)
    assert place is not None
    await until(lambda: not place.permissions_for(guild.me).send_messages, "the right is gone")
