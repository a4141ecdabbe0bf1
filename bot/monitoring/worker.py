"""Gives memory back to the system while the bot runs."""

import asyncio
from typing import Final

from bot.core.allocator import give_back
from bot.core.workers import Worker

PERIOD: Final = 5.0
"""Seconds. It takes some milliseconds, and pictures need a part of it again."""


class MemoryWorker(Worker):
    """Drawing boards leaves gaps between what stays in memory."""

    def __init__(self) -> None:
        super().__init__(PERIOD)

    async def run_once(self) -> float:
        """Gives back what is free, beside the event loop."""
        await asyncio.to_thread(give_back)
        return PERIOD
