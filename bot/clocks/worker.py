"""The workers for time: one records heartbeats and ticks due games, one corrects boards after an outage."""

from collections.abc import Awaitable, Callable, Collection
from typing import Final

from bot.clocks.heartbeats.service import HEARTBEAT_MS
from bot.clocks.service import CORRECTIONS_PER_SECOND, CorrectionService, DeadlineService
from bot.core.workers import Worker
from engine.core.hours import DAY

SHORTEST: Final = 0.05
LIMIT: Final = 25.0
"""Seconds after which a run is cancelled."""
RETRY: Final = 2.0
"""Seconds between a failed run and the next one, so that time is kept again within half a minute."""
PACE: Final = 1.0
"""Seconds between two runs of corrections."""


class DeadlineWorker(Worker):
    """Runs ``DeadlineService``. ``live_shards``: see ``shard_liveness.of``; ``shard_count`` returns the number of
    shards.

    While the database is down, players lose no time: the next heartbeat shows the gap, which counts as an outage.
    """

    limit, retry = LIMIT, RETRY

    def __init__(
        self,
        deadlines: DeadlineService,
        live_shards: Callable[[Collection[int] | None], Awaitable[list[int]]],
        shard_count: Callable[[], int],
        now: Callable[[], int],
    ) -> None:
        super().__init__(HEARTBEAT_MS / 1000)
        self._deadlines = deadlines
        self._live_shards = live_shards
        self._shard_count = shard_count
        self._now = now
        self._forget_at = 0
        deadlines.connected = live_shards

    async def run_once(self) -> float:
        """Records heartbeats and ticks due games. Once a day it deletes old heartbeats and outages."""
        heartbeats = self._deadlines.heartbeats
        heartbeats.shard_count = self._shard_count()
        pause = await self._deadlines.run_once(await self._live_shards(None))
        if self._now() >= self._forget_at:
            self._forget_at = self._now() + DAY
            await heartbeats.forget()
        return max(SHORTEST, pause / 1000)


class CorrectionWorker(Worker):
    """Corrects a few boards each second while any are left. ``sharers``: the number of processes that do so."""

    limit, retry = LIMIT, RETRY

    def __init__(self, corrections: CorrectionService, sharers: Callable[[], int]) -> None:
        super().__init__(HEARTBEAT_MS / 1000)
        self._corrections = corrections
        self._sharers = sharers

    async def run_once(self) -> float:
        await self._corrections.run_once(max(1, CORRECTIONS_PER_SECOND // self._sharers()))
        return PACE if self._corrections.pending else HEARTBEAT_MS / 1000
