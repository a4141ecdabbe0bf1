"""Finds the challenges to anyone that the machine should accept, after the time that the server has chosen.

The open challenges in the database are the list of work. If several accept a challenge at once, the first to commit has
the game.
"""

from collections.abc import Mapping
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.challenges.service import Challenge, ChallengeService
from bot.games.live import LiveGame
from bot.notifications.of_games import is_urgent
from bot.notifications.service import NotificationService
from bot.players.machines import Machines, is_machine
from bot.players.service import PreferenceService
from engine.core.clock import TimeControl
from engine.core.hours import MINUTE

SETTING: Final = "machine_seeks"
"""The server's preference for the minutes after which the machine accepts a challenge."""
NEVER: Final = "never"
"""The value of this preference with which the machine accepts no challenges."""
LAST: Final = 30 * MINUTE
"""How long before its expiry the machine accepts a challenge that expires within the server's time."""
TAKEN: Final = "seek_taken"
"""The kind of the notification to the challenger."""


class SeekService:
    """Finds the challenges that the machine should accept, and notifies the challengers."""

    def __init__(
        self,
        challenges: ChallengeService,
        preferences: PreferenceService,
        notifications: NotificationService,
        machines: Machines,
    ) -> None:
        self._challenges = challenges
        self._preferences = preferences
        self._notifications = notifications
        self._machines = machines

    async def due(self) -> list[Challenge]:
        """Returns the challenges that the machine should accept now; [] if there is no machine."""
        if not self._machines.levels:
            return []
        now, found = self._challenges.now(), await self._challenges.seeks(SETTING)
        return [one for one in found if is_due(one, await self._preferences.of_server(one.place.guild_id), now)]

    async def tell(self, challenge: Challenge, connection: AsyncConnection, live: LiveGame) -> None:
        """Writes the notification to the challenger. If it is their turn, no other notification pings them for it.

        For the transaction in which the game starts.
        """
        if not is_machine(live.awaited):
            await self._notifications.mark_pinged(connection, live)
        notice = self._notifications.notice(
            challenge.challenger,
            TAKEN,
            challenge.id,
            guild_id=live.place.guild_id,
            channel_id=live.place.channel_id,
            locale=live.locale,
            urgent=is_urgent(live),
            game_id=live.id,
        )
        await self._notifications.write(connection, notice)


def is_due(challenge: Challenge, server: Mapping[str, str], now: int) -> bool:
    """Returns whether the machine should accept the challenge at that moment (ms since 1970).

    It accepts no challenge to a live game, as the challenger may be away by now, and their time would run.
    """
    if server[SETTING] == NEVER or (challenge.clock and TimeControl.parse(challenge.clock).live):
        return False
    life = challenge.expires - challenge.created
    latest = life - min(LAST, life // 2)
    return now >= challenge.created + min(int(server[SETTING]) * MINUTE, latest)
