"""The shared parts of all notices about a tournament."""

from typing import Any, Final

from bot.notifications.model import Notification
from bot.notifications.service import NotificationService
from bot.tournaments.tournament import Tournament

ACT: Final = "tournament_act"
"""A line of the log. ``seq``: that of its entry."""


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
    """Makes a notice about a tournament to a user, urgent in live play. ``rest``: further fields of the notice.

    ``channel_id``: the channel for users who take no direct messages; None for the tournament's.
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
