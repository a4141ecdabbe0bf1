"""When moves were last taken, lane by lane, and when they could not be. A lane is a shard of the connection."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import func, select

from bot.store.db import Database
from bot.store.schema import beats, outages


@dataclass(frozen=True, slots=True)
class Outage:
    """No move of lane ``lane`` out of ``lanes`` could be taken from ``since`` to ``until``, in ms since 1970."""

    lane: int
    lanes: int
    since: int
    until: int


class PulseStore:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def beat(self, lanes: Iterable[int], count: int, now: int, gap: int) -> list[Outage]:
        """Notes that moves of these lanes (out of ``count``) are taken now; the outages over ``gap`` ms that end so.

        Where a lane of that count has never beaten, the newest beat of any lane stands for it.
        """
        found = []
        async with self.database.writing() as connection:
            newest = await connection.scalar(select(func.max(beats.c.at)))
            rows = await connection.execute(
                select(beats.c.lane, beats.c.at).where(beats.c.lanes == count).with_for_update()
            )
            last = {row.lane: row.at for row in rows}
            for lane in lanes:
                before = last.get(lane, newest)
                if before is not None and now - before > gap:
                    found.append(Outage(lane, count, before, now))
                row = {"lane": lane, "lanes": count, "at": now}
                statement = self.database.insert(beats).values(row)
                later = beats.c.at < statement.excluded.at
                await connection.execute(
                    statement.on_conflict_do_update(index_elements=["lane", "lanes"], set_={"at": now}, where=later)
                )
            for outage in found:
                row = {"lane": outage.lane, "lanes": count, "since": outage.since, "until": outage.until}
                # of two processes that come back at once, the first has noted it
                await connection.execute(self.database.insert(outages).values(row).on_conflict_do_nothing())
        return found

    async def since(self, moment: int) -> list[Outage]:
        """The outages of all lanes that ended after ``moment``, in order."""
        query = select(outages).where(outages.c.until > moment).order_by(outages.c.since, outages.c.until)
        async with self.database.reading() as connection:
            return [Outage(row.lane, row.lanes, row.since, row.until) for row in await connection.execute(query)]
