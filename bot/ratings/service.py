"""The use cases of ratings: what a player's rating is, and how the end of a contest changes it."""

from collections.abc import Callable

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.writing.locks import lock_users
from bot.matches.contests import ContestHook, FinishedContest
from bot.ratings.changes import RatingChange, Standing, changes, standing_after
from bot.ratings.pace import pace_of
from bot.ratings.repository import RatingRepository
from engine.core.hours import DAY
from engine.rating.glicko import Rating

__all__ = ["RatingChange", "RatingService", "Standing"]


class RatingService(ContestHook):
    """Reads ratings, and updates them at the end of each rated contest.

    ``now`` gives ms since 1970; ``daily_limit`` is how many contests of the same two players a day are rated.
    """

    def __init__(self, repository: RatingRepository, now: Callable[[], int], daily_limit: int) -> None:
        self.repository = repository
        self.daily_limit = daily_limit
        self._now = now

    async def of(self, user_id: int, game: str, pace: str) -> Rating:
        """A player's rating now; that of a beginner before the first rated contest."""
        first, *_ = await self.of_all([user_id], game, pace)
        return first

    async def of_all(self, user_ids: list[int], game: str, pace: str) -> list[Rating]:
        """The rating of each player now."""
        found = await self.repository.standings(user_ids, game, pace)
        return [standing.at(self._now()) for standing in found]

    async def standings(self, user_ids: list[int], game: str, pace: str) -> list[Standing]:
        """What is stored of each player's rating: also how many rated contests it comes from."""
        return await self.repository.standings(user_ids, game, pace)

    async def changes_of(self, contest_id: str) -> list[RatingChange]:
        """What a game or match changed, in the order of its players; empty if it changed no ratings."""
        return await self.repository.changes_of(contest_id)

    async def was_counted(self, contest_id: str) -> bool | None:
        """Whether a finished contest changed ratings: False if it exceeded the daily limit, None if it is not rated."""
        return await self.repository.was_counted(contest_id)

    async def may_rate(self, first: int, second: int) -> bool:
        """Whether a new contest of the two may be rated today: those that began or ended within a day are counted."""
        day = self._now() - DAY
        async with self.repository.database.reading() as connection:
            ended = await self.repository.contests_between(connection, (first, second), day)
            begun = await self.repository.running_between(connection, (first, second), day)
        return ended + begun < self.daily_limit

    async def on_end(self, connection: AsyncConnection, contest: FinishedContest) -> None:
        """Updates both ratings in the transaction in which the contest ends."""
        if not (contest.rated and contest.counts):
            return
        await lock_users(connection, contest.players)
        day = contest.ended - DAY
        before = await self.repository.contests_between(connection, contest.players, day)
        counted = before < self.daily_limit
        seq = await self.repository.add_contest(connection, contest, counted=counted)
        if not counted:
            return
        pace = pace_of(contest.clock)
        first, second = await self.repository.standings(contest.players, contest.game, pace, connection)
        made = changes(contest, (first, second))
        await self.repository.add_changes(connection, seq, made)
        for standing, change in zip((first, second), made, strict=True):
            after = standing_after(standing, change)
            await self.repository.keep(connection, change.user_id, change.game, change.pace, after)
