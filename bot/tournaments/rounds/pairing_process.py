"""Pairs rounds in a process of its own, as a Swiss of 64 takes most of a second, and the bot has to answer
meanwhile.
"""

import asyncio
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from typing import TYPE_CHECKING, Final

import structlog

from engine.tournament.director import next_round
from engine.tournament.model import Entrant, Pairing, Round, Stage

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

SMALL: Final = 16
"""The most entrants that are paired in a thread of this process, which takes some milliseconds."""

log = structlog.get_logger()


class PairingProcess:
    """A process that is started when a large field is first paired."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None

    async def next_round(
        self, stages: tuple[Stage, ...], entrants: Sequence[Entrant], pairings: Sequence[Pairing]
    ) -> Round | None:
        """Calls ``engine.tournament.director.next_round``. A dead process is replaced once."""
        if len(entrants) <= SMALL:
            return await asyncio.to_thread(next_round, stages, entrants, pairings)
        try:
            return await self._in_process(stages, entrants, pairings)
        except BrokenExecutor:
            log.warning("pairing_process_died")
            await self.close()
            return await self._in_process(stages, entrants, pairings)

    async def _in_process(
        self, stages: tuple[Stage, ...], entrants: Sequence[Entrant], pairings: Sequence[Pairing]
    ) -> Round | None:
        if self._pool is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, next_round, stages, tuple(entrants), tuple(pairings))

    async def close(self) -> None:
        """Ends the process; it starts again when it is needed."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, wait=True, cancel_futures=True)
