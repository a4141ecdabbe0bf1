"""The worker processes in which machine opponents think, and the bounded queue before them.

Workers are started on demand. A worker that dies, hangs or answers nonsense is replaced, and the question is asked
again, as workers hold no state of a game.
"""

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from bot.core.metrics.definitions import (
    MACHINE_QUESTIONS,
    MACHINE_QUEUE,
    MACHINE_RESTARTS,
    MACHINE_SECONDS,
    MACHINE_WAIT_SECONDS,
)
from bot.opponents.process import COMMAND, Misbehaved, WorkerProcess
from bot.opponents.questions import Answer, Question
from engine.core.errors import RuleError
from engine.registry import GAMES

ATTEMPTS: Final = 3
"""The most times that a question is asked."""
QUEUE: Final = 100
"""The most questions that wait for a worker."""
LIMIT: Final = 30.0
"""Seconds after which a worker counts as hung. It thinks for a second; starting it on a busy machine takes
some more.
"""

log = structlog.get_logger(__name__)


class Unavailable(Exception):
    """There is no answer now: the machine is off, too many questions wait, or the workers fail again and again."""


def accept(answer: Answer) -> None:
    """Accepts every answer."""
    del answer


class Workers:
    """A pool of at most ``count`` worker processes; 0: the machine is off."""

    def __init__(
        self,
        count: int,
        highest_level: int,
        *,
        queue: int = QUEUE,
        limit: float = LIMIT,
        command: Sequence[str] = COMMAND,
    ) -> None:
        self.highest_level = highest_level
        """The highest level that is offered."""
        self.waiting = 0
        """The number of questions that wait for a worker."""
        self.restarts = 0
        """The number of workers that had to be replaced."""
        self._count, self._queue, self._limit, self._command = count, queue, limit, command
        self._places = asyncio.Semaphore(count)
        self._idle: list[WorkerProcess] = []
        self._processes: set[WorkerProcess] = set()
        self._closed = False
        for game in GAMES:
            MACHINE_SECONDS.labels(game)  # starts at zero

    @property
    def is_on(self) -> bool:
        """Whether there is a machine to play against."""
        return self._count > 0

    async def think(self, question: Question, check: Callable[[Answer], object] = accept) -> Answer:
        """Returns the answer of a worker, once one is free. Raises Unavailable.

        ``check`` raises RuleError if the answer cannot be played. Then the worker is replaced, too.
        """
        if not self.is_on or self._closed:
            raise Unavailable("there are no workers")
        if self.waiting >= self._queue:
            MACHINE_QUESTIONS.labels("refused").inc()
            raise Unavailable("too many questions wait")
        begun = time.perf_counter()
        self.waiting += 1
        try:
            with MACHINE_QUEUE.track_inprogress():
                await self._places.acquire()
        finally:
            self.waiting -= 1
        MACHINE_WAIT_SECONDS.observe(time.perf_counter() - begun)
        try:
            answer = await self._answer(question, check)
        finally:
            self._places.release()
        MACHINE_QUESTIONS.labels("answered").inc()
        return answer

    async def close(self) -> None:
        """Ends all workers. Raises Unavailable in all callers that wait for an answer."""
        if self._closed:
            return
        self._closed = True
        await asyncio.gather(*(process.end() for process in self._processes))
        self._processes.clear()
        for _ in range(self._count):  # until all questions are answered
            await self._places.acquire()

    async def _answer(self, question: Question, check: Callable[[Answer], object]) -> Answer:
        for _ in range(ATTEMPTS):
            if self._closed:
                raise Unavailable("the bot stops")
            try:
                process = await self._take()
                begun = time.perf_counter()
                answer = await self._ask(process, question, check)
            except Misbehaved as fault:
                if not self._closed:
                    self._count_restart(fault.reason, str(fault), question)
                continue
            MACHINE_SECONDS.labels(question.game).observe(time.perf_counter() - begun)
            self._idle.append(process)
            return answer
        MACHINE_QUESTIONS.labels("failed").inc()
        raise Unavailable("the workers fail")

    async def _take(self) -> WorkerProcess:
        """Returns an idle worker, or a new one. Raises Misbehaved."""
        while self._idle:
            process = self._idle.pop()
            if process.is_alive:
                return process
            self._processes.discard(process)
            self._count_restart("died", "while it waited")
        process = await WorkerProcess.start(self._command)
        if self._closed:
            await process.end()
            raise Misbehaved("died", "the bot stops")
        self._processes.add(process)
        return process

    async def _ask(self, process: WorkerProcess, question: Question, check: Callable[[Answer], object]) -> Answer:
        """Asks a worker. Raises Misbehaved. Ends the process if there is no answer, also after a cancellation."""
        try:
            async with asyncio.timeout(self._limit):
                answer = await process.ask(question)
            _checked(answer, check)
        except BaseException as error:
            await process.end()
            self._processes.discard(process)
            if isinstance(error, TimeoutError):
                raise Misbehaved("hung", f"for {self._limit} seconds") from error
            raise
        return answer

    def _count_restart(self, reason: str, what: str, question: Question | None = None) -> None:
        self.restarts += 1
        MACHINE_RESTARTS.labels(reason).inc()
        log.warning("machine_worker_replaced", reason=reason, what=what, question=question)


def _checked(answer: Answer, check: Callable[[Answer], object]) -> None:
    try:
        check(answer)
    except RuleError as error:
        raise Misbehaved("illegal", f"{answer.move}: {error}") from error
