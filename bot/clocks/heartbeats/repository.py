"""When moves were last taken, shard by shard, and when they could not be. A shard is a shard of the connection."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, func, select

from bot.clocks.heartbeats.tables import heartbeats, outages
from bot.core.storage.database import Database
from bot.games.tables import IS_TIMED, games
from engine.core.hours import DAY

KEPT_MS: Final = 365 * DAY
"""How long an outage is kept at least.

Games without a clock need it for a claim that a player has stayed away for thirty days. Vacations are limited to weeks
in a year; so after a year without the outage a claim is right, whether the outage counts or not.
"""
UNUSED_MS: Final = DAY
"""A number of shards under which no heartbeat came for so long is not in use."""


@dataclass(frozen=True, slots=True)
class Outage:
    """No move of shard ``shard`` out of ``shards`` could be taken from ``since`` to ``until``, in ms since 1970."""

    shard: int
    shard_count: int
    since: int
    until: int


class HeartbeatRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def record(self, shards: Iterable[int], count: int, now: int, gap: int) -> list[Outage]:
        """Notes that moves of these shards (out of ``count``) are taken now; the outages over ``gap`` ms that end so.

        Where the number of shards has changed, the newest heartbeat under another number stands for those that have
        none since; and what a shard of that other number had missed until then is noted as well.
        """
        found = []
        async with self.database.writing() as connection:
            known = select(heartbeats).order_by(heartbeats.c.shard_count, heartbeats.c.shard).with_for_update()
            rows = (await connection.execute(known)).all()
            own = {row.shard: row.last_seen_at for row in rows if row.shard_count == count}
            others = [row for row in rows if row.shard_count != count]
            latest = max(others, key=lambda row: row.last_seen_at, default=None)
            if latest is not None and latest.last_seen_at > max(own.values(), default=-1):
                found += [
                    Outage(row.shard, row.shard_count, row.last_seen_at, latest.last_seen_at)
                    for row in others
                    if row.shard_count == latest.shard_count and latest.last_seen_at - row.last_seen_at > gap
                ]
            for shard in shards:
                before = max(own.get(shard, -1), -1 if latest is None else latest.last_seen_at)
                if before >= 0 and now - before > gap:
                    found.append(Outage(shard, count, before, now))
                row = {"shard": shard, "shard_count": count, "last_seen_at": now}
                statement = self.database.insert(heartbeats).values(row)
                later = heartbeats.c.last_seen_at < statement.excluded.last_seen_at
                await connection.execute(
                    statement.on_conflict_do_update(
                        index_elements=["shard", "shard_count"], set_={"last_seen_at": now}, where=later
                    )
                )
            for outage in found:
                row = {
                    "shard": outage.shard,
                    "shard_count": outage.shard_count,
                    "since": outage.since,
                    "until": outage.until,
                }
                # of two processes that come back at once, the first has noted it
                await connection.execute(self.database.insert(outages).values(row).on_conflict_do_nothing())
        return found

    async def since(self, moment: int) -> list[Outage]:
        """The outages of all shards that ended after ``moment``, in order."""
        query = select(outages).where(outages.c.until > moment).order_by(outages.c.since, outages.c.until)
        async with self.database.reading() as connection:
            return [Outage(row.shard, row.shard_count, row.since, row.until) for row in await connection.execute(query)]

    async def forget(self, count: int, now: int) -> None:
        """Removes what nothing needs any more, where there are ``count`` shards now.

        An outage is needed by a game whose clock runs until the game has an entry after it: before any entry is
        written, the game is given the time of all outages up to then. So those that ended before the last entry of
        every such game can go once they are older than ``KEPT_MS``.

        Heartbeats under another number of shards are needed until the present number has heartbeats of its own, which
        show how long the bot was away. After that they go when they are older by ``UNUSED_MS``: until then another
        process may still use that number.
        """
        per_count = select(heartbeats.c.shard_count, func.max(heartbeats.c.last_seen_at)).group_by(
            heartbeats.c.shard_count
        )
        oldest = select(func.min(games.c.last_entry_at)).where(IS_TIMED)
        async with self.database.reading() as connection:
            newest = {row[0]: row[1] for row in await connection.execute(per_count)}
            before = min(now - KEPT_MS, await connection.scalar(oldest) or now)
        unused = [other for other, last in newest.items() if other != count and last < newest.get(count, 0) - UNUSED_MS]
        async with self.database.writing() as connection:
            await connection.execute(delete(outages).where(outages.c.until <= before))
            if unused:
                await connection.execute(delete(heartbeats).where(heartbeats.c.shard_count.in_(unused)))
