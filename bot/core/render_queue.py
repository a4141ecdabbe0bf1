"""Draws pictures in threads, a few at a time. Pictures for a waiting user come first.

More at once would only compete for the processor with each other and with the event loop.
"""

import asyncio
import time
from collections.abc import Callable
from contextvars import ContextVar
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count
from typing import Final, ParamSpec, TypeVar

from bot.core.metrics.definitions import RENDER_SECONDS, RENDER_WAIT_SECONDS

P = ParamSpec("P")
R = TypeVar("R")


class Urgency(IntEnum):
    """The urgency of a picture. Lower values are drawn first."""

    ANSWER = 0
    """The answer to a user who waits."""
    BOARD = 1
    """A board in a channel: the player who is pinged there is not looking yet."""


urgency: Final[ContextVar[Urgency]] = ContextVar("urgency", default=Urgency.ANSWER)
"""The urgency of all pictures that the present task draws."""


class RenderQueue:
    """Draws at most ``places`` pictures at once. ``name`` is for the metrics."""

    def __init__(self, places: int, name: str = "") -> None:
        self._free = places
        self._waiting: list[tuple[Urgency, int, asyncio.Future[None]]] = []
        self._arrivals = count()
        self._seconds, self._wait = RENDER_SECONDS.labels(name), RENDER_WAIT_SECONDS.labels(name)

    @property
    def waiting(self) -> int:
        """The number of pictures that wait for a place."""
        return len(self._waiting)

    async def draw(self, make: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Runs ``make`` in a thread once a place is free, and returns its result. Raises what ``make`` raises."""
        arrived = time.perf_counter()
        await self._acquire()
        begun = time.perf_counter()
        self._wait.observe(begun - arrived)
        try:
            return await asyncio.to_thread(make, *args, **kwargs)
        finally:
            self._release()
            self._seconds.observe(time.perf_counter() - begun)

    async def _acquire(self) -> None:
        if self._free:
            self._free -= 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (urgency.get(), next(self._arrivals), place))
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled():  # this task has just got the place, and passes it on
                self._release()
            raise

    def _release(self) -> None:
        while self._waiting:
            *_, place = heappop(self._waiting)
            if not place.done():
                place.set_result(None)
                return
        self._free += 1


pictures: Final = RenderQueue(2, "pictures")
"""The queue of boards and cards. Most of the work releases the interpreter's lock, so two threads are twice as fast as
one.
"""
films: Final = RenderQueue(1, "films")
"""The queue of films, which take seconds. It is separate, so that boards do not wait for films."""
