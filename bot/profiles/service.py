"""The use cases of profiles and leaderboards."""

from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.matches.contests import FinishedContest
from bot.players.machines import LEVELS
from bot.players.service import PreferenceService
from bot.profiles.profile import LevelProfile, Profile, Tally
from bot.profiles.ranking import Board, Ranked, listing_of
from bot.profiles.repository import ProfileRepository
from bot.profiles.tables import EVERYBODY
from bot.ratings.pace import pace_of
from bot.ratings.service import RatingHook, Standing

RESULTS: Final = 500
"""The latest results of each game that a profile uses."""
PER_PAGE: Final = 10
PAGES: Final = 100
"""The most pages of a leaderboard, so that reading the last one stays cheap."""
LISTING: Final = "leaderboard"
"""The user's preference to be shown on leaderboards."""
HIDDEN: Final = "hide"


class ProfileService(RatingHook):
    """Reads profiles and leaderboards, and keeps the leaderboards up to date."""

    def __init__(self, repository: ProfileRepository, preferences: PreferenceService) -> None:
        self.repository = repository
        self._preferences = preferences
        preferences.subscribe(self.on_preference_change)

    # --- profiles --------------------------------------------------------------------------------------------------

    async def of(self, user_id: int, reader_id: int) -> Profile:
        """Returns the user's profile as the reader sees it."""
        games = await self.repository.games_of(user_id, RESULTS)
        pairing = None if user_id == reader_id else await self.repository.pairing(user_id, reader_id)
        return Profile(user_id, tuple(games), pairing)

    async def of_machines(self, reader_id: int) -> list[LevelProfile]:
        """Returns every level of the machine, the lowest first."""
        ratings = await self.repository.ratings_of(LEVELS)
        against = await self.repository.finished_against(reader_id, LEVELS)
        return [LevelProfile(level, tuple(ratings.get(level, ())), against.get(level, Tally())) for level in LEVELS]

    # --- leaderboards ----------------------------------------------------------------------------------------------

    async def page(self, board: Board, page: int) -> tuple[list[Ranked], bool]:
        """Returns the players on a page (0 is the first), and whether there is another page."""
        found = await self.repository.page(board, page * PER_PAGE, PER_PAGE + 1)
        return found[:PER_PAGE], len(found) > PER_PAGE and page + 1 < PAGES

    async def place(self, board: Board, user_id: int) -> int | None:
        """Returns the user's place, 0 for the first; None if they are not on any page."""
        return await self.repository.place(board, user_id, PAGES * PER_PAGE)

    async def on_rated(
        self, connection: AsyncConnection, contest: FinishedContest, standings: tuple[Standing, Standing]
    ) -> None:
        """Puts both players of a rated contest on the leaderboards, in the transaction of the result."""
        game, pace = contest.game, pace_of(contest.clock)
        boards = [Board(guild_id, game, pace) for guild_id in {EVERYBODY, contest.guild_id or EVERYBODY}]
        for user_id, standing in sorted(zip(contest.players, standings, strict=True)):
            listing = listing_of(standing, hidden=await self._hides(connection, user_id))
            await self.repository.add(connection, boards, user_id, listing)
            await self.repository.refresh(connection, user_id, game, pace, listing)

    async def on_preference_change(self, user_id: int, key: str) -> None:
        """Shows or hides the user on leaderboards at once after a change of the preference."""
        if key != LISTING:
            return
        async with self.repository.database.writing() as connection:
            for game, pace in await self.repository.games_listed(connection, user_id):
                await self._refresh(connection, user_id, game, pace)

    async def rebuild(self) -> int:
        """Rebuilds all rows from ratings, finished games and preferences. Returns the number of checked rows."""
        count = 0
        async with self.repository.database.writing() as connection:
            for user_id, guild_id, game, clock in await self.repository.memberships(connection):
                await self.repository.add(connection, [Board(guild_id, game, pace_of(clock))], user_id)
            for user_id, game, pace in await self.repository.rated(connection):
                await self.repository.add(connection, [Board(EVERYBODY, game, pace)], user_id)
                await self._refresh(connection, user_id, game, pace)
                count += 1
        return count

    async def _refresh(self, connection: AsyncConnection, user_id: int, game: str, pace: str) -> None:
        hidden = await self._hides(connection, user_id)
        listing = await self.repository.listing(connection, user_id, game, pace, hidden=hidden)
        await self.repository.refresh(connection, user_id, game, pace, listing)

    async def _hides(self, connection: AsyncConnection, user_id: int) -> bool:
        return (await self._preferences.of_user(user_id, connection))[LISTING] == HIDDEN
