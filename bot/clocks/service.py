"""Sees to it that time runs out when it does: leases the games whose deadline has passed, and ticks them.

A tick is idempotent and dated by the clock, not by who notices; so it does no harm if two processes tick one game, or
if one dies in the midst of it. The lease only saves them the work.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import Final

import structlog

from bot.clocks.heartbeats.service import HEARTBEAT_MS, HeartbeatService, Outage
from bot.games.service import GameService
from engine.core.hours import HOUR, MINUTE

LEASE_MS: Final = 30_000
"""How long a process may take for the games that it has leased; then another one sees to them."""
BATCH: Final = 50
SHOWN_MS: Final = 5 * MINUTE
"""An absence so long is written into every game at once, for all to see."""
LIVE_MS: Final = HOUR
"""A shorter one only into those whose time is up within this: the others tell it when they go on."""

log = structlog.get_logger(__name__)


class DeadlineService:
    """``now`` gives ms since 1970."""

    def __init__(self, games: GameService, heartbeats: HeartbeatService, now: Callable[[], int]) -> None:
        self.games = games
        self.heartbeats = heartbeats
        self._now = now
        self.connected: Callable[[Collection[int]], Awaitable[Iterable[int]]] | None = None
        """Tells which of some shards are connected at this moment; None: all that a turn is given."""
        self._recorded_at = 0
        self._found: list[Outage] = []
        """Outages that the games have still to be told of."""

    async def turn(self, shards: Iterable[int]) -> int:
        """Beats for these shards, ticks their games that are due, and says how many ms may pass until the next turn.

        The beat comes first: what a tick finds has been credited with the time in which the bot was away.
        """
        shards = sorted(set(shards))
        if not shards:
            return HEARTBEAT_MS
        self._found += await self._record_heartbeats(shards)
        repository = self.games.repository
        if found := tuple(self._found):
            everywhere = any(outage.until - outage.since >= SHOWN_MS for outage in found)
            until = None if everywhere else self._now() + LIVE_MS
            await self._tick(await repository.timed_in(shards, self.heartbeats.shard_count, until), shards)
            del self._found[: len(found)]  # only now: what fails before is done in the next turn; others came after
        while due := await repository.lease(
            self._now(), self._now() + LEASE_MS, shards, self.heartbeats.shard_count, BATCH
        ):
            await self._tick(due, shards)
        # what is due already and not leased just now belongs to a shard that is away, or to another process
        next_due = await repository.next_deadline(self._now())
        return HEARTBEAT_MS if next_due is None else max(0, min(HEARTBEAT_MS, next_due - self._now()))

    async def refresh(self, user_id: int) -> None:
        """Brings a user's running games up to what has changed about their time off.

        Games in shards that are not connected here are only made due: who heartbeats for them sees to them.
        """
        due = await self.games.repository.make_due(user_id, self._now())
        await self._tick([game_id for game_id, guild_id in due if self.heartbeats.is_recorded_for(guild_id)])

    async def _record_heartbeats(self, shards: Sequence[int]) -> list[Outage]:
        """Beats for those of the shards that are connected still."""
        self._recorded_at = self._now()
        return await self.heartbeats.record(
            await self.connected(shards) if self.connected else shards, self._recorded_at
        )

    async def _tick(self, game_ids: Iterable[str], shards: Sequence[int] = ()) -> None:
        """Ticks one game after another; the heartbeats go on meanwhile, however many there are."""
        for game_id in game_ids:
            if shards and self._now() - self._recorded_at >= HEARTBEAT_MS:
                self._found += await self._record_heartbeats(shards)
            try:
                await self.games.tick(game_id)
            except Exception:  # one game that cannot be ticked keeps no other waiting; its lease runs out
                log.exception("tick_failed", game=game_id)
