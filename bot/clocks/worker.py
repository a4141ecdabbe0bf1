"""The one loop that watches the time: beats while the bot is connected, and has the deadlines ticked."""

from typing import Any, Final

from bot.clocks.heartbeats.service import BEAT_MS
from bot.clocks.service import Deadlines
from bot.core.worker import Loop

SHORTEST: Final = 0.05


class Ticking(Loop):
    """``client`` tells which shards are connected. While the database is away no clock runs: the next beat says so."""

    def __init__(self, client: Any, deadlines: Deadlines) -> None:
        super().__init__(BEAT_MS / 1000)
        self._client = client
        self._deadlines = deadlines
        deadlines.connected = client.lanes

    async def next_turn(self) -> float:
        """Beats, and ticks what is due."""
        self._deadlines.pulse.lanes = self._client.shard_count or 1
        return max(SHORTEST, await self._deadlines.turn(await self._client.lanes()) / 1000)
