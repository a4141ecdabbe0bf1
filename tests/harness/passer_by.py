"""Somebody who plays elsewhere and presses all the time, to see whether the bot still answers."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self

from bot.sandbox.errors import Timeout
from harness.bot import Room
from harness.discord import until

if TYPE_CHECKING:
    from bot.sandbox.server import Server

EVERY: Final = 0.1
"""Seconds between two presses."""
GAME: Final = "abalone"


@dataclass
class PasserBy:
    """Turns the board round and has moves suggested, in turn, without waiting for the answer before the next."""

    room: Room
    answered: list[float] = field(default_factory=list)
    """How long each answer took, in seconds."""
    unanswered: int = 0
    _running: set[asyncio.Task[None]] = field(default_factory=set)
    _loop: asyncio.Task[None] | None = None

    @classmethod
    async def playing(cls, server: Server) -> Self:
        """Returns a passer-by with a game that has just begun."""
        room = Room.of(server)
        message = await room.challenge(GAME)
        await room.ben.press("b:accept_challenge:", message)
        await until(lambda: room.boards, "the board is shown")
        return cls(room)

    async def __aenter__(self) -> Self:
        self._loop = asyncio.create_task(self._go_on())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._loop is not None
        self._loop.cancel()
        await asyncio.gather(self._loop, *self._running, return_exceptions=True)

    def percentile(self, share: float) -> float:
        """Returns the time, in seconds, within which that share of the answers came."""
        ordered = sorted(self.answered)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    async def _go_on(self) -> None:
        number = 0
        while True:
            task = asyncio.create_task(self._press(number))
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            number += 1
            await asyncio.sleep(EVERY)

    async def _press(self, number: int) -> None:
        who, began = self.room.ana, time.perf_counter()
        try:
            if number % 2:
                await who.press("b:flip:", self.room.board)
            else:
                await who.choices("abak move play", "notation", notation="")
        except Timeout:
            self.unanswered += 1
        else:
            self.answered.append(time.perf_counter() - began)
