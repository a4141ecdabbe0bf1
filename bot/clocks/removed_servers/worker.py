"""Notices which servers have removed the bot, or invited it again, while it was away; and ends games there in time."""

from collections.abc import Callable
from typing import Final

import discord

from bot.clocks.removed_servers.service import RemovedServers
from bot.core.processes.servers import servers_of
from bot.core.workers import Worker
from engine.core.hours import HOUR

PAUSE: Final = 60.0
"""Seconds between two looks for games that are to be ended."""


class RemovedServerWorker(Worker):
    """``now`` gives ms since 1970."""

    def __init__(self, client: discord.Client, servers: RemovedServers, now: Callable[[], int]) -> None:
        super().__init__(PAUSE)
        self._client = client
        self._servers = servers
        self._now = now
        self._compare_at = 0

    def start(self) -> None:
        self._servers.subscribe(self.wake)
        super().start()

    async def run_once(self) -> float:
        """Compares the servers once an hour and after each new session, and ends games that are due."""
        if not self._client.is_ready():
            return 0.2
        if self._servers.to_compare or self._now() >= self._compare_at:
            self._servers.to_compare, self._compare_at = False, 0  # due again if it fails, or for a new session
            await self.compare()
            self._compare_at = self._now() + HOUR
        await self._servers.end_games()
        return PAUSE

    async def compare(self) -> None:
        """Notices what has changed in the servers of the shards that are connected here."""
        await self._servers.compare(lambda: servers_of(self._client))
