"""What all notices about a tournament have in common."""

from typing import Any

from bot.notifications.model import Notification
from bot.notifications.service import NotificationService
from bot.tournaments.tournament import Tournament


def about(
    notifications: NotificationService,
    tournament: Tournament,
    user_id: int,
    kind: str,
    *,
    channel_id: int | None = None,
    urgent: bool = False,
    **rest: Any,
) -> Notification:
    """A notice about a tournament to a user, urgent if it is about live play. ``rest``: as of a notice.

    ``channel_id``: where it is posted if the user takes no direct messages; the tournament's channel if None.
    """
    return notifications.notice(
        user_id,
        kind,
        tournament.id,
        guild_id=tournament.guild_id,
        channel_id=channel_id or tournament.channel_id,
        locale=tournament.locale,
        urgent=urgent or tournament.plan.is_live,
        **rest,
    )
