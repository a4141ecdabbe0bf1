"""A background task that repeats its work for as long as the bot runs."""

import asyncio
import contextlib
import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import ClassVar, Final

import structlog

from bot.core.metrics.definitions import WORKER_RUNS

GRACE: Final = 5.0
"""Seconds that the current run has to finish when the bot stops."""

LIMIT: Final = 600.0
"""The limit for workers with runs of minutes, such as one that edits many messages."""

FIRST_PAUSE: Final = 60_000
LONGEST_PAUSE: Final = 6 * 3_600_000
"""The longest milliseconds between attempts. The pause doubles from the first to this one."""

log = structlog.get_logger()


def backoff(attempts: int) -> int:
    """Returns the milliseconds to wait after a failure with ``attempts`` failures before it."""
    return min(FIRST_PAUSE << min(attempts, 20), LONGEST_PAUSE)


class Pace:
    """Limits the work of all waiters to ``rate`` units a second; after a rest, ``burst`` units at once."""

    def __init__(self, rate: float, burst: float = 0.0) -> None:
        self._rate = rate
        self._burst = burst
        self.sharers: Callable[[], int] = lambda: 1
        """The number of processes that share the rate. Each takes its part."""
        self._until = float("-inf")
        """The moment (the loop's time) at which all admitted work is done, at the speed of the rate."""

    @property
    def is_used(self) -> bool:
        """Whether anybody waits, or was admitted within a second."""
        return self._until > asyncio.get_running_loop().time() - 1.0

    async def wait(self, units: float = 1.0) -> None:
        """Waits until ``units`` of work are allowed. Waiters are admitted in order."""
        now = asyncio.get_running_loop().time()
        part = self._rate / self.sharers()
        self._until = max(self._until, now - self._burst / self._rate) + units / part
        if self._until > now:
            await asyncio.sleep(self._until - now)


class Worker(ABC):
    """Runs ``run_once`` again and again, at most ``longest`` seconds apart.

    If a run fails, for example because the database is down, the next one follows after ``longest`` seconds, or after
    ``retry`` seconds if that is less.
    """

    limit: ClassVar[float] = LIMIT
    """Seconds after which a run is cancelled, as it hangs on something without a time limit of its own."""
    retry: ClassVar[float] = math.inf

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self.stopping = False
        """Set when the bot stops. A long run should then end early."""

    @abstractmethod
    async def run_once(self) -> float:
        """Runs once. Returns the seconds until the next run is due."""

    def start(self) -> None:
        self._task = asyncio.create_task(self._run())

    def wake(self) -> None:
        """Starts the next run at once, or right after the current one."""
        self._wake.set()

    async def close(self) -> None:
        """Stops between two runs. A current run may be in a transaction, so it gets GRACE seconds to finish."""
        self.stopping = True
        self.wake()
        if self._task:
            await asyncio.wait({self._task}, timeout=GRACE)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while not self.stopping:
            self._wake.clear()
            pause = min(self._longest, self.retry)
            try:
                async with asyncio.timeout(self.limit):
                    pause = min(self._longest, await self.run_once())
                WORKER_RUNS.labels(type(self).__name__, "ok").inc()
            except Exception:
                WORKER_RUNS.labels(type(self).__name__, "error").inc()
                log.warning("turn_failed", loop=type(self).__name__, exc_info=True)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), pause)
