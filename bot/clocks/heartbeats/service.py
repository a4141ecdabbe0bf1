"""When the bot takes moves, and when it could not: so that nobody's clock runs while it is away.

Discord splits the connection into shards; one can be cut off while the others go on. A heartbeat is written for each
shard that lives at that moment (``shard_liveness``). So it is missing when the process, the connection or the database
is down. An outage begins with the last heartbeat: at most HEARTBEAT_MS and one answer before the shard died.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

import structlog

from bot.clocks.heartbeats.repository import HeartbeatRepository, Outage
from bot.games.repository import SHARD_SHIFT

__all__ = ["GAP_MS", "HEARTBEAT_MS", "HeartbeatService", "Outage", "shard_of"]

HEARTBEAT_MS: Final = 5_000
"""How often a shard that is connected has a heartbeat recorded."""
GAP_MS: Final = 15_000
"""Between heartbeats further apart than this the bot was away. A shorter gap is no longer than the way of a move."""

log = structlog.get_logger(__name__)


def shard_of(guild_id: int | None, shard_count: int) -> int:
    """Which of so many shards a server belongs to; direct messages go to the first (Discord's documentation)."""
    return 0 if guild_id is None else (guild_id >> SHARD_SHIFT) % shard_count


class HeartbeatService:
    """``now`` gives milliseconds since 1970. ``shard_count`` is the number of shards, known once connected."""

    def __init__(self, store: HeartbeatRepository, now: Callable[[], int], shard_count: int = 1) -> None:
        self.store = store
        self.shard_count = shard_count
        self._now = now
        self._last: dict[tuple[int, int], int] = {}
        self._listeners: list[Callable[[Sequence[Outage]], None]] = []

    def subscribe(self, listener: Callable[[Sequence[Outage]], None]) -> None:
        """``listener`` is called with the outages that this process has noticed, once they are noted."""
        self._listeners.append(listener)

    async def record(self, shards: Iterable[int], at: int | None = None) -> list[Outage]:
        """Notes that these shards take moves now, or did ``at`` a moment ago; the outages that this ends."""
        now, recorded = self._now() if at is None else at, sorted(set(shards))
        found = await self.store.record(recorded, self.shard_count, now, GAP_MS)
        for shard in recorded:
            self._last[shard, self.shard_count] = now
        for outage in found:
            log.warning("was_away", shard=outage.shard, milliseconds=outage.until - outage.since)
        if found:
            for listener in self._listeners:
                listener(found)
        return found

    async def awake(self, guild_id: int | None) -> None:
        """A move arrives from there: it is taken, so an outage that was not noted yet ends now."""
        if not self.is_recorded_for(guild_id):
            await self.record([shard_of(guild_id, self.shard_count)])

    def is_recorded_for(self, guild_id: int | None) -> bool:
        """Whether this process has recorded a heartbeat of late for the shard of that server."""
        last = self._last.get((shard_of(guild_id, self.shard_count), self.shard_count))
        return last is not None and self._now() - last <= GAP_MS

    def recorded_shards(self) -> list[int]:
        """The shards for which this process has recorded heartbeats of late."""
        now = self._now()
        return [n for (n, count), last in self._last.items() if count == self.shard_count and now - last <= GAP_MS]

    async def forget(self) -> None:
        """Removes heartbeats and outages that nothing needs any more."""
        await self.store.forget(self.shard_count, self._now())

    async def outages(self, guild_id: int | None, since: int) -> list[Outage]:
        """Those of a server's shard that ended after ``since``, in ms since 1970, in order."""
        found = await self.store.since(since)
        return [outage for outage in found if outage.shard == shard_of(guild_id, outage.shard_count)]
