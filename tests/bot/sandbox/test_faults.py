"""The sandbox can make a bot's requests fail in the ways of Discord."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import discord
import pytest
from discord import http
from harness.discord import Seat, answered_within, until
from harness.tiny import Tiny, file

from bot.sandbox.errors import Refused, Timeout
from bot.sandbox.faults import RESET
from bot.sandbox.state import permissions
from bot.sandbox.world import World

Json = dict[str, Any]


def channel_of(client: Tiny, seat: Seat) -> discord.PartialMessageable:
    return client.get_partial_messageable(seat.channel_id)


class Hasty:
    """Replaces asyncio in discord.py: it notes the seconds of each sleep, and does not sleep."""

    def __init__(self) -> None:
        self.waits: list[float] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Collects the seconds for which discord.py's requests were to wait."""
    hasty = Hasty()
    monkeypatch.setattr(http, "asyncio", hasty)
    return hasty.waits


async def test_a_rate_limit_is_waited_out(client: Tiny, world: World, ana: Seat, waits: list[float]) -> None:
    world.faults.fail_next("POST /channels", status=429, retry_after=0.05, times=2)
    await channel_of(client, ana).send("after all")
    assert waits == [0.05, 0.05]
    assert [m["content"] for m in ana.messages] == ["after all"]
    world.faults.fail_next("/callback", status=429, retry_after=0.05)
    await ana.slash("fruit", name="pear")
    assert [e.status for e in world.log if e.path.endswith("/callback")] == [429, 200]


async def test_a_global_rate_limit(client: Tiny, world: World, ana: Seat) -> None:
    world.faults.fail_next("POST /channels", status=429, retry_after=0.05, everywhere=True)
    await channel_of(client, ana).send("after all")
    assert world.log[-2].response["global"] is True


async def test_a_500_on_a_callback_is_tried_again(client: Tiny, world: World, ana: Seat) -> None:
    assert client.user is not None
    world.faults.fail_next("/callback", status=500)
    sent = await ana.slash("fruit", name="pear")
    assert sent.message is not None
    assert [e.status for e in world.log if e.path.endswith("/callback")] == [500, 200]


async def test_an_answer_that_got_lost_is_not_sent_twice(client: Tiny, world: World, ana: Seat) -> None:
    world.faults.fail_next("POST /channels", status=502, lost=True)
    await channel_of(client, ana).send("once", nonce="n")
    assert [m["content"] for m in ana.messages] == ["once"]
    world.faults.fail_next("/callback", status=502, lost=True)
    await ana.slash("fruit", name="pear")
    await until(lambda: client.errors, "the second callback is refused")
    assert getattr(client.errors[0], "code", None) == 40060


async def test_a_connection_that_breaks(client: Tiny, world: World, ana: Seat) -> None:
    world.faults.fail_next("POST /channels", status=RESET)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await channel_of(client, ana).send("never")
    assert ana.messages == []
    world.faults.fail_next("POST /channels", status=RESET, lost=True)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await channel_of(client, ana).send("once", nonce="n")
    assert [m["content"] for m in ana.messages] == ["once"]


async def test_a_missing_permission(client: Tiny, world: World, ana: Seat) -> None:
    place = channel_of(client, ana)
    world.deny(ana.channel_id, permissions.ATTACH_FILES)
    await place.send("no file")
    with pytest.raises(discord.Forbidden) as caught:
        await place.send(file=file())
    assert caught.value.code == 50013
    world.deny(ana.channel_id, permissions.SEND_MESSAGES)
    with pytest.raises(discord.Forbidden) as caught:
        await place.send("nothing")
    assert caught.value.code == 50013
    await ana.slash("fruit", name="an answer needs no permission")
    world.allow(ana.channel_id, permissions.SEND_MESSAGES)
    await place.send("again")
    world.deny(ana.channel_id, permissions.VIEW_CHANNEL)
    with pytest.raises(discord.Forbidden) as caught:
        await place.send("unseen")
    assert caught.value.code == 50001
    world.faults.fail_next("POST /channels", status=403, code=50013)
    with pytest.raises(discord.Forbidden, match="Missing Permissions"):
        await place.send("refused by a fault")


async def test_what_was_deleted_is_unknown(client: Tiny, world: World, ana: Seat) -> None:
    message = await channel_of(client, ana).send("here")
    world.delete_message(message.id)
    with pytest.raises(discord.NotFound) as caught:
        await message.edit(content="gone")
    assert caught.value.code == 10008
    world.delete_channel(ana.channel_id)
    with pytest.raises(discord.NotFound) as caught:
        await channel_of(client, ana).send("gone")
    assert caught.value.code == 10003


async def test_in_a_deleted_channel_nothing_is_answered(client: Tiny, world: World, ana: Seat) -> None:
    sent = await ana.slash("fruit", name="pear")
    world.delete_channel(ana.channel_id)
    with pytest.raises(discord.NotFound) as caught:
        await discord.Webhook.partial(client.application_id or 0, sent.token, client=client).send("gone")
    assert caught.value.code == 10003


async def test_an_answer_after_three_seconds(client: Tiny, world: World, ana: Seat) -> None:
    world.answer_limit = 0.1
    with pytest.raises(Timeout, match="did not respond"):
        await ana.slash("slow", seconds=0.2)
    await until(lambda: client.errors, "the bot's answer is refused")
    assert isinstance(client.errors[0], discord.NotFound)
    assert client.errors[0].code == 10062
    assert ana.messages == []


async def test_a_slow_network_counts_too(client: Tiny, world: World, ana: Seat) -> None:
    world.faults.delay("/callback", 0.2)
    with answered_within(world, 0.1):
        with pytest.raises(Timeout):
            await ana.slash("fruit", name="pear")
        await until(lambda: client.errors, "the bot's answer is refused")
    world.faults.clear()
    await ana.slash("fruit", name="pear")


async def test_a_thread_sleeps_and_wakes(client: Tiny, world: World, ana: Seat) -> None:
    message = await channel_of(client, ana).send("Board")
    thread = await client.http.start_thread_with_message(
        ana.channel_id, message.id, name="Game", auto_archive_duration=1440, rate_limit_per_user=None
    )
    place, metadata = client.get_partial_messageable(int(thread["id"])), world.channels[int(thread["id"])]
    first = await place.send("first")
    world.archive(int(thread["id"]))
    with pytest.raises(discord.HTTPException) as caught:
        await first.edit(content="asleep")
    assert caught.value.code == 50083
    await place.send("awake")
    assert metadata["thread_metadata"]["archived"] is False
    world.archive(int(thread["id"]), locked=True)
    world.deny(ana.channel_id, permissions.MANAGE_THREADS)
    with pytest.raises(discord.HTTPException) as caught:
        await place.send("locked out")
    assert caught.value.code == 50083
    with pytest.raises(discord.HTTPException) as caught:
        await client.http.start_thread_with_message(
            ana.channel_id, message.id, name="Again", auto_archive_duration=60, rate_limit_per_user=None
        )
    assert caught.value.code == 160004


async def test_who_takes_no_direct_messages(client: Tiny, world: World, ana: Seat) -> None:
    user = await client.fetch_user(ana.user_id)
    world.dms_closed.add(ana.user_id)
    with pytest.raises(discord.Forbidden) as caught:
        await user.send("Psst")
    assert caught.value.code == 50007


async def test_who_left(client: Tiny, world: World, ana: Seat, ben: Seat) -> None:
    world.remove_member(world.guild_id, ben.user_id)
    with pytest.raises(Refused):
        await ben.slash("show", who=ana)
    with pytest.raises(discord.NotFound) as caught:
        await client.guilds[0].fetch_member(ben.user_id)
    assert caught.value.code == 10007
    world.remove_bot(world.guild_id)
    await until(lambda: not client.guilds, "the bot knows that it was thrown out")
    with pytest.raises(discord.Forbidden):
        await channel_of(client, ana).send("Hello?")
