"""Ticks games whose deadline has passed. It leases them first, so that only one process works on each.

A tick is idempotent, and its entries carry the time of the game's clock, not of the tick. So it is harmless if two
processes tick one game, or if one dies during a tick. The lease only avoids double work.

A game is credited with an outage at its next command or at its deadline: that tick adds the credit and sets a later
deadline. ``CorrectionService`` only brings boards up to date, so nothing is lost if it is interrupted.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from typing import Final

import structlog

from bot.clocks.heartbeats.service import HEARTBEAT_MS, HeartbeatService, Outage
from bot.core.workers import Pace
from bot.games.repository import AffectedShards
from bot.games.running.log_context import about_game
from bot.games.service import GameService
from bot.games.stored import UnreadableGame
from engine.core.hours import HOUR, MINUTE

LEASE_MS: Final = 30_000
"""The most time that a process has for the games that it has leased. After that, another one may lease them."""
BATCH: Final = 50
TOGETHER: Final = 5
"""The games leased for ticks at once. They are few, as each may have to wait, and a run has to end in time."""
CORRECTIONS_PER_SECOND: Final = 5
"""The boards corrected per second after an outage. Each costs about 10 ms of processor time and one edit."""
LONG_MS: Final = 5 * MINUTE
"""The least length of an outage after which every board is corrected."""
REQUESTS_PER_SECOND: Final = 20.0
BURST: Final = 4.0
PER_TICK: Final = 2.0
"""The requests that follow a tick: the new board, and the old one."""
LONGEST_MS: Final = HEARTBEAT_MS
"""The time after which a run begins no more ticks. The next run follows at once."""
NEAR_MS: Final = HOUR
"""After a shorter outage, boards with a deadline this near are corrected at once, the others with their next entry."""
FIRST: Final = (-1, "")
"""A (deadline, id) that sorts before every game."""

log = structlog.get_logger(__name__)


class CatchUp(Pace):
    """The pace at which the bot catches up after an absence, in requests to Discord, which allows 50 a second.

    Ticks, corrections, late boards, old boards, late notifications, closed challenges and announcements share it. They
    take turns, as each kind has only one waiting at a time. The pace is less than half of the limit, so that current
    play has the rest. Several processes share it, as Discord counts the requests of all.
    """

    def __init__(self) -> None:
        super().__init__(REQUESTS_PER_SECOND, BURST)


class DeadlineService:
    """Records heartbeats and ticks games that are due. ``now`` returns ms since 1970; ``pace`` is that of
    the requests.
    """

    def __init__(
        self, games: GameService, heartbeats: HeartbeatService, now: Callable[[], int], pace: Pace | None = None
    ) -> None:
        self._pace = pace
        self.games = games
        self.heartbeats = heartbeats
        self._now = now
        self.connected: Callable[[Collection[int]], Awaitable[Iterable[int]]] | None = None
        """Returns the shards among the given ones that are connected now. None: all are taken as connected."""
        self._recorded_at = 0

    async def run_once(self, shards: Iterable[int]) -> int:
        """Records heartbeats of these shards and ticks their due games. Returns the ms until the next run.

        The heartbeats come first: they reveal an outage, and the ticks then credit it.
        """
        shards = sorted(set(shards))
        if not shards:
            return HEARTBEAT_MS
        await self._record_heartbeats(shards)
        repository, begun = self.games.repository, self._now()
        while due := await repository.lease(
            self._now(), self._now() + LEASE_MS, shards, self.heartbeats.shard_count, TOGETHER
        ):
            await self._tick(due, shards)
            if self._now() - begun > LONGEST_MS:
                return 0
        # due games that were not leased belong to another process, or to a shard that is not connected
        next_due = await repository.next_deadline(self._now())
        return HEARTBEAT_MS if next_due is None else max(0, min(HEARTBEAT_MS, next_due - self._now()))

    async def refresh(self, user_id: int) -> None:
        """Applies a change of a user's time off to their running games.

        All of them become due. The first BATCH are ticked at once, the others by the next runs. Games in shards that
        are not connected here are ticked by the process that serves these.
        """
        page = due = await self.games.repository.make_due(user_id, self._now(), BATCH)
        while len(page) == BATCH:
            page = await self.games.repository.make_due(user_id, self._now(), BATCH)
        await self._tick([game_id for game_id, guild_id in due if self.heartbeats.is_recorded_for(guild_id)][:BATCH])

    async def _record_heartbeats(self, shards: Sequence[int]) -> None:
        """Records heartbeats of the given shards that are still connected."""
        self._recorded_at = self._now()
        live = await self.connected(shards) if self.connected else shards
        await self.heartbeats.beat(live, self._recorded_at)

    async def _tick(self, game_ids: Iterable[str], shards: Sequence[int] = ()) -> None:
        """Ticks one game after another. In between, it records heartbeats of ``shards`` when they are due."""
        for game_id in game_ids:
            if shards and self._now() - self._recorded_at >= HEARTBEAT_MS:
                await self._record_heartbeats(shards)
            if self._pace is not None:
                await self._pace.wait(PER_TICK)
            await tick(self.games, game_id)


class CorrectionService:
    """Updates the boards of games that get time back after an outage: a few per run, those with the nearest deadline
    first.

    Only this process knows which boards are left. If it dies, they are corrected with the next command or at the
    deadline of their game.
    """

    def __init__(self, games: GameService, heartbeats: HeartbeatService, pace: Pace | None = None) -> None:
        self._pace = pace
        self.games = games
        self.heartbeats = heartbeats
        self._outages: dict[tuple[int, int], AffectedShards] = {}
        """The last outage of each (shard, number of shards) whose games are still to be corrected."""
        self._after = FIRST
        """The (deadline, id) of the last game that was ticked."""
        heartbeats.subscribe(self._add)

    @property
    def pending(self) -> bool:
        """Whether boards may still have to be corrected."""
        return bool(self._outages)

    async def run_once(self, limit: int = CORRECTIONS_PER_SECOND) -> None:
        """Ticks up to ``limit`` games that may have lost time in an outage."""
        shards = self.heartbeats.recorded_shards()
        if not self._outages or not shards:  # without a connection the outage goes on
            return
        outages, after = dict(self._outages), self._after
        found = await self.games.repository.affected(
            list(outages.values()), shards, self.heartbeats.shard_count, after, limit
        )
        for _, game_id in found:
            if self._pace is not None:
                await self._pace.wait(PER_TICK)
            await tick(self.games, game_id)
        if outages != self._outages:  # another outage has ended meanwhile: start again with the first game
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
    """Ticks a game. A failure is logged, and the game is ticked again when its lease ends."""
    with about_game(game_id):
        try:
            await games.tick(game_id)
        except UnreadableGame:  # logged already
            return
        except Exception:
            log.exception("tick_failed", game=game_id)
