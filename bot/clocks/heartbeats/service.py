"""When the bot takes moves, and when it could not: so that nobody's clock runs while it is away.

A lane is a shard of the connection to Discord: one can be cut off while the others go on. A beat is written for each
lane that shows at that moment that it lives (``bot/hearing.py``), not only for each that is open; so it misses when the
process, the connection or the database is down, whichever it is. An outage begins with the last beat: at most a second
after the last sign of life, and at most BEAT_MS and what an answer takes before the lane died.
"""

from collections.abc import Callable, Iterable
from typing import Final

import structlog

from bot.clocks.heartbeats.repository import Outage, PulseStore
from bot.games.repository import LANE_SHIFT

__all__ = ["BEAT_MS", "GAP_MS", "Outage", "Pulse", "lane_of"]

BEAT_MS: Final = 5_000
"""How often a lane that is connected beats."""
GAP_MS: Final = 15_000
"""Beats further apart than this: the bot was away in between. What is shorter is within the way of a single move."""

log = structlog.get_logger(__name__)


def lane_of(guild_id: int | None, lanes: int) -> int:
    """Which of so many shards a server belongs to; direct messages go to the first (Discord's documentation)."""
    return 0 if guild_id is None else (guild_id >> LANE_SHIFT) % lanes


class Pulse:
    """``now`` gives milliseconds since 1970. ``lanes`` is the number of shards, known once connected."""

    def __init__(self, store: PulseStore, now: Callable[[], int], lanes: int = 1) -> None:
        self.store = store
        self.lanes = lanes
        self._now = now
        self._last: dict[tuple[int, int], int] = {}

    async def beat(self, lanes: Iterable[int], at: int | None = None) -> list[Outage]:
        """Notes that these lanes take moves now, or did ``at`` a moment ago; the outages that this ends."""
        now, beating = self._now() if at is None else at, sorted(set(lanes))
        found = await self.store.beat(beating, self.lanes, now, GAP_MS)
        for lane in beating:
            self._last[lane, self.lanes] = now
        for outage in found:
            log.warning("was_away", lane=outage.lane, milliseconds=outage.until - outage.since)
        return found

    async def awake(self, guild_id: int | None) -> None:
        """To be called when a move arrives from there: it is taken, so an outage that was not noted yet ends now."""
        if not self.beats_for(guild_id):
            await self.beat([lane_of(guild_id, self.lanes)])

    def beats_for(self, guild_id: int | None) -> bool:
        """Whether this process has beaten of late for the lane of that server."""
        last = self._last.get((lane_of(guild_id, self.lanes), self.lanes))
        return last is not None and self._now() - last <= GAP_MS

    async def outages(self, guild_id: int | None, since: int) -> list[Outage]:
        """Those of a server's lane that ended after ``since``, in ms since 1970, in order."""
        found = await self.store.since(since)
        return [outage for outage in found if outage.lane == lane_of(guild_id, outage.lanes)]
