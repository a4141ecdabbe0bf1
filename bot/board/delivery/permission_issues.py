"""Missing permissions, so that each is explained once to somebody who can mend it."""

from collections.abc import Callable
from typing import Final

from bot.board.delivery.permission_issue_repository import PermissionIssue, PermissionIssueRepository

__all__ = ["PermissionIssue", "PermissionIssues"]

BATCH: Final = 25
"""As many are told at once."""


class PermissionIssues:
    """``now`` gives milliseconds since 1970."""

    def __init__(self, store: PermissionIssueRepository, now: Callable[[], int]) -> None:
        self.store = store
        self._now = now

    async def note(self, channel_id: int, permission: str, guild_id: int | None) -> bool:
        """Notes that the bot lacks ``permission`` (Discord's name for it) in a channel; whether that is new."""
        return await self.store.add(guild_id, channel_id, permission, self._now())

    async def not_informed(self, guild_id: int) -> list[PermissionIssue]:
        """What nobody of that server has been told yet, the oldest first."""
        return await self.store.not_informed(guild_id, BATCH)

    async def mark_informed(self, issue_id: int) -> None:
        """Notes that somebody who can mend it has been told."""
        await self.store.mark_informed(issue_id)

    async def cleared(self, channel_id: int, permission: str | None = None) -> None:
        """Notes that it works again there (None: whatever was missing); a later lack is new, and told again."""
        await self.store.clear(channel_id, permission)
