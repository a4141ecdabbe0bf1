"""Forgets what is no longer needed, and gives memory back to the system, while the bot runs."""

import asyncio
from typing import Final

import discord

from bot.core.allocator import give_back
from bot.core.limits.forgetting import forget_limits
from bot.core.workers import Worker

PERIOD: Final = 5.0
"""Seconds. It takes some milliseconds, and pictures need a part of it again."""


class MemoryWorker(Worker):
    """Drawing boards leaves gaps between what stays in memory."""

    def __init__(self, client: discord.Client) -> None:
        super().__init__(PERIOD)
        self._client = client

    async def run_once(self) -> float:
        """Gives back what is free, beside the event loop."""
        forget_limits(self._client.http, asyncio.get_running_loop().time())
        await asyncio.to_thread(give_back)
        return PERIOD
