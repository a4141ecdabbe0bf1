"""The loop that watches the time: it records heartbeats of the live shards, and has due deadlines ticked."""

from collections.abc import Awaitable, Callable, Collection
from typing import Final

from bot.clocks.heartbeats.service import HEARTBEAT_MS
from bot.clocks.service import DeadlineService
from bot.core.workers import Worker

SHORTEST: Final = 0.05


class DeadlineWorker(Worker):
    """``live_shards`` tells which shards live, of all or among some; ``shard_count`` how many there are.

    While the database is away no clock runs: the next heartbeat shows the gap.
    """

    def __init__(
        self,
        deadlines: DeadlineService,
        live_shards: Callable[[Collection[int] | None], Awaitable[list[int]]],
        shard_count: Callable[[], int],
    ) -> None:
        super().__init__(HEARTBEAT_MS / 1000)
        self._deadlines = deadlines
        self._live_shards = live_shards
        self._shard_count = shard_count
        deadlines.connected = live_shards

    async def next_turn(self) -> float:
        """Records heartbeats, and ticks what is due."""
        self._deadlines.heartbeats.shard_count = self._shard_count()
        return max(SHORTEST, await self._deadlines.turn(await self._live_shards(None)) / 1000)
