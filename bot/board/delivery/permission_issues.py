"""Permission issues. Each is reported once, to a user who can fix it (``bot/notifications/private_notices.py``)."""

from collections.abc import Callable
from typing import Final

from bot.board.delivery.permission_issue_repository import PermissionIssue, PermissionIssueRepository

__all__ = ["PermissionIssue", "PermissionIssues"]

BATCH: Final = 25
"""The most issues that are reported at once."""


class PermissionIssues:
    """``now`` returns milliseconds since 1970."""

    def __init__(self, store: PermissionIssueRepository, now: Callable[[], int]) -> None:
        self.store = store
        self._now = now

    async def note(self, channel_id: int, permission: str, guild_id: int | None) -> bool:
        """Stores that the bot lacks ``permission`` (Discord's name for it) in a channel. Returns whether
        that is new.
        """
        return await self.store.add(guild_id, channel_id, permission, self._now())

    async def not_informed(self, guild_id: int) -> list[PermissionIssue]:
        return await self.store.not_informed(guild_id, BATCH)

    async def mark_informed(self, issue_id: int) -> None:
        """Stores that a user who can fix the issue has been told."""
        await self.store.mark_informed(issue_id)

    async def cleared(self, channel_id: int, permission: str | None = None) -> None:
        """Deletes the issues of a channel: of one permission, or all for None. A later issue is new, and reported
        again.
        """
        await self.store.clear(channel_id, permission)
