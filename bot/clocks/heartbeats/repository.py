"""When moves were last taken, lane by lane, and when they could not be. A lane is a shard of the connection."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import select

from bot.core.database import Database
from bot.core.tables import beats, outages


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

        Where the number of lanes has changed, the newest beat under another number stands for those that have not
        beaten since; and what a lane of that other number had missed until then is noted as well.
        """
        found = []
        async with self.database.writing() as connection:
            known = select(beats).order_by(beats.c.lanes, beats.c.lane).with_for_update()
            rows = (await connection.execute(known)).all()
            own = {row.lane: row.at for row in rows if row.lanes == count}
            others = [row for row in rows if row.lanes != count]
            latest = max(others, key=lambda row: row.at, default=None)
            if latest is not None and latest.at > max(own.values(), default=-1):
                found += [
                    Outage(row.lane, row.lanes, row.at, latest.at)
                    for row in others
                    if row.lanes == latest.lanes and latest.at - row.at > gap
                ]
            for lane in lanes:
                before = max(own.get(lane, -1), -1 if latest is None else latest.at)
                if before >= 0 and now - before > gap:
                    found.append(Outage(lane, count, before, now))
                row = {"lane": lane, "lanes": count, "at": now}
                statement = self.database.insert(beats).values(row)
                later = beats.c.at < statement.excluded.at
                await connection.execute(
                    statement.on_conflict_do_update(index_elements=["lane", "lanes"], set_={"at": now}, where=later)
                )
            for outage in found:
                row = {"lane": outage.lane, "lanes": outage.lanes, "since": outage.since, "until": outage.until}
                # of two processes that come back at once, the first has noted it
                await connection.execute(self.database.insert(outages).values(row).on_conflict_do_nothing())
        return found

    async def since(self, moment: int) -> list[Outage]:
        """The outages of all lanes that ended after ``moment``, in order."""
        query = select(outages).where(outages.c.until > moment).order_by(outages.c.since, outages.c.until)
        async with self.database.reading() as connection:
            return [Outage(row.lane, row.lanes, row.since, row.until) for row in await connection.execute(query)]
