"""Stores ratings and their changes. Methods that take a connection work inside the caller's transaction."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Select, and_, func, insert, or_, select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.writing.changes import announce
from bot.games.tables import IS_RUNNING, games
from bot.matches.contests import FinishedContest
from bot.ratings.changes import RatingChange, Standing
from bot.ratings.rows import change_of, change_row, standing_of, standing_row
from bot.ratings.tables import rated_contests, rating_changes, ratings

RATING: Final = "rating"
"""The kind of the announcements of changed ratings; the key is the id of the contest."""


class RatingRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def standings(
        self, user_ids: Sequence[int], game: str, pace: str, within: AsyncConnection | None = None
    ) -> list[Standing]:
        """Returns the standing of each user, or a beginner's without a stored one. ``within``: see
        ``Database.fetch``.
        """
        theirs = (ratings.c.user_id.in_(user_ids), ratings.c.game == game, ratings.c.pace == pace)
        rows = await self.database.fetch(select(ratings).where(*theirs), within=within)
        found = {row.user_id: standing_of(row) for row in rows}
        return [found.get(user_id, Standing()) for user_id in user_ids]

    async def standings_of(self, user_id: int) -> dict[tuple[str, str], Standing]:
        """Returns the stored standings of a user by game and pace."""
        rows = await self.database.fetch(select(ratings).where(ratings.c.user_id == user_id))
        return {(row.game, row.pace): standing_of(row) for row in rows}

    async def changes_of(self, contest_id: str) -> list[RatingChange]:
        """Returns the changes by a contest, in the order of its players."""
        query = select(rating_changes).where(rating_changes.c.contest_id == contest_id)
        rows = await self.database.fetch(query.order_by(rating_changes.c.player))
        return [change_of(row) for row in rows]

    async def contests_between(self, connection: AsyncConnection, pair: tuple[int, int], since: int) -> int:
        """Returns the number of contests of the two that have changed ratings and ended after ``since`` (ms since
        1970).
        """
        return await connection.scalar(_between(pair, since)) or 0

    async def running_between(self, connection: AsyncConnection, pair: tuple[int, int], since: int) -> int:
        """Returns the number of running rated contests of the two that began after ``since``. A match counts once."""
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

        If ``limit`` contests of the two that ended after ``since`` have changed ratings, the number is None, and this
        contest changes none.
        """
        counted = _between(contest.players, since).scalar_subquery() < limit
        row = {"contest_id": contest.id, "is_match": contest.is_match, "counted": counted}
        columns = (rated_contests.c.seq, rated_contests.c.counted)
        added = insert(rated_contests).values(row).returning(*columns)
        number = (await connection.execute(added)).one()
        first, second = await self.standings(contest.players, contest.game, pace, connection)
        return number.seq if number.counted else None, (first, second)

    async def add_changes(
        self, connection: AsyncConnection, seq: int, made: Sequence[RatingChange], after: Sequence[Standing]
    ) -> None:
        """Stores the changes by a contest, and the standing of each of its players after it."""
        await connection.execute(insert(rating_changes), [change_row(seq, change) for change in made])
        for change, standing in zip(made, after, strict=True):
            await self.keep(connection, change.user_id, change.game, change.pace, standing)
        await announce(connection, RATING, made[0].contest_id)

    async def keep(self, connection: AsyncConnection, user_id: int, game: str, pace: str, standing: Standing) -> None:
        """Stores a standing in place of the earlier one."""
        key = {"user_id": user_id, "game": game, "pace": pace}
        row = standing_row(standing)
        added = self.database.insert(ratings).values(**key, **row)
        await connection.execute(added.on_conflict_do_update(index_elements=list(key), set_=row))

    async def was_counted(self, contest_id: str) -> bool | None:
        """Returns whether a finished rated contest changed ratings; None if there is no such contest."""
        query = select(rated_contests.c.counted).where(rated_contests.c.contest_id == contest_id)
        counted: bool | None = (await self.database.fetch(query)).scalar()
        return counted


def _between(pair: tuple[int, int], since: int) -> Select[int]:
    """Returns the query for the number of contests of the two that have changed ratings and ended after ``since``."""
    own, other, ended = rating_changes.c.user_id, rating_changes.c.opponent_id, rating_changes.c.ended
    return select(func.count()).where(own == pair[0], other == pair[1], ended > since)
