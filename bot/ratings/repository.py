"""Stores ratings and their changes. A method that takes a connection works inside the caller's transaction."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Row, Select, and_, bindparam, func, insert, or_, select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.writing.writes import Bound, write
from bot.games.tables import IS_RUNNING, games
from bot.matches.contests import FinishedContest
from bot.ratings.changes import RatingChange, Standing
from bot.ratings.rows import change_of, change_row, standing_of, standing_row
from bot.ratings.tables import rated_contests, rating_changes, ratings

_THEIRS: Final = (
    ratings.c.user_id.in_(bindparam("user_ids", expanding=True)),
    ratings.c.game == bindparam("game"),
    ratings.c.pace == bindparam("pace"),
)
_STANDINGS: Final = select(ratings).where(*_THEIRS)
_ADD_CHANGE: Final = insert(rating_changes).values({column.name: bindparam(column.name) for column in rating_changes.c})


class RatingRepository:
    def __init__(self, database: Database) -> None:
        self.database = database
        added = database.insert(ratings).values({column.name: bindparam(column.name) for column in ratings.c})
        key = [column.name for column in ratings.primary_key]
        changed = {column.name: added.excluded[column.name] for column in ratings.c if column.name not in key}
        self._keep = added.on_conflict_do_update(index_elements=key, set_=changed)

    async def standings(
        self, user_ids: Sequence[int], game: str, pace: str, within: AsyncConnection | None = None
    ) -> list[Standing]:
        """The standing of each user; that of a beginner if nothing is stored. ``within``: see ``Database.fetch``."""
        rows = await self.database.fetch(_STANDINGS, {"user_ids": user_ids, "game": game, "pace": pace}, within)
        return _by_user(rows, user_ids)

    async def changes_of(self, contest_id: str) -> list[RatingChange]:
        """The changes by a contest, in the order of its players."""
        query = select(rating_changes).where(rating_changes.c.contest_id == contest_id)
        async with self.database.reading_once() as connection:
            rows = await connection.execute(query.order_by(rating_changes.c.player))
            return [change_of(row) for row in rows]

    async def contests_between(self, connection: AsyncConnection, pair: tuple[int, int], since: int) -> int:
        """How many contests of the two have changed ratings and ended after ``since`` (ms since 1970)."""
        return await connection.scalar(_between(pair, since)) or 0

    async def running_between(self, connection: AsyncConnection, pair: tuple[int, int], since: int) -> int:
        """How many rated contests of the two are running that began after ``since``. A match counts once."""
        of_pair = or_(
            and_(games.c.seat0 == pair[0], games.c.seat1 == pair[1]),
            and_(games.c.seat0 == pair[1], games.c.seat1 == pair[0]),
        )
        query = select(func.count()).where(IS_RUNNING, of_pair, games.c.rated == true(), games.c.started > since)
        return await connection.scalar(query) or 0

    async def add_contest(
        self, connection: AsyncConnection, contest: FinishedContest, pace: str, since: int, limit: int
    ) -> tuple[int | None, tuple[Standing, Standing]]:
        """Gives a contest its number, and reads the standings of its players. The caller has locked both.

        The number is None if ``limit`` contests of the two have changed ratings and ended after ``since``: then this
        one changes none.
        """
        counted = _between(contest.players, since).scalar_subquery() < limit
        row = {"contest_id": contest.id, "is_match": contest.is_match, "counted": counted}
        columns = (rated_contests.c.seq, rated_contests.c.counted)
        added = insert(rated_contests).values(row).returning(*columns)
        theirs = {"user_ids": contest.players, "game": contest.game, "pace": pace}
        rows: Sequence[Row[Any]]
        if connection.dialect.name == "postgresql":  # both in one statement
            new = added.cte("added")
            query = select(new.c.seq, new.c.counted, ratings).select_from(new.outerjoin(ratings, and_(*_THEIRS)))
            rows = (await connection.execute(query, theirs)).all()
            number = rows[0]
        else:
            number = (await connection.execute(added)).one()
            rows = (await connection.execute(_STANDINGS, theirs)).all()
        first, second = _by_user(rows, contest.players)
        return number.seq if number.counted else None, (first, second)

    async def add_changes(
        self, connection: AsyncConnection, seq: int, made: Sequence[RatingChange], after: Sequence[Standing]
    ) -> None:
        """Stores the changes by a contest, and the standing of each of its players after it."""
        await write(connection, *(Bound(_ADD_CHANGE, change_row(seq, change)) for change in made))
        for change, standing in zip(made, after, strict=True):
            await self.keep(connection, change.user_id, change.game, change.pace, standing)

    async def keep(self, connection: AsyncConnection, user_id: int, game: str, pace: str, standing: Standing) -> None:
        """Stores a standing in place of the one before."""
        row = {"user_id": user_id, "game": game, "pace": pace, **standing_row(standing)}
        await write(connection, Bound(self._keep, row))

    async def was_counted(self, contest_id: str) -> bool | None:
        """Whether a finished rated contest changed ratings; None if it is not known as one."""
        query = select(rated_contests.c.counted).where(rated_contests.c.contest_id == contest_id)
        async with self.database.reading_once() as connection:
            counted: bool | None = await connection.scalar(query)
        return counted


def _between(pair: tuple[int, int], since: int) -> Select[int]:
    """How many contests of the two have changed ratings and ended after ``since``."""
    own, other, ended = rating_changes.c.user_id, rating_changes.c.opponent_id, rating_changes.c.ended
    return select(func.count()).where(own == pair[0], other == pair[1], ended > since)


def _by_user(rows: Iterable[Row[Any]], user_ids: Sequence[int]) -> list[Standing]:
    """The standing of each user; that of a beginner without a row."""
    found = {row.user_id: standing_of(row) for row in rows if row.user_id is not None}
    return [found.get(user_id, Standing()) for user_id in user_ids]
