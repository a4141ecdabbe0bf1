"""Deletes cached values that are no longer needed, and returns memory to the system, while the bot runs."""

import asyncio
from typing import Final

import discord

from bot.core.allocator import give_back
from bot.core.limits.forgetting import forget_limits
from bot.core.workers import Worker

PERIOD: Final = 5.0
"""Seconds between two runs. A run takes some milliseconds, and pictures need a part of the memory again."""


class MemoryWorker(Worker):
    """Returns free memory to the system, as the drawing of boards fragments it."""

    def __init__(self, client: discord.Client) -> None:
        super().__init__(PERIOD)
        self._client = client

    async def run_once(self) -> float:
        forget_limits(self._client.http, asyncio.get_running_loop().time())
        await asyncio.to_thread(give_back)
        return PERIOD
