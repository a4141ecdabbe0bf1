"""Permission issues. Each is reported once, to a user who can fix it (``bot/notifications/private_notices.py``)."""

from collections.abc import Callable
from typing import Final

from bot.board.delivery.permission_issue_repository import PermissionIssue, PermissionIssueRepository

__all__ = ["PermissionIssue", "PermissionIssues"]

BATCH: Final = 25
"""How many issues are reported at once."""


class PermissionIssues:
    """``now`` gives milliseconds since 1970."""

    def __init__(self, store: PermissionIssueRepository, now: Callable[[], int]) -> None:
        self.store = store
        self._now = now

    async def note(self, channel_id: int, permission: str, guild_id: int | None) -> bool:
        """Records that the bot lacks ``permission`` (Discord's name for it) in a channel. True if that is new."""
        return await self.store.add(guild_id, channel_id, permission, self._now())

    async def not_informed(self, guild_id: int) -> list[PermissionIssue]:
        """Returns the server's issues that nobody has been told about, oldest first."""
        return await self.store.not_informed(guild_id, BATCH)

    async def mark_informed(self, issue_id: int) -> None:
        """Records that a user who can fix the issue has been told."""
        await self.store.mark_informed(issue_id)

    async def cleared(self, channel_id: int, permission: str | None = None) -> None:
        """Deletes the issues of a channel: of one permission, or all if None. A later issue is new and is reported
        again.
        """
        await self.store.clear(channel_id, permission)
