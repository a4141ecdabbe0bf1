"""The one loop that watches the time: heartbeats while the bot is connected, and has the deadlines ticked."""

from typing import Any, Final

from bot.clocks.heartbeats.service import HEARTBEAT_MS
from bot.clocks.service import DeadlineService
from bot.core.worker import Worker

SHORTEST: Final = 0.05


class DeadlineWorker(Worker):
    """``client`` tells which shards are connected. While the database is away no clock runs: the next beat says so."""

    def __init__(self, client: Any, deadlines: DeadlineService) -> None:
        super().__init__(HEARTBEAT_MS / 1000)
        self._client = client
        self._deadlines = deadlines
        deadlines.connected = client.live_shards

    async def next_turn(self) -> float:
        """Beats, and ticks what is due."""
        self._deadlines.heartbeats.shard_count = self._client.shard_count or 1
        return max(SHORTEST, await self._deadlines.turn(await self._client.live_shards()) / 1000)
