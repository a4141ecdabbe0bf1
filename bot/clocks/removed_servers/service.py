"""Stops the games of servers that have removed the bot, and ends them later.

Nobody can play there, so these games stand still: no deadline comes, and no board is posted. If the server invites the
bot again, they go on, and the time without the bot is credited like any other outage. After some days, which the host
chooses, they end without a result, and both players are told.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from contextlib import suppress
from typing import Final

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clocks.removed_servers.repository import RemovedServerRepository
from bot.core.processes.comparison import ServerComparison
from bot.games.live import LiveGame
from bot.games.service import GameService
from engine.core.adjudication import VOID
from engine.core.errors import Refused
from engine.core.hours import DAY

BATCH: Final = 50
PAUSE: Final = 0.02
"""Seconds between the ends of two games, so that the bot can answer others in between."""

log = structlog.get_logger(__name__)


async def tell_nobody(connection: AsyncConnection, live: LiveGame) -> None:
    """Writes nothing: stands for the notifications until they are connected."""
    del connection, live


class RemovedServers:
    """``now`` returns ms since 1970. ``days``: the days without the bot after which games end."""

    def __init__(self, store: RemovedServerRepository, games: GameService, now: Callable[[], int], days: int) -> None:
        self.store = store
        self._games = games
        self._now = now
        self._days = days
        self.tell: Callable[[AsyncConnection, LiveGame], Awaitable[None]] = tell_nobody
        """Tells both players why their game has ended, in its transaction."""
        self.back: list[Callable[[int], Awaitable[None]]] = []
        """Called with a server once it is back, or once boards may be posted there again."""

        self.comparison = ServerComparison(now)
        """The times at which the servers are compared."""

    async def removed(self, guild_id: int) -> None:
        await self.store.add(guild_id, self._now())
        log.info("server_removed_the_bot", guild=guild_id)

    async def joined(self, guild_id: int) -> None:
        """Resumes a server's games after the bot has joined it, perhaps again."""
        since = await self.store.drop(guild_id, self._now())
        if since is not None:
            log.info("server_is_back", guild=guild_id, milliseconds=self._now() - since)

    async def credit(self, live: LiveGame) -> None:
        """Credits the time without the bot before a game leaves such a server, as elsewhere it would be charged."""
        guild_id = live.place.guild_id
        if guild_id is not None and not live.is_over and await self.store.known([guild_id]):
            await self._games.tick(live.id)

    async def compare(self, servers: Callable[[], Collection[int]]) -> None:
        """Finds the changes since the bot was last connected.

        ``servers`` returns the servers with the bot at that moment, and all servers that this process does not serve.
        """
        known = set(await self.store.known())
        with_games, failed = set(await self.store.with_games()), set(await self.store.with_failed_boards())
        here = servers()  # asked last and used at once, as a shard may connect at any moment
        gone, present = [one for one in with_games - known if one not in here], set(here)
        for guild_id in sorted(gone):
            await self.removed(guild_id)
        for guild_id in sorted(known & present):
            await self.joined(guild_id)
        for guild_id in sorted(
            (known | failed) & present
        ):  # it may have removed the bot and invited it again unnoticed
            for listener in self.back:
                await listener(guild_id)

    async def end_games(self) -> int:
        """Ends the games of servers that have been without the bot for too long. Returns their number."""
        ended = 0
        while found := await self.store.due(self._now() - self._days * DAY, BATCH):
            for guild_id in found:
                ended += await self._end_games_of(guild_id)
        return ended

    async def _end_games_of(self, guild_id: int) -> int:
        ended, after = 0, ""
        while found := await self.store.games(guild_id, after, BATCH):
            for game_id in found:
                after = game_id
                if not await self.store.known([guild_id]):  # just invited again
                    return ended
                try:
                    with suppress(Refused):  # the game is over already
                        await self._games.adjudicate(game_id, VOID, also=self.tell)
                        ended += 1
                except Exception:  # such as an unreadable record, which must not delay other games
                    log.exception("game_not_ended", game=game_id)
                await asyncio.sleep(PAUSE)
        await self.store.forget(guild_id)
        log.info("games_of_removed_server_ended", guild=guild_id, games=ended)
        return ended
