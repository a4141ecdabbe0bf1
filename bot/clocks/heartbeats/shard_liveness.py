"""Which shards of the connection live: heard of a moment ago, or answering when they are asked.

A connection that dies without a word stays open for a minute before discord.py gives it up. Discord answers a
heartbeat whenever it gets one; so a shard that was not heard of for a moment is sent one, and lives if anything comes.
"""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Final

import discord

from bot.core.discord_errors import REQUEST_ERRORS

FRESH: Final = 1.0
"""Seconds: of a shard that was heard of since, nothing is asked. Discord takes 120 messages a minute of each."""
PATIENCE: Final = 3.0
"""Seconds in which a shard has to answer."""
POLL: Final = 0.02

_Keeper = discord.gateway.KeepAliveHandler


def of(client: discord.Client) -> Callable[[Collection[int] | None], Awaitable[list[int]]]:
    """Tells which of the client's shards live, and so take moves: of all (None), or of some."""

    async def live_shards(among: Collection[int] | None = None) -> list[int]:
        shards = getattr(client, "shards", {})  # a client without shards has none to ask
        if not client.is_ready():
            return []
        return await living({number: shard for number, shard in shards.items() if among is None or number in among})

    return live_shards


async def living(shards: Mapping[int, discord.ShardInfo]) -> list[int]:
    """The numbers of the shards that something came from after FRESH seconds before this was called.

    A shard that says nothing takes PATIENCE seconds.
    """
    since = time.perf_counter() - FRESH
    await asyncio.gather(*(_ask(shard) for shard in shards.values() if not _heard(shard, since)))
    for _ in range(int(PATIENCE / POLL)):  # counted: while this process is kept from running, no patience is lost
        if all(_heard(shard, since) or shard.is_closed() for shard in shards.values()):
            break
        await asyncio.sleep(POLL)
    return [number for number, shard in shards.items() if _heard(shard, since)]


def _keeper(shard: discord.ShardInfo) -> _Keeper | None:
    """What discord.py notes of a shard's data; None before the first came, and after the last."""
    return None if shard.is_closed() else shard._parent.ws._keep_alive  # noqa: SLF001 - it tells nobody otherwise


def _heard(shard: discord.ShardInfo, since: float) -> bool:
    keeper = _keeper(shard)
    return keeper is not None and keeper._last_recv >= since  # noqa: SLF001 - likewise


async def _ask(shard: discord.ShardInfo) -> None:
    """Sends a heartbeat, as discord.py does when Discord asks for one."""
    keeper = _keeper(shard)
    if keeper is not None:
        with contextlib.suppress(*REQUEST_ERRORS, discord.ConnectionClosed):
            async with asyncio.timeout(PATIENCE):
                await keeper.ws.send_heartbeat(keeper.beat())
