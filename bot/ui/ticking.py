"""The one loop that watches the time: beats while the bot is connected, and has the deadlines ticked."""

import asyncio
import contextlib
from typing import Any, Final

import structlog

from bot.services.deadlines import Deadlines
from bot.services.pulse import BEAT_MS

GRACE: Final = 5.0
"""Seconds that a turn under way has to come to its end when the bot stops."""
SHORTEST: Final = 0.05

log = structlog.get_logger()


class Ticking:
    """``client`` tells which shards are connected."""

    def __init__(self, client: Any, deadlines: Deadlines) -> None:
        self._client = client
        self._deadlines = deadlines
        self._task: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stops between two turns, not within one, which may be at the database."""
        self._stopping.set()
        if self._task:
            await asyncio.wait({self._task}, timeout=GRACE)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def turn(self) -> float:
        """One turn; the seconds until the next."""
        self._deadlines.pulse.lanes = self._client.shard_count or 1
        return max(SHORTEST, await self._deadlines.turn(self._client.lanes()) / 1000)

    async def _run(self) -> None:
        while not self._stopping.is_set():
            pause = BEAT_MS / 1000
            try:
                pause = await self.turn()
            except Exception:  # while the database is away no clock runs: the next beat says so
                log.warning("tick_failed", exc_info=True)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), pause)
