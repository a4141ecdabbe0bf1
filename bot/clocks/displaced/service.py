"""Keeps the clocks of games stopped whose channel was deleted, until their boards are shown elsewhere.

Who displaces a game sees to it that it is reopened, as tournaments do. Meanwhile no deadline comes and no board is
posted. Each command that reaches the game, and the end, adds the time to the record like an absence of the bot.
"""

from collections.abc import Callable, Mapping

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks.displaced.repository import DisplacedGameRepository
from bot.games.live import LiveGame
from bot.games.running.commit import Also
from bot.games.service import GameService


class DisplacedGames:
    """``now`` gives ms since 1970."""

    def __init__(self, store: DisplacedGameRepository, games: GameService, now: Callable[[], int]) -> None:
        self.store = store
        self._games = games
        self._now = now

    async def add(self, connection: AsyncConnection, channels: Mapping[str, int]) -> None:
        """Displaces contests, by their ids with the channels that were deleted. Safe to repeat."""
        await self.store.add(connection, channels, self._now())

    async def is_displaced(self, game_id: str) -> bool:
        """Returns whether the clock of a game stands because its channel was deleted."""
        return await self.store.has_game(game_id)

    async def credit(self, live: LiveGame) -> None:
        """Credits the time up to now, so that a board that is about to be posted shows the right time."""
        if not live.is_over and await self.is_displaced(live.id):
            await self._games.tick(live.id)

    async def end(self, live: LiveGame, also: Also) -> None:
        """Credits the time to the players and lets the clock run. ``also`` writes in the same transaction.

        Raises Refused if the game is over.
        """
        contest_id = contest_of(live)
        async with self.store.database.reading() as connection:
            since = await self.store.since(connection, contest_id)

        async def follow_up(connection: AsyncConnection, after: LiveGame) -> None:
            await self.store.drop(connection, contest_id)
            await also(connection, after)

        if since is not None:
            await self._games.credit(live.id, since, follow_up)


def contest_of(live: LiveGame) -> str:
    """Returns the id of the match of a game, or of the game itself."""
    return live.record.header.match or live.id
