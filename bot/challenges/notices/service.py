"""Notifications about a challenge: to the challenged user, and before it expires."""

from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.challenges.repository import POSTING_MS, Challenge
from bot.notifications.quiet_hours import holds_back
from bot.notifications.service import Notification, NotificationService
from bot.players.machines import is_machine
from engine.core.clock import TimeControl
from engine.core.hours import DAY, HOUR

REMINDER: Final = "challenge_expires"
"""The kind of the notification before a challenge expires."""
CHALLENGED: Final = "challenged"
"""The kind of the notification to the challenged user, if the challenge's message does not ping them."""
SHORTEST_REMINDED_MS: Final = 2 * HOUR
"""Challenges that expire sooner than this have no reminder."""


class ChallengeNotices:
    """Writes the notifications in the transaction that stores the challenge."""

    def __init__(self, notifications: NotificationService) -> None:
        self._notifications = notifications

    async def pings(self, challenge: Challenge) -> bool:
        """Returns whether the message pings the challenged user. A challenge to a live game always does.

        If it does not, they are told when their quiet hours end, or in their digest.
        """
        if challenge.opponent is None or is_machine(challenge.opponent):
            return False
        if challenge.clock and TimeControl.parse(challenge.clock).live:
            return True
        return not holds_back(await self._notifications.preferences.of_user(challenge.opponent), challenge.created)

    async def write(self, connection: AsyncConnection, challenge: Challenge, replaced: Challenge | None = None) -> None:
        """Writes the notification to the challenged user, unless the message pings them, and the reminder.

        The reminder goes to the opponent, or to the challenger if anyone may accept. The message pings only for the
        challenge that was ``replaced``.
        """
        opponent = challenge.opponent
        written: list[Notification] = []
        if opponent is not None and not is_machine(opponent) and not await self.pings(replaced or challenge):
            # by then the message is posted, or has failed
            written.append(self._notice(opponent, CHALLENGED, challenge, challenge.created + POSTING_MS))
        if (life := challenge.expires - challenge.created) >= SHORTEST_REMINDED_MS:
            reminded = challenge.challenger if opponent is None else opponent
            written.append(self._notice(reminded, REMINDER, challenge, challenge.expires - min(life // 4, DAY)))
        await self._notifications.write(connection, *written)

    def _notice(self, user_id: int, kind: str, challenge: Challenge, due: int) -> Notification:
        return self._notifications.notice(
            user_id,
            kind,
            challenge.id,
            guild_id=challenge.place.guild_id,
            channel_id=challenge.place.channel_id,
            locale=challenge.locale,
            due=due,
        )
