"""Resumes interrupted deletions, notices those of other processes, and deletes old data once a day."""

from collections.abc import Callable
from typing import Final

import discord

from bot.core.processes.servers import servers_of
from bot.core.workers import Worker
from bot.privacy.deletion.service import DeletionService
from bot.privacy.retention.service import RetentionService
from engine.core.hours import DAY

PAUSE: Final = 10.0
"""Seconds between two searches for deletions by other processes."""


class PrivacyWorker(Worker):
    """Runs the deletions. ``now`` returns ms since 1970."""

    def __init__(
        self,
        client: discord.Client,
        deletions: DeletionService,
        retention: RetentionService,
        now: Callable[[], int],
    ) -> None:
        super().__init__(PAUSE)
        self._client = client
        self._deletions = deletions
        self._retention = retention
        self._now = now
        self._clean_at = 0

    async def run_once(self) -> float:
        await self._deletions.follow_others()
        await self._deletions.resume()
        # waits until the servers of the bot are known
        if self._client.is_ready() and self._now() >= self._clean_at:
            await self._retention.run(servers_of(self._client))
            await self._deletions.erase()
            self._clean_at = self._now() + DAY
        return PAUSE
