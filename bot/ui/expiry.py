"""Sees challenges to their end: marks those that expire, and edits the messages of all that are closed."""

import asyncio
import time
from typing import Final

import discord
import structlog

from bot.i18n import language
from bot.services.challenges import Challenge, Challenges
from bot.ui import challenge as ui

LONGEST_SLEEP: Final = 30.0
GONE: Final = (10003, 10008, 50001)
"""Unknown channel, unknown message, no access: there is nothing left to edit."""

log = structlog.get_logger()


class Expiry:
    """One loop: sleeps to the next expiry, at most half a minute."""

    def __init__(self, client: discord.Client, challenges: Challenges) -> None:
        self._client = client
        self._challenges = challenges
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            pause = LONGEST_SLEEP
            try:
                await self.turn()
                due = await self._challenges.next_expiry()
                if due is not None:
                    pause = min(pause, max(0.05, due / 1000 - time.time()))
            except Exception:
                log.exception("expiry_failed")
            await asyncio.sleep(pause)

    async def turn(self) -> None:
        """Expires what is due, then brings up every closed challenge's message."""
        await self._challenges.expire()
        for challenge in await self._challenges.unshown():
            await self._show(challenge)

    async def _show(self, challenge: Challenge) -> None:
        say = language(challenge.locale)
        channel = self._client.get_partial_messageable(challenge.place.channel_id, guild_id=challenge.place.guild_id)
        try:
            if challenge.message_id is not None:
                message = channel.get_partial_message(challenge.message_id)
                await message.edit(content=ui.content(challenge, say), view=None)
        except discord.HTTPException as error:
            log.warning("challenge_not_closed", challenge=challenge.id, code=error.code)
            if error.code not in GONE:
                return
        await self._challenges.closing_shown(challenge.id)
