"""Sees challenges to their end: marks those that expire, and edits the messages of all that are closed."""

import asyncio
import contextlib
import time
from typing import Final

import discord
import structlog

from bot.i18n import language
from bot.services.boards import Boards
from bot.services.challenges import Challenge, Challenges
from bot.ui import challenge as ui

LONGEST_SLEEP: Final = 30.0
GRACE: Final = 5.0
"""Seconds that a turn under way has to come to its end when the bot stops."""
GONE: Final = (10003, 10008, 50001)
"""Unknown channel, unknown message, no access: there is nothing left to edit."""

log = structlog.get_logger()


class Expiry:
    """One loop: sleeps to the next expiry, at most half a minute."""

    def __init__(self, client: discord.Client, challenges: Challenges, boards: Boards) -> None:
        self._client = client
        self._challenges = challenges
        self._boards = boards
        self._task: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """Stops between two turns, not within one, which may be at the database."""
        self._stopping.set()
        if self._task:
            await asyncio.wait({self._task}, timeout=GRACE)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while not self._stopping.is_set():
            pause = LONGEST_SLEEP
            try:
                await self.turn()
                due = await self._challenges.next_expiry()
                if due is not None:
                    pause = min(pause, max(0.05, due / 1000 - time.time()))
            except Exception:
                log.exception("expiry_failed")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), pause)

    async def turn(self) -> None:
        """Expires what is due, then brings up every closed challenge's message."""
        await self._challenges.expire()
        for challenge in await self._challenges.unshown():
            await self._show(challenge)

    async def _show(self, challenge: Challenge) -> None:
        for change in (self._close, self._lead_on):
            try:
                await change(challenge)
            except discord.HTTPException as error:
                log.warning("challenge_not_closed", challenge=challenge.id, code=error.code)
                if error.code not in GONE:
                    await self._boards.challenge_failed(challenge.id, challenge.tries)
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
