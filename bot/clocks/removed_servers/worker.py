"""Finds the servers that removed the bot or invited it again during its absence, and ends games of removed servers."""

from typing import Final

import discord

from bot.clocks.removed_servers.service import RemovedServers
from bot.core.processes.servers import servers_of
from bot.core.workers import Worker

PAUSE: Final = 60.0
"""Seconds between two searches for games to end."""


class RemovedServerWorker(Worker):
    def __init__(self, client: discord.Client, servers: RemovedServers) -> None:
        super().__init__(PAUSE)
        self._client = client
        self._servers = servers

    def start(self) -> None:
        self._servers.comparison.subscribe(self.wake)
        super().start()

    async def run_once(self) -> float:
        """Compares the servers if that is due, and ends games that are due."""
        if not self._client.is_ready():
            return 0.2
        await self._servers.comparison.run(self.compare)
        await self._servers.end_games()
        return PAUSE

    async def compare(self) -> None:
        await self._servers.compare(lambda: servers_of(self._client))
