"""Computes every rating again from the contests' records, in the stored order, and corrects differences.

Numbers must agree to the last bit. The order of contests, and which of them exceeded a daily limit, are taken as stored
(``rated_contests``). Contests that are not stored there come last, in the order of their ends. If nothing differs,
nothing is locked. Otherwise the ratings are computed once more, in one transaction, for which the ends of rated
contests wait on PostgreSQL.
"""

from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from sqlalchemy import Row, and_, delete, exists, insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.matches.contests import FinishedContest
from bot.matches.finished import SOURCES, ContestSource, contest_of
from bot.ratings.changes import RatingChange, Standing, changes, standing_after
from bot.ratings.pace import pace_of
from bot.ratings.rows import change_of, change_row, standing_of, standing_row
from bot.ratings.tables import rated_contests, rating_changes, ratings
from engine.core.errors import CorruptRecord, RuleError
from engine.core.hours import DAY

PAGE: Final = 500
"""Contests read at once."""
Key: TypeAlias = tuple[int, str, str]
"""A user, a game and a pace."""


@dataclass(slots=True)
class RatingsChecked:
    """The number of checked contests and ratings, and a line for each difference that was corrected.

    ``fault``: why nothing was checked nor corrected, as ratings follow from all contests before them; "" otherwise.
    """

    contests: int = 0
    ratings: int = 0
    differences: list[str] = field(default_factory=list)
    fault: str = ""


async def rebuild_ratings(
    database: Database, daily_limit: int, sources: Sequence[ContestSource] | None = None
) -> RatingsChecked:
    """Checks and corrects all ratings and changes. ``sources``: the rated contests; all by default."""
    listed = [source() for source in SOURCES] if sources is None else sources
    try:
        async with database.reading() as connection:
            checked = await _Rebuild(connection, listed, daily_limit, write=False).run()
    except CorruptRecord as error:
        return RatingsChecked(fault=str(error))
    if not checked.differences:
        return checked
    async with database.writing() as connection:
        if connection.dialect.name == "postgresql":
            await connection.execute(text("LOCK TABLE rated_contests IN EXCLUSIVE MODE"))
        return await _Rebuild(connection, listed, daily_limit, write=True).run()


class _Rebuild:
    """One pass over all contests in one transaction."""

    def __init__(
        self, connection: AsyncConnection, sources: Sequence[ContestSource], daily_limit: int, *, write: bool
    ) -> None:
        self._connection = connection
        self._sources = sources
        self._daily_limit = daily_limit
        self._write = write
        self._standings: defaultdict[Key, Standing] = defaultdict(Standing)
        self._ends: dict[frozenset[int], list[int]] = {}
        """The ends of the contests of each pair whose limit is still to be decided."""
        self._checked = RatingsChecked()

    async def run(self) -> RatingsChecked:
        unknown = await self._unknown()
        self._ends = {frozenset(contest.players): [] for contest in unknown}
        async for known, contest, stored in self._known():
            await self._check(known, contest, stored)
        for contest in unknown:
            await self._add(contest)
        await self._check_standings()
        return self._checked

    async def _unknown(self) -> list[FinishedContest]:
        """Returns the contests without a number, in the order of their ends."""
        found: list[FinishedContest] = []
        for source in self._sources:
            column = source.selected_columns["id"]
            numbered = exists(select(rated_contests.c.seq).where(rated_contests.c.contest_id == column))
            found += map(contest_of, await self._connection.execute(source.where(~numbered)))
        return sorted(found, key=lambda contest: (contest.ended, contest.id))

    async def _known(self) -> AsyncIterator[tuple[Row[Any], FinishedContest | None, list[Row[Any]]]]:
        """Yields each row of ``rated_contests`` in order, its contest if that is rated, and its stored changes."""
        after = -1
        while True:
            query = select(rated_contests).where(rated_contests.c.seq > after).order_by(rated_contests.c.seq)
            page = (await self._connection.execute(query.limit(PAGE))).all()
            if not page:
                return
            ids = [row.contest_id for row in page]
            contests = await self._contests(ids)
            stored: defaultdict[str, list[Row[Any]]] = defaultdict(list)
            listed = select(rating_changes).where(rating_changes.c.contest_id.in_(ids))
            for row in await self._connection.execute(listed.order_by(rating_changes.c.player)):
                stored[row.contest_id].append(row)
            for row in page:
                yield row, contests.get(row.contest_id), stored[row.contest_id]
            after = page[-1].seq

    async def _contests(self, ids: Sequence[str]) -> Mapping[str, FinishedContest]:
        found: dict[str, FinishedContest] = {}
        for source in self._sources:
            rows = await self._connection.execute(source.where(source.selected_columns["id"].in_(ids)))
            found |= {row.id: contest_of(row) for row in rows}
        return found

    async def _check(self, known: Row[Any], contest: FinishedContest | None, stored: Sequence[Row[Any]]) -> None:
        if contest is None:
            self._checked.differences.append(f"{known.contest_id} is not a rated contest that counts")
            await self._drop_changes(known.contest_id)
            if self._write:
                same = rated_contests.c.contest_id == known.contest_id
                await self._connection.execute(delete(rated_contests).where(same))
            return
        self._checked.contests += 1
        expected = self._count(contest) if known.counted else ()
        found = [(row.seq, change_of(row)) for row in stored]
        if found != [(known.seq, change) for change in expected]:
            self._checked.differences.append(f"the rating changes of {contest.id} are written anew")
            await self._drop_changes(contest.id)
            await self._add_changes(known.seq, expected)

    async def _add(self, contest: FinishedContest) -> None:
        """Counts a contest that has no number yet, unless it exceeds the daily limit."""
        self._checked.contests += 1
        self._checked.differences.append(f"{contest.id} had not been counted")
        recent = sum(ended > contest.ended - DAY for ended in self._ends[frozenset(contest.players)])
        counted = recent < self._daily_limit
        made = self._count(contest) if counted else ()
        if self._write:
            row = {"contest_id": contest.id, "is_match": contest.is_match, "counted": counted}
            added = await self._connection.execute(insert(rated_contests).values(row).returning(rated_contests.c.seq))
            await self._add_changes(int(added.scalar_one()), made)

    def _count(self, contest: FinishedContest) -> tuple[RatingChange, RatingChange]:
        """Returns the changes by the next contest, and updates the standings. Raises CorruptRecord."""
        try:
            pace = pace_of(contest.clock)
        except RuleError as error:
            unread = f"the time control of {contest.id} cannot be read: {contest.clock}. No rating was checked."
            raise CorruptRecord(unread) from error
        first, second = ((user_id, contest.game, pace) for user_id in contest.players)
        made = changes(contest, (self._standings[first], self._standings[second]))
        for key, change in zip((first, second), made, strict=True):
            self._standings[key] = standing_after(self._standings[key], change)
        pair = frozenset(contest.players)
        if pair in self._ends:
            self._ends[pair].append(contest.ended)
        return made

    async def _drop_changes(self, contest_id: str) -> None:
        if self._write:
            await self._connection.execute(delete(rating_changes).where(rating_changes.c.contest_id == contest_id))

    async def _add_changes(self, seq: int, made: Sequence[RatingChange]) -> None:
        if self._write and made:
            await self._connection.execute(insert(rating_changes), [change_row(seq, change) for change in made])

    async def _check_standings(self) -> None:
        """Compares the ratings after all contests with the stored ones."""
        stored = {
            (row.user_id, row.game, row.pace): standing_of(row)
            for row in await self._connection.execute(select(ratings))
        }
        self._checked.ratings = len(self._standings)
        for key in sorted({*stored, *self._standings}):
            expected = self._standings.get(key)
            if stored.get(key) == expected:
                continue
            user_id, game, pace = key
            self._checked.differences.append(f"the rating of {user_id} in {game} ({pace}) is written anew")
            if self._write:
                same = and_(ratings.c.user_id == user_id, ratings.c.game == game, ratings.c.pace == pace)
                await self._connection.execute(delete(ratings).where(same))
                if expected is not None:
                    row = {"user_id": user_id, "game": game, "pace": pace, **standing_row(expected)}
                    await self._connection.execute(insert(ratings).values(row))
