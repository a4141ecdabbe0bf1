"""Sees to it that time runs out when it does: leases the games whose deadline has passed, and ticks them.

A tick is idempotent and dated by the clock, not by who notices; so it does no harm if two processes tick one game, or
if one dies in the midst of it. The lease only saves them the work.

A game is given the time of an outage with its next command, or when its deadline comes: the tick at that moment adds
the time and sets a later deadline. So nothing is lost if ``CorrectionService``, which only brings boards up to date, is
interrupted.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import Final

import structlog

from bot.clocks.heartbeats.service import HEARTBEAT_MS, HeartbeatService, Outage
from bot.games.repository import AffectedShards
from bot.games.service import GameService
from engine.core.hours import HOUR, MINUTE

LEASE_MS: Final = 30_000
"""How long a process may take for the games that it has leased; then another one sees to them."""
BATCH: Final = 50
CORRECTIONS_PER_SECOND: Final = 5
"""Boards that are corrected after an outage. Each takes some ten milliseconds of this process, and one edit."""
LONG_MS: Final = 5 * MINUTE
"""After an outage so long every board is corrected."""
NEAR_MS: Final = HOUR
"""After a shorter one only those of the games whose time is up within this: the others say it when they go on."""
FIRST: Final = (-1, "")
"""Comes before the deadline and the id of every game."""

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

    async def turn(self, shards: Iterable[int]) -> int:
        """Records heartbeats of these shards, ticks their games that are due; gives the ms until the next turn.

        The heartbeats come first: they show an outage, and the tick of a game gives its time back.
        """
        shards = sorted(set(shards))
        if not shards:
            return HEARTBEAT_MS
        await self._record_heartbeats(shards)
        repository = self.games.repository
        while due := await repository.lease(
            self._now(), self._now() + LEASE_MS, shards, self.heartbeats.shard_count, BATCH
        ):
            await self._tick(due, shards)
        # what is due already and not leased just now belongs to a shard that is away, or to another process
        next_due = await repository.next_deadline(self._now())
        return HEARTBEAT_MS if next_due is None else max(0, min(HEARTBEAT_MS, next_due - self._now()))

    async def refresh(self, user_id: int) -> None:
        """Brings a user's running games up to what has changed about their time off.

        All are made due. The first of them are ticked at once; the next turns tick the others, and those in shards
        that are not connected here are ticked by the process that records their heartbeats.
        """
        due = await self.games.repository.make_due(user_id, self._now())
        await self._tick([game_id for game_id, guild_id in due if self.heartbeats.is_recorded_for(guild_id)][:BATCH])

    async def _record_heartbeats(self, shards: Sequence[int]) -> None:
        """Records heartbeats of those of the shards that are still connected."""
        self._recorded_at = self._now()
        live = await self.connected(shards) if self.connected else shards
        await self.heartbeats.record(live, self._recorded_at)

    async def _tick(self, game_ids: Iterable[str], shards: Sequence[int] = ()) -> None:
        """Ticks one game after another; the heartbeats go on meanwhile, however many there are."""
        for game_id in game_ids:
            if shards and self._now() - self._recorded_at >= HEARTBEAT_MS:
                await self._record_heartbeats(shards)
            await tick(self.games, game_id)


class CorrectionService:
    """Has boards show the time that an outage has given back: a few games a turn, the nearest deadline first.

    What is still to be corrected is known to this process only. If it dies, the other boards are corrected with the
    next command or at the deadline of their game.
    """

    def __init__(self, games: GameService, heartbeats: HeartbeatService) -> None:
        self.games = games
        self.heartbeats = heartbeats
        self._outages: dict[tuple[int, int], AffectedShards] = {}
        """The outages whose games are still to be corrected, by shard and number of shards; the last of each."""
        self._after = FIRST
        """The deadline and the id of the last game that was looked at."""
        heartbeats.subscribe(self._add)

    @property
    def pending(self) -> bool:
        """Whether boards may still have to be corrected."""
        return bool(self._outages)

    async def turn(self, limit: int = CORRECTIONS_PER_SECOND) -> None:
        """Ticks so many games that an outage may have cost time."""
        shards = self.heartbeats.recorded_shards()
        if not self._outages or not shards:  # while nothing is connected, the outage goes on
            return
        outages, after = dict(self._outages), self._after
        found = await self.games.repository.affected(
            list(outages.values()), shards, self.heartbeats.shard_count, after, limit
        )
        for _, game_id in found:
            await tick(self.games, game_id)
        if outages != self._outages:  # another outage came meanwhile: its games are looked at from the first on
            return
        if len(found) == limit:
            self._after = found[-1]
        else:
            self._outages.clear()

    def _add(self, outages: Sequence[Outage]) -> None:
        for outage in outages:
            up_to = None if outage.until - outage.since >= LONG_MS else outage.until + NEAR_MS
            key = (outage.shard, outage.shard_count)
            before = self._outages.get(key)
            if before is not None and before.up_to is None:
                up_to = None
            self._outages[key] = AffectedShards((outage.shard,), outage.shard_count, outage.until, up_to)
        self._after = FIRST


async def tick(games: GameService, game_id: str) -> None:
    """Ticks a game. One that cannot be ticked keeps no other waiting; it is tried again when its lease runs out."""
    try:
        await games.tick(game_id)
    except Exception:
        log.exception("tick_failed", game=game_id)
