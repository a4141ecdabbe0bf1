"""A task that takes one turn after another for as long as the bot runs."""

import asyncio
import contextlib
from abc import ABC, abstractmethod
from typing import Final

import structlog

GRACE: Final = 5.0
"""Seconds that a turn under way has to come to its end when the bot stops."""

FIRST_PAUSE: Final = 60_000
LONGEST_PAUSE: Final = 6 * 3_600_000
"""Milliseconds between attempts: they double from the first to the longest."""

log = structlog.get_logger()


def backoff(attempts: int) -> int:
    """Milliseconds to wait after so many failures before this one."""
    return min(FIRST_PAUSE << min(attempts, 20), LONGEST_PAUSE)


class Worker(ABC):
    """Takes turns. It outlives one that fails, such as while the database is away, and tries again after ``longest``.

    ``longest`` are the most seconds between two turns.
    """

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self.stopping = False
        """For a long turn, to come to its end."""

    @abstractmethod
    async def next_turn(self) -> float:
        """Takes a turn; in how many seconds the next is due."""

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    def wake(self) -> None:
        """The next turn comes at once, or right after the one under way."""
        self._wake.set()

    async def close(self) -> None:
        """Stops between two turns, not within one, which may be at the database."""
        self.stopping = True
        self.wake()
        if self._task:
            await asyncio.wait({self._task}, timeout=GRACE)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while not self.stopping:
            self._wake.clear()
            pause = self._longest
            try:
                pause = min(pause, await self.next_turn())
            except Exception:
                log.warning("turn_failed", loop=type(self).__name__, exc_info=True)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), pause)
