"""Sees challenges to their end: marks those that expire, and edits the messages of all that are closed."""

from typing import Final

import discord
import structlog

from bot.challenges import views as ui
from bot.challenges.service import Challenge, ChallengeService
from bot.core.discord_errors import NO_ACCESS, NOTHING_THERE, REQUEST_ERRORS, code_of
from bot.core.translations import language
from bot.core.workers import Worker

LONGEST_SLEEP: Final = 30.0
SHORTEST_SLEEP: Final = 0.05
GONE: Final = NOTHING_THERE | {NO_ACCESS}
"""There is nothing left to edit."""

log = structlog.get_logger()


class ChallengeExpiry(Worker):
    """One loop: sleeps to the next expiry, at most half a minute."""

    def __init__(self, client: discord.Client, challenges: ChallengeService) -> None:
        super().__init__(LONGEST_SLEEP)
        self._client = client
        self._challenges = challenges

    def start(self) -> None:
        self._challenges.subscribe(self.wake)
        super().start()

    async def run_once(self) -> float:
        """A turn; seconds to the next expiry."""
        await self.turn()
        due = await self._challenges.next_expiry()
        return LONGEST_SLEEP if due is None else max(SHORTEST_SLEEP, (due - self._challenges.now()) / 1000)

    async def turn(self) -> None:
        """Expires what is due, then brings up every closed challenge's message."""
        await self._challenges.expire()
        for challenge in await self._challenges.unshown():
            try:
                await self._show(challenge)
            except Exception:  # one that cannot be shown keeps no other waiting
                log.exception("challenge_failed", challenge=challenge.id)
                await self._challenges.closing_failed(challenge)

    async def _show(self, challenge: Challenge) -> None:
        for change in (self._close, self._lead_on):
            try:
                await change(challenge)
            except REQUEST_ERRORS as error:
                log.warning("challenge_not_closed", challenge=challenge.id, error=str(error))
                if code_of(error) not in GONE:
                    await self._challenges.closing_failed(challenge)
                    return
        await self._challenges.closing_shown(challenge.id)

    async def _close(self, challenge: Challenge) -> None:
        """The challenge's message says how it ended."""
        if challenge.message_id is not None:
            place = challenge.place
            channel = self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)
            content = ui.content(challenge, language(challenge.locale))
            await channel.get_partial_message(challenge.message_id).edit(content=content, view=None)

    async def _lead_on(self, challenge: Challenge) -> None:
        """The card of the game that was asked for again leads to the new one."""
        await ui.lead_on(self._client, self._challenges, challenge)
