"""Stores ratings and their changes. A method that takes a connection works inside the caller's transaction."""

from collections.abc import Iterable, Sequence
from typing import Final

from sqlalchemy import and_, bindparam, func, insert, or_, select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.games.tables import IS_RUNNING, games
from bot.matches.contests import FinishedContest
from bot.ratings.changes import RatingChange, Standing
from bot.ratings.rows import change_of, change_row, standing_of, standing_row
from bot.ratings.tables import rated_contests, rating_changes, ratings

_STANDINGS: Final = select(ratings).where(
    ratings.c.user_id.in_(bindparam("user_ids", expanding=True)),
    ratings.c.game == bindparam("game"),
    ratings.c.pace == bindparam("pace"),
)


class RatingRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def standings(
        self, user_ids: Sequence[int], game: str, pace: str, within: AsyncConnection | None = None
    ) -> list[Standing]:
        """The standing of each user; that of a beginner if nothing is stored. ``within``: see ``Database.fetch``."""
        rows = await self.database.fetch(_STANDINGS, {"user_ids": user_ids, "game": game, "pace": pace}, within)
        found = {row.user_id: standing_of(row) for row in rows}
        return [found.get(user_id, Standing()) for user_id in user_ids]

    async def changes_of(self, contest_id: str) -> list[RatingChange]:
        """The changes by a contest, in the order of its players."""
        query = select(rating_changes).where(rating_changes.c.contest_id == contest_id)
        async with self.database.reading_once() as connection:
            rows = await connection.execute(query.order_by(rating_changes.c.player))
            return [change_of(row) for row in rows]

    async def contests_between(self, connection: AsyncConnection, pair: tuple[int, int], since: int) -> int:
        """How many contests of the two have changed ratings and ended after ``since`` (ms since 1970)."""
        own, other, ended = rating_changes.c.user_id, rating_changes.c.opponent_id, rating_changes.c.ended
        query = select(func.count()).where(own == pair[0], other == pair[1], ended > since)
        return await connection.scalar(query) or 0

    async def running_between(self, connection: AsyncConnection, pair: tuple[int, int], since: int) -> int:
        """How many rated contests of the two are running that began after ``since``. A match counts once."""
        of_pair = or_(
            and_(games.c.seat0 == pair[0], games.c.seat1 == pair[1]),
            and_(games.c.seat0 == pair[1], games.c.seat1 == pair[0]),
        )
        query = select(func.count()).where(IS_RUNNING, of_pair, games.c.rated == true(), games.c.started > since)
        return await connection.scalar(query) or 0

    async def add_contest(self, connection: AsyncConnection, contest: FinishedContest, *, counted: bool) -> int:
        """Gives a contest its number. The caller has locked both players."""
        row = {"contest_id": contest.id, "is_match": contest.is_match, "counted": counted}
        added = await connection.execute(insert(rated_contests).values(row).returning(rated_contests.c.seq))
        return int(added.scalar_one())

    async def add_changes(self, connection: AsyncConnection, seq: int, changes: Iterable[RatingChange]) -> None:
        await connection.execute(insert(rating_changes), [change_row(seq, change) for change in changes])

    async def keep(self, connection: AsyncConnection, user_id: int, game: str, pace: str, standing: Standing) -> None:
        """Stores a standing in place of the one before."""
        row = {"user_id": user_id, "game": game, "pace": pace, **standing_row(standing)}
        statement = self.database.insert(ratings).values(row)
        await connection.execute(
            statement.on_conflict_do_update(index_elements=["user_id", "game", "pace"], set_=standing_row(standing))
        )

    async def was_counted(self, contest_id: str) -> bool | None:
        """Whether a finished rated contest changed ratings; None if it is not known as one."""
        query = select(rated_contests.c.counted).where(rated_contests.c.contest_id == contest_id)
        async with self.database.reading_once() as connection:
            counted: bool | None = await connection.scalar(query)
        return counted
