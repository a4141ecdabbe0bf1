"""Paces the identifies of all processes: Discord takes one every five seconds for each bucket of shards.

The bucket of a shard is its number modulo ``max_concurrency`` (Discord's documentation, "Gateway", "Sharding").
"""

import asyncio
import time
from typing import Final, Protocol

from bot.core.processes.link import Link

POLL: Final = 0.25
"""Seconds between two looks whether it is a shard's turn."""
TAKE: Final = """
    INSERT INTO identify_turns AS turn (bucket, taken_at)
    VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
    ON CONFLICT (bucket) DO UPDATE SET taken_at = excluded.taken_at
    WHERE turn.taken_at + $2 <= excluded.taken_at OR turn.taken_at > excluded.taken_at
    RETURNING bucket
"""
"""Takes the turn if the last one is ``$2`` ms ago, by PostgreSQL's clock for all processes."""


class IdentifyTurns(Protocol):
    """``pause``: seconds between two identifies of a bucket."""

    async def take(self, bucket: int) -> None:
        """Waits until a shard of the bucket may identify. Raises an exception if the database does not answer."""


class OwnTurns:
    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._next: dict[int, float] = {}

    async def take(self, bucket: int) -> None:
        now = time.monotonic()
        at = max(now, self._next.get(bucket, now))
        self._next[bucket] = at + self._pause
        await asyncio.sleep(at - now)


class SharedTurns:
    def __init__(self, link: Link, pause: float) -> None:
        self._link = link
        self._pause = pause

    async def take(self, bucket: int) -> None:
        while not await self._link.fetch(TAKE, bucket, int(self._pause * 1000)):  # noqa: ASYNC110  no event tells
            await asyncio.sleep(POLL)
