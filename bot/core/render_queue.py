"""Where pictures are drawn: a few at a time, in threads, and those that somebody waits for first.

More at once would only take the processor from each other, and from the event loop.
"""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count
from typing import Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Urgency(IntEnum):
    """Who waits for a picture; the first go first."""

    ANSWER = 0
    """Somebody who has pressed a button."""
    BOARD = 1
    """A channel: whoever is called there has not looked yet."""


urgency: Final[ContextVar[Urgency]] = ContextVar("urgency", default=Urgency.ANSWER)
"""Of what the present task draws."""


class RenderQueue:
    """Draws at most ``places`` pictures at once."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._waiting: list[tuple[Urgency, int, asyncio.Future[None]]] = []
        self._came = count()

    async def draw(self, make: Callable[P, R], *args: P.args, **given: P.kwargs) -> R:
        """What ``make`` gives, made in a thread when it is its turn. Raises what it raises."""
        await self._place()
        try:
            return await asyncio.to_thread(make, *args, **given)
        finally:
            self._leave()

    async def _place(self) -> None:
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (urgency.get(), next(self._came), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the place was given at the same moment
                self._leave()
            raise

    def _leave(self) -> None:
        while self._waiting:
            *_, turn = heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


pictures: Final = RenderQueue(2)
"""For boards and cards: most of the work is done without the interpreter's lock, so two threads are twice as fast."""
films: Final = RenderQueue(1)
"""For films, which take seconds: they never take all the places."""
