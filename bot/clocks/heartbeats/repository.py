"""Stores heartbeats and outages per shard. A shard is a part of the bot's connection to Discord."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sqlalchemy import BigInteger, Integer, delete, func, literal, select, union_all

from bot.clocks.displaced.tables import displaced_games
from bot.clocks.heartbeats.tables import heartbeats, outages, removed_servers
from bot.core.storage.database import Database
from bot.core.storage.rows import columns_of, to_row
from bot.games.tables import IS_TIMED, games
from engine.core.hours import DAY

KEPT_MS: Final = 365 * DAY
"""The least time for which an outage is kept.

In games without a clock, a player may claim after the opponent was absent for thirty days, not counting outages.
Vacations are limited to some weeks a year. So after a year the claim is right with or without the outage.
"""
UNUSED_MS: Final = DAY
"""How long a shard count has no heartbeats until it counts as no longer in use."""


@dataclass(frozen=True, slots=True)
class Outage:
    """Shard ``shard`` out of ``shard_count`` accepted no moves from ``since`` to ``until``, in ms since 1970."""

    shard: int
    shard_count: int
    since: int
    until: int


class HeartbeatRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def record(self, shards: Iterable[int], count: int, now: int, gap: int) -> list[Outage]:
        """Records a heartbeat for these shards (out of ``count``). Returns the outages over ``gap`` ms that it ends.

        If the number of shards has changed, the newest heartbeat under another count also applies to shards without a
        later one. Outages of the other count's shards up to that heartbeat are recorded as well.
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
                added = self.database.insert(outages).values(to_row(outage))
                # if two processes come back at once, the first has stored the outage already
                await connection.execute(added.on_conflict_do_nothing())
        return found

    async def last_seen(self, guild_bits: int) -> int | None:
        """Returns the moment at which any process last saw the shard of a server; None if none did. ``guild_bits``: see
        ``since``.
        """
        own = heartbeats.c.shard == literal(guild_bits, BigInteger).op("%")(heartbeats.c.shard_count)
        found: int | None = (await self.database.fetch(select(func.max(heartbeats.c.last_seen_at)).where(own))).scalar()
        return found

    async def all(self) -> set[tuple[int, int, int]]:
        """Returns the last heartbeat of each shard: its number, how many there are, and when it was."""
        return {(row.shard, row.shard_count, row.last_seen_at) for row in await self.database.fetch(select(heartbeats))}

    async def since(self, moment: int, guild_bits: int, guild_id: int, now: int, contest_id: str = "") -> list[Outage]:
        """Returns the outages that ended after ``moment``, in order, of the shard of a server, of the server itself,
        and of a contest.

        ``guild_bits`` modulo the number of shards is the shard; the number may have changed between two outages. While
        the server is without the bot, or the contest is displaced, that is an outage until ``now``.
        """
        own = outages.c.shard == literal(guild_bits, BigInteger).op("%")(outages.c.shard_count)
        columns = columns_of(Outage, outages)
        ended = select(*columns).where(outages.c.until > moment, own | (outages.c.guild_id == guild_id))
        begun = (removed_servers.c.guild_id == guild_id, removed_servers.c.since < now)
        nobody, one, until = literal(-1, Integer), literal(1, Integer), literal(now, BigInteger)
        lasting = select(nobody, one, removed_servers.c.since, until).where(*begun)
        displaced = (displaced_games.c.contest_id == contest_id, displaced_games.c.since < now)
        closed = select(nobody, one, displaced_games.c.since, until).where(*displaced)
        found = [Outage(*row) for row in await self.database.fetch(union_all(ended, lasting, closed))]
        return sorted(found, key=lambda outage: (outage.since, outage.until))

    async def forget(self, count: int, now: int) -> None:
        """Deletes outages and heartbeats that are no longer needed. ``count`` is the present number of shards.

        A game with a running clock needs an outage until it has an entry after it: every new entry first credits all
        outages before it. So an outage is deleted once it ended before the last entry of every such game and is older
        than ``KEPT_MS``.

        Heartbeats of another shard count are needed until the present count has its own, which show how long the bot
        was away. They are deleted when they are ``UNUSED_MS`` older than those; before, another process may still use
        that count.
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
