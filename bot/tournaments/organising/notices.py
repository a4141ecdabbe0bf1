"""What organisers' acts tell the players concerned."""

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.notifications.service import NotificationService
from bot.tournaments.tournament import LogEntry, Whole


class OrganiserNotices:
    """Writes notices in the transaction of an act."""

    def __init__(self, notifications: NotificationService) -> None:
        self._notifications = notifications

    async def tell(self, connection: AsyncConnection, whole: Whole, entry: LogEntry, user_ids: Sequence[int]) -> None:
        """Writes a notice to each of these users."""
        del connection, whole, entry, user_ids
