"""Records heartbeats and finds outages, so that no player is charged for time without the bot.

Discord splits the connection into shards; one can lose its connection while the others keep theirs. A heartbeat is
stored for each live shard (``shard_liveness``). It is missing when the process, the connection or the database is down.
An outage begins at the last heartbeat, which is at most HEARTBEAT_MS and one answer before the shard died.
"""

import asyncio
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

import structlog

from bot.clocks.heartbeats.repository import HeartbeatRepository, Outage
from bot.core.processes.membership import SHARD_SHIFT
from bot.core.storage.faults import commit_status
from engine.core.hours import DAY

__all__ = ["GAP_MS", "HEARTBEAT_MS", "HeartbeatService", "Outage", "shard_of"]

HEARTBEAT_MS: Final = 5_000
"""The interval between the heartbeats of a connected shard."""
GAP_MS: Final = 15_000
"""The longest gap between heartbeats that is no outage. A move may take as long on its way."""

LOOK: Final = 0.5
"""Seconds between two looks at all heartbeats."""

log = structlog.get_logger(__name__)


def shard_of(guild_id: int | None, shard_count: int) -> int:
    """Returns the shard of a server; direct messages belong to shard 0 (Discord's documentation)."""
    return 0 if guild_id is None else (guild_id >> SHARD_SHIFT) % shard_count


class HeartbeatService:
    """``now`` returns milliseconds since 1970. ``shard_count`` is the number of shards, known once connected."""

    def __init__(self, store: HeartbeatRepository, now: Callable[[], int], shard_count: int = 1) -> None:
        self.store = store
        self.shard_count = shard_count
        self._now = now
        self.held: Callable[[], Collection[int]] = tuple
        """Returns the shards that this process serves, connected or not."""
        self._last: dict[tuple[int, int], int] = {}
        self._beats: dict[tuple[int, int], int] = {}
        """The same as ``_last``, for the heartbeats of the worker that keeps the deadlines."""
        self._asked: dict[int, int] = {}
        """The moment at which ``ages`` first met each shard."""
        self._listeners: list[Callable[[Sequence[Outage]], None]] = []

    def subscribe(self, listener: Callable[[Sequence[Outage]], None]) -> None:
        """Calls ``listener`` with the outages that this process has found, once they are stored."""
        self._listeners.append(listener)

    async def record(self, shards: Iterable[int], at: int | None = None) -> list[Outage]:
        """Records a heartbeat of these shards, now or at the recent time ``at``. Returns the outages that it ends."""
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

    async def beat(self, shards: Iterable[int], at: int) -> None:
        """Records a heartbeat of these shards for the worker that keeps the deadlines."""
        live = set(shards)
        await self.record(live, at)
        self._beats |= {(shard, self.shard_count): at for shard in live}

    async def awake(self, guild_id: int | None) -> None:
        """Records a heartbeat because a command from this server has arrived, unless there is a recent one.

        This ends an outage that was not stored yet.
        """
        if not self.is_recorded_for(guild_id):
            with commit_status.apart():
                await self.record([shard_of(guild_id, self.shard_count)])

    def is_recorded_for(self, guild_id: int | None) -> bool:
        """Returns whether this process has recorded a heartbeat for the server's shard within the last GAP_MS."""
        last = self._last.get((shard_of(guild_id, self.shard_count), self.shard_count))
        return last is not None and self._now() - last <= GAP_MS

    def recorded_shards(self) -> list[int]:
        """Returns the shards for which this process has recorded a heartbeat within the last GAP_MS."""
        now = self._now()
        return [n for (n, count), last in self._last.items() if count == self.shard_count and now - last <= GAP_MS]

    def ages(self) -> dict[int, int]:
        """Returns the milliseconds since the last ``beat``, by shard; for a shard without one, since the first call."""
        now = self._now()
        beats = {shard: last for (shard, count), last in self._beats.items() if count == self.shard_count}
        asked = {shard: self._asked.setdefault(shard, now) for shard in self.held()}
        return {shard: now - last for shard, last in (asked | beats).items()}

    async def is_recent(self) -> bool:
        """Returns whether the last ``beat`` of each shard that this process serves is at most GAP_MS old.

        If not, no deadline is kept there. Commands do not count, as they may arrive while the worker hangs.
        """
        held, now = self.held(), self._now()
        never = -math.inf
        return bool(held) and all(now - self._beats.get((shard, self.shard_count), never) <= GAP_MS for shard in held)

    async def is_known(self, guild_id: int) -> bool:
        """Returns whether all outages of a server's shard are stored, as a process has recorded a heartbeat within
        GAP_MS.

        It is also True if there never was a heartbeat.
        """
        last = await self.store.last_seen(guild_id >> SHARD_SHIFT)
        return last is None or self._now() - last <= GAP_MS

    async def has_lately_beaten(self) -> bool:
        """Returns whether a process has recorded a heartbeat of any shard within a day, by whatever clock."""
        return any(abs(self._now() - last) <= DAY for *_, last in await self.store.all())

    async def beats(self) -> bool:
        """Returns whether a process records heartbeats: whether any changes within GAP_MS.

        Compares none with the clock, since that of the other process may differ.
        """
        before = await self.store.all()
        for _ in range(round(GAP_MS / 1000 / LOOK)):
            await asyncio.sleep(LOOK)
            if await self.store.all() != before:
                return True
        return False

    async def forget(self) -> None:
        await self.store.forget(self.shard_count, self._now())

    async def outages(self, guild_id: int | None, since: int, contest_id: str = "") -> list[Outage]:
        """Returns the outages of a server and its shard that ended after ``since`` (ms since 1970), in order.

        ``contest_id``: a game or match; that it is without a channel counts as an outage, too.
        """
        shard = (guild_id or 0) >> SHARD_SHIFT
        return await self.store.since(since, shard, guild_id or -1, self._now(), contest_id)
