"""The bot's own absences in a month of correspondence: its process, its database, a part of its connections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fakes.clock import START
from sqlalchemy import delete, insert

from bot.clocks.heartbeats.service import HeartbeatService
from bot.clocks.heartbeats.tables import heartbeats
from bot.clocks.service import CorrectionService, DeadlineService
from engine.core.clock import SECOND
from engine.core.hours import DAY, HOUR, MINUTE

if TYPE_CHECKING:
    from fakes.month import Month

SHARDS = (0, 1)
PROCESS, DATABASE, SHARD = "process", "database", "shard"


@dataclass(frozen=True)
class Away:
    """A time in which a part of the bot is away, in ms since 1970."""

    what: str
    since: int
    until: int

    def hits(self, shard: int, at: int) -> bool:
        return self.since <= at < self.until and (self.what != SHARD or shard == SHARDS[1])


class Outages:
    """The outages of a month, and their effects."""

    def __init__(self, month: Month, seed: int) -> None:
        self.month, self.clock, self.seed = month, month.clock, seed
        days = month.days
        self.all = [
            Away(PROCESS, START + days * DAY // 5, START + days * DAY // 5 + 5 * HOUR),
            Away(DATABASE, START + days * DAY * 9 // 20, START + days * DAY * 9 // 20 + 95 * MINUTE),
            Away(SHARD, START + days * DAY * 7 // 10, START + days * DAY * 7 // 10 + 26 * HOUR),
        ]

    def plan(self) -> None:
        for away in self.all:
            self.month.at(away.since, self.cut, away)
            self.month.at(away.until, self.mend, away)

    def wholly(self) -> bool:
        """Returns whether the whole bot is away."""
        return any(away.what != SHARD and away.hits(0, self.clock.at) for away in self.all)

    def hit(self, shard: int) -> Away | None:
        return next((away for away in self.all if away.hits(shard, self.clock.at)), None)

    async def record_heartbeats(self) -> None:
        """Stores the heartbeats that come until the next outage."""
        service = self.month.services[HeartbeatService]
        shards = [shard for shard in SHARDS if self.hit(shard) is None]
        for shard in shards:
            ahead = [a.since for a in self.all if a.since > self.clock.at and (a.what != SHARD or shard == SHARDS[1])]
            last = min(ahead, default=START + 400 * DAY) - (self.seed + shard) % 5 * SECOND
            row = {"shard": shard, "shard_count": len(SHARDS), "last_seen_at": last}
            async with self.month.database.writing() as connection:
                await connection.execute(
                    delete(heartbeats).where(heartbeats.c.shard == shard, heartbeats.c.shard_count == len(SHARDS))
                )
                await connection.execute(insert(heartbeats).values(row))
            service._last[shard, len(SHARDS)] = last

    async def tick(self) -> None:
        """Runs a turn of the loop, as every few seconds and when time is up."""
        shards = [shard for shard in SHARDS if self.hit(shard) is None]
        if self.hit(0) is None or shards:
            deadlines = self.month.services[DeadlineService]
            kept = dict(deadlines.heartbeats._last)
            await deadlines.run_once(shards)
            await self.month.services[CorrectionService].run_once()  # a few games: the others get their time later
            for key, last in kept.items():
                deadlines.heartbeats._last[key] = max(last, deadlines.heartbeats._last[key])

    async def cut(self, away: Away) -> None:
        if away.what == DATABASE:

            def gone() -> None:
                raise ConnectionError

            self.month.database.reading = self.month.database.writing = gone  # type: ignore[method-assign,assignment]

    async def mend(self, away: Away) -> None:
        if away.what == DATABASE:
            del self.month.database.reading, self.month.database.writing
        if away.what == PROCESS:
            self.month.assemble()
        self.month.woken = True
        await self.tick()
        await self.record_heartbeats()
