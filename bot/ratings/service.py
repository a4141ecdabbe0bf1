"""The use cases of ratings: reading a player's rating, and changing it at the end of a contest."""

from collections.abc import Callable, Mapping
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.cache import Cache
from bot.core.storage.database import after_commit
from bot.core.storage.writing.locks import lock_users
from bot.matches.contests import ContestHook, FinishedContest
from bot.ratings.changes import RatingChange, Standing, changes, standing_after
from bot.ratings.pace import pace_of
from bot.ratings.repository import RatingRepository
from engine.core.hours import DAY
from engine.rating.glicko import Rating

__all__ = ["RatingChange", "RatingHook", "RatingService", "Standing"]

CAPACITY: Final = 100_000
"""The bytes for the latest changes, by the cache's estimate: those of some two hundred contests."""
SECONDS: Final = 10.0
"""Seconds for which the latest changes are cached, so that the board can show them."""


class RatingHook:
    """Called by ``RatingService``. By default, its methods do nothing."""

    async def on_rated(
        self, connection: AsyncConnection, contest: FinishedContest, standings: tuple[Standing, Standing]
    ) -> None:
        """Writes the hook's own data in the transaction in which a rated contest ends.

        ``standings``: those of its players after it, in the contest's order.
        """
        del connection, contest, standings


class RatingService(ContestHook):
    """Reads ratings, and updates them at the end of each rated contest.

    ``now`` returns ms since 1970. ``daily_limit``: the most contests a day of the same two players that are rated.
    """

    def __init__(self, repository: RatingRepository, now: Callable[[], int], daily_limit: int) -> None:
        self.repository = repository
        self.daily_limit = daily_limit
        self.hooks: list[RatingHook] = []
        self._now = now
        self._made: Cache[str, tuple[RatingChange, RatingChange]] = Cache(CAPACITY, SECONDS)
        """The changes by the latest contests."""
        self._standings: Cache[tuple[tuple[int, ...], str, str], tuple[Standing, ...]] = Cache()
        """The stored standings, by users, game and pace, for boards of rated games."""

    async def of(self, user_id: int, game: str, pace: str) -> Rating:
        """Returns a player's rating now, or a beginner's before the first rated contest."""
        first, *_ = await self.of_all([user_id], game, pace)
        return first

    async def of_all(self, user_ids: list[int], game: str, pace: str) -> list[Rating]:
        found = await self.standings(user_ids, game, pace)
        return [standing.at(self._now()) for standing in found]

    async def standings(self, user_ids: list[int], game: str, pace: str) -> list[Standing]:
        """Returns the stored standing of each player, with the number of rated contests."""
        key, generation = (tuple(user_ids), game, pace), self._standings.generation
        found = self._standings.get(key)
        if found is None:
            found = tuple(await self.repository.standings(user_ids, game, pace))
            self._standings.keep(key, found, generation)
        return list(found)

    async def standings_of(self, user_id: int) -> Mapping[tuple[str, str], Standing]:
        """Returns the stored standings of a player by game and pace. Those of a beginner are not stored."""
        return await self.repository.standings_of(user_id)

    def forget_changed(self, contest_id: str | None) -> None:
        """Invalidates the cached standings after a contest has changed some."""
        del contest_id
        self._standings.clear()

    async def changes_of(self, contest_id: str) -> list[RatingChange]:
        """Returns the changes by a game or match, in the order of its players; empty if it changed no ratings."""
        made = self._made.get(contest_id)
        return await self.repository.changes_of(contest_id) if made is None else list(made)

    def forget_player(self, user_id: int | None) -> None:
        """Invalidates the caches of all users after the id of one was replaced."""
        del user_id
        self._made.clear()
        self._standings.clear()

    async def was_counted(self, contest_id: str) -> bool | None:
        """Returns whether a finished contest changed ratings:
        False if it exceeded the daily limit, None if it is not rated.
        """
        return await self.repository.was_counted(contest_id)

    async def may_rate(self, first: int, second: int) -> bool:
        """Returns whether a new contest of the two may be rated today. Contests that began or ended within
        a day count.
        """
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
        pace, since = pace_of(contest.clock), contest.ended - DAY
        seq, standings = await self.repository.add_contest(connection, contest, pace, since, self.daily_limit)
        if seq is not None:
            made = changes(contest, standings)
            first, second = map(standing_after, standings, made)
            standings = (first, second)
            await self.repository.add_changes(connection, seq, made, standings)
            after_commit(connection, self._standings.clear)
            after_commit(connection, lambda: self._made.keep(contest.id, made, self._made.generation))
        for hook in self.hooks:
            await hook.on_rated(connection, contest, standings)
