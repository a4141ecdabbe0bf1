"""Stores ratings and their changes. A method that takes a connection works inside the caller's transaction."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.matches.contests import FinishedContest
from bot.ratings.changes import RatingChange, Standing
from bot.ratings.tables import rated_contests, rating_changes, ratings
from engine.rating.glicko import Rating


class RatingRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def standings(
        self, connection: AsyncConnection, user_ids: Sequence[int], game: str, pace: str
    ) -> list[Standing]:
        """The standing of each user; that of a beginner if nothing is stored."""
        query = select(ratings).where(ratings.c.user_id.in_(user_ids), ratings.c.game == game, ratings.c.pace == pace)
        found = {row.user_id: standing_of(row) for row in await connection.execute(query)}
        return [found.get(user_id, Standing()) for user_id in user_ids]

    async def changes_of(self, contest_id: str) -> list[RatingChange]:
        """The changes by a contest, in the order of its players."""
        query = select(rating_changes).where(rating_changes.c.contest_id == contest_id)
        async with self.database.reading() as connection:
            rows = await connection.execute(query.order_by(rating_changes.c.player))
            return [change_of(row) for row in rows]

    async def contests_between(self, connection: AsyncConnection, pair: tuple[int, int], since: int) -> int:
        """How many contests of the two have changed ratings and ended after ``since`` (ms since 1970)."""
        own, other, ended = rating_changes.c.user_id, rating_changes.c.opponent_id, rating_changes.c.ended
        query = select(func.count()).where(own == pair[0], other == pair[1], ended > since)
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
        async with self.database.reading() as connection:
            counted: bool | None = await connection.scalar(query)
        return counted


def standing_of(row: Row[Any]) -> Standing:
    """The standing in a row of ``ratings``."""
    rating = Rating(row.rating, row.deviation, row.volatility)
    return Standing(rating, row.contests, row.wins, row.draws, row.losses, row.last_at)


def standing_row(standing: Standing) -> dict[str, Any]:
    """The columns of ``ratings`` apart from the key."""
    return {
        "rating": standing.rating.rating,
        "deviation": standing.rating.deviation,
        "volatility": standing.rating.volatility,
        "contests": standing.contests,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "last_at": standing.last_at,
    }


def change_of(row: Row[Any]) -> RatingChange:
    """The change in a row of ``rating_changes``."""
    return RatingChange(
        contest_id=row.contest_id,
        player=row.player,
        user_id=row.user_id,
        opponent_id=row.opponent_id,
        game=row.game,
        pace=row.pace,
        score=row.score,
        weight=row.weight,
        before=Rating(row.rating_before, row.deviation_before, row.volatility_before),
        after=Rating(row.rating_after, row.deviation_after, row.volatility_after),
        ended=row.ended,
    )


def change_row(seq: int, change: RatingChange) -> dict[str, Any]:
    """The columns of ``rating_changes``."""
    return {
        "contest_id": change.contest_id,
        "player": change.player,
        "seq": seq,
        "user_id": change.user_id,
        "opponent_id": change.opponent_id,
        "game": change.game,
        "pace": change.pace,
        "score": change.score,
        "weight": change.weight,
        "rating_before": change.before.rating,
        "deviation_before": change.before.deviation,
        "volatility_before": change.before.volatility,
        "rating_after": change.after.rating,
        "deviation_after": change.after.deviation,
        "volatility_after": change.after.volatility,
        "ended": change.ended,
    }
