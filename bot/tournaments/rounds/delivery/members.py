"""Finds players who have left the server. The bot gets no events about them, so it asks before each round."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Final

import discord
import structlog

from bot.core.discord_errors import REQUEST_ERRORS, code_of

GONE: Final = frozenset({10007, 10013})
"""Discord's codes for an unknown member, and for an unknown user, whose account is deleted."""
AT_ONCE: Final = 8
SECONDS: Final = 5.0
"""The most seconds of asking. Members unknown after that are assumed to be there."""
REMEMBERED: Final = 60.0
"""The seconds before a known member is asked for again."""

log = structlog.get_logger()


class Members:
    """Asks Discord for members."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._seen: dict[tuple[int, int], float] = {}
        """The moment at which each member of a server was last there, in seconds of the loop's time."""

    async def missing(self, guild_id: int, user_ids: Sequence[int]) -> Collection[int]:
        """Returns the users who have surely left the server."""
        time = asyncio.get_running_loop().time()
        self._seen = {key: at for key, at in self._seen.items() if time - at < REMEMBERED}
        asked = [user_id for user_id in user_ids if user_id > 0 and (guild_id, user_id) not in self._seen]
        slots = asyncio.Semaphore(AT_ONCE)
        gone: set[int] = set()

        async def ask(user_id: int) -> None:
            async with slots:
                try:
                    await self._client.http.get_member(guild_id, user_id)
                except REQUEST_ERRORS as error:
                    if code_of(error) in GONE:
                        gone.add(user_id)
                else:
                    self._seen[guild_id, user_id] = time

        tasks = [asyncio.create_task(ask(user_id)) for user_id in asked]
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=SECONDS)
            for task in late:
                task.cancel()
            if late:
                log.info("members_not_known", server=guild_id, count=len(late))
        return gone
