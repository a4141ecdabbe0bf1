"""Deletes data that are older than the settings allow, a few rows in each transaction."""

import asyncio
from collections.abc import Awaitable, Callable, Collection
from typing import Final

from bot.challenges.service import ChallengeService
from bot.notifications.outbox.service import Outbox
from bot.privacy.deletion.service import DeletionService
from bot.privacy.retention.repository import FIRST, RetentionRepository
from bot.settings import Settings
from bot.tournaments.registration.service import RegistrationService
from engine.core.errors import Refused
from engine.core.hours import DAY

BATCH: Final = 200
"""The rows that are deleted in one transaction. Others can write between two of them."""
DELETIONS_KEPT: Final = 30 * DAY
"""How long a finished deletion is stored. All other processes have noticed it long before."""


class RetentionService:
    """Deletes old data. ``now`` returns ms since 1970."""

    def __init__(
        self,
        store: RetentionRepository,
        outbox: Outbox,
        challenges: ChallengeService,
        deletions: DeletionService,
        registration: RegistrationService,
        settings: Settings,
        now: Callable[[], int],
    ) -> None:
        self.store = store
        self._outbox = outbox
        self._challenges = challenges
        self._deletions = deletions
        self._registration = registration
        self._settings = settings
        self._now = now

    async def run(self, present: Collection[int] | None) -> None:
        """Deletes all old data. ``present``: the servers with the bot; None if unknown now."""
        settings, now = self._settings, self._now()
        await _in_batches(lambda: self._outbox.forget(now - settings.keep_notifications * DAY, BATCH))
        await _in_batches(lambda: self._challenges.forget(now - settings.keep_challenges * DAY, BATCH))
        await _in_batches(lambda: self._registration.forget_drafts(BATCH))
        await self._inactive_users(now - settings.keep_inactive * DAY)
        if present is not None:
            await self._servers(present, now)
        await self.store.forget_deletions(now - DELETIONS_KEPT)

    async def _inactive_users(self, before: int) -> None:
        """Deletes users who have no games and were not met since that moment."""
        after = FIRST
        while found := await self.store.inactive(before, after, BATCH):
            for seen, user_id, has_games in found:
                after = (seen, user_id)
                if not has_games:
                    try:
                        await self._deletions.delete(user_id, erase=False)
                    except Refused:  # the user's deletion is under way
                        continue
                    await asyncio.sleep(0)

    async def _servers(self, present: Collection[int], now: int) -> None:
        """Deletes the settings of servers that removed the bot long ago."""
        stored = await self.store.servers()
        await self.store.mark_absent({guild for guild in stored if guild not in present}, present, now)
        after = 0
        while found := await self.store.absent(now - self._settings.keep_servers * DAY, BATCH, after):
            for guild_id in found:
                if guild_id not in present:  # the server's own process may not have noted the bot's return yet
                    await self.store.drop_server(guild_id)
            after = found[-1]


async def _in_batches(work: Callable[[], Awaitable[int]]) -> None:
    """Repeats the work until it finds fewer rows than a batch."""
    found = BATCH
    while found >= BATCH:
        found = await work()
