"""Finds the live shards: those that received data just now, or that answer a heartbeat.

When a connection dies silently, discord.py closes it only after a minute. Discord answers every heartbeat at once. So a
shard without recent data sends a heartbeat, and it is live if anything arrives.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Final

import discord

from bot.core.discord_errors import REQUEST_ERRORS

FRESH: Final = 1.0
"""Seconds. A shard with data as recent as this sends no heartbeat, as Discord accepts 120 messages a minute of each."""
PATIENCE: Final = 3.0
"""Seconds that a shard has to answer."""
POLL: Final = 0.02

_Keeper = discord.gateway.KeepAliveHandler


def of(client: discord.Client) -> Callable[[Collection[int] | None], Awaitable[list[int]]]:
    """Returns a function that finds the client's live shards, among all (None) or among the given ones."""

    async def live_shards(among: Collection[int] | None = None) -> list[int]:
        shards = getattr(client, "shards", {})  # a client without sharding has no such attribute
        if not client.is_ready():
            return []
        return await find_live({number: shard for number, shard in shards.items() if among is None or number in among})

    return live_shards


def held_by(client: discord.Client) -> Callable[[], Collection[int]]:
    """Returns a function that returns the shards that this process serves, connected or not."""
    runner = getattr(client, "runner", None)
    return tuple if runner is None else lambda: runner.shards


async def find_live(shards: Mapping[int, discord.ShardInfo]) -> list[int]:
    """Returns the numbers of the shards that received data during this call or in the FRESH seconds before it.

    Waits for a silent shard for PATIENCE seconds.
    """
    since = time.perf_counter() - FRESH
    await asyncio.gather(*(_send_heartbeat(shard) for shard in shards.values() if not _received(shard, since)))
    for _ in range(int(PATIENCE / POLL)):  # counts polls, not time: a suspended process must not use up the patience
        if all(_received(shard, since) or shard.is_closed() for shard in shards.values()):
            break
        await asyncio.sleep(POLL)
    return [number for number, shard in shards.items() if _received(shard, since)]


def _keeper(shard: discord.ShardInfo) -> _Keeper | None:
    """Returns discord.py's keep-alive handler of a shard, which knows when data last arrived; None if not connected."""
    return None if shard.is_closed() else shard._parent.ws._keep_alive  # noqa: SLF001 - discord.py has no public way


def _received(shard: discord.ShardInfo, since: float) -> bool:
    """Returns whether the shard has received data after ``since``."""
    keeper = _keeper(shard)
    return keeper is not None and keeper._last_recv >= since  # noqa: SLF001 - likewise


async def _send_heartbeat(shard: discord.ShardInfo) -> None:
    keeper = _keeper(shard)
    if keeper is not None:
        with contextlib.suppress(*REQUEST_ERRORS, discord.ConnectionClosed):
            async with asyncio.timeout(PATIENCE):
                await keeper.ws.send_heartbeat(keeper.beat())
