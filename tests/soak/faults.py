"""The faults: of Discord, of the database and of the processes, one every few seconds, by lot; and some for certain."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from bot.sandbox.faults import RESET, Delay
from soak.processes import Span
from soak.snapshots import OURS, connect

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from bot.sandbox.faults import Failure
    from bot.sandbox.server import Server
    from soak.databases import Line
    from soak.delivery import Delivery
    from soak.journal import Journal
    from soak.processes import BotProcess

EVERY: Final = (2.0, 6.0)
"""Seconds between two faults."""
ROUTES: Final = ("POST /channels", "PATCH /channels", "DELETE /channels", "/callback", "/webhooks", "GET /channels")

CERTAIN: Final = 5.0
"""Seconds before each of the certain faults."""
BOTH: Final = 0.7
"""How often a process is spared because the other is down."""
STALLED: Final = 2.0
"""Seconds from which an answer that is held back may come too late."""


@dataclass
class Faults:
    """Causes them, and notes when which process was hit."""

    server: Server
    url: str
    delivery: Delivery
    journal: Journal
    processes: Sequence[BotProcess]
    lines: Sequence[Line]
    spans: list[Span]
    rng: random.Random
    caused: Counter[str] = field(default_factory=Counter)
    database_spans: list[Span] = field(default_factory=list)
    """When the database of a process was impaired."""
    log: list[str] = field(default_factory=list)
    met: int = 0
    """How many requests to Discord were failed or held back."""
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def __post_init__(self) -> None:
        faults = self.server.world.faults
        self._failure, self._wait = faults.failure, faults.wait
        setattr(faults, "failure", self._meet)  # noqa: B010  mypy takes no assignment to a method
        setattr(faults, "wait", self._hold)  # noqa: B010

    def _meet(self, request: str) -> Failure | None:
        failure = self._failure(request)
        if failure is not None:
            self.met += 1
            self.journal.met(request, f"{failure.status or 'reset'}{' lost' if failure.lost else ''}")
        return failure

    def _hold(self, request: str) -> float:
        seconds = self._wait(request)
        if seconds:
            self.met += 1
            delayed = seconds < STALLED
            self.journal.met(request, f"held back {seconds:.1f} s" if delayed else "stalled", delayed=delayed)
        return seconds

    @property
    def _kinds(self) -> dict[str, tuple[float, Callable[[], Awaitable[None] | None]]]:
        """Each fault with its weight."""
        return {
            "discord 429": (3, self._rate_limit),
            "discord 429 everywhere": (1, lambda: self._rate_limit(everywhere=True)),
            "discord 500": (3, lambda: self._fail(500, times=self.rng.randint(1, 3))),
            "discord 500 lost": (2, lambda: self._fail(502, lost=True)),
            "discord 403": (1, lambda: self._fail(403, code=50013, routes=("POST /channels", "PATCH /channels"))),
            "discord 404": (1, lambda: self._fail(404, code=10008, routes=("PATCH /channels", "DELETE /channels"))),
            "discord reset": (2, lambda: self._fail(RESET)),
            "discord reset lost": (2, lambda: self._fail(RESET, lost=True)),
            "discord stall": (2, self._stall),
            "interaction twice": (2, self._double),
            "gateway drop": (1.5, lambda: self._gateway("drop")),
            "gateway drop, session gone": (0.7, lambda: self._gateway("drop, gone")),
            "gateway reconnect": (1, lambda: self._gateway("reconnect")),
            "gateway invalid session": (0.7, lambda: self._gateway("invalid")),
            "gateway dead": (0.3, lambda: self._gateway("dead")),
            "database dark": (1.5, self._dark),
            "database reset": (1.5, self._reset),
            "database backend terminated": (1.5, self._terminate),
            "database slow": (1, self._slow),
            "process SIGKILL": (2.6, self._kill),
            "process SIGTERM": (0.7, self._term),
            "process SIGSTOP": (0.8, self._halt),
        }

    async def _certain(self) -> None:
        """Causes one fault of each sort, so that each comes even if the soak ends early."""
        for request in ("/callback", "POST /channels"):
            await asyncio.sleep(CERTAIN)
            self._note("discord 500, certain")
            self._fail(500, routes=(request,))
        await asyncio.sleep(CERTAIN)
        self._note("database dark, certain")
        await self._dark()
        for number, process in enumerate(self.processes):
            await asyncio.sleep(CERTAIN)
            while any(one.busy for one in self.processes):  # noqa: ASYNC110  there is no event for it
                await asyncio.sleep(0.05)
            self._note(f"process {'SIGTERM' if number % 2 else 'SIGKILL'}, certain")
            await self._hold_busy(process, self._stopped if number % 2 else self._killed)

    async def run(self) -> None:
        """Causes one fault after the other, until it is cancelled."""
        self._start(self._certain())
        while True:
            await asyncio.sleep(self.rng.uniform(*EVERY))
            kinds = self._kinds
            name = self.rng.choices(list(kinds), [weight for weight, _ in kinds.values()])[0]
            await self.cause(name)

    async def cause(self, name: str) -> None:
        result = self._kinds[name][1]()
        if result is not None:
            self._start(result)
        self._note(name)

    def _note(self, name: str) -> None:
        self.caused[name] += 1
        self.log.append(f"{time.monotonic():.2f} {name}")

    def _start(self, work: Awaitable[None]) -> None:
        async def run() -> None:
            await work

        task = asyncio.create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def end(self, seconds: float) -> bool:
        """Ends all faults, and waits until every process runs again; whether that was so within these seconds.

        Raises:
            Exception: What ended one of the faults.
        """
        tasks = set(self._tasks)
        done, late = await asyncio.wait(tasks, timeout=seconds) if tasks else (tasks, set())
        in_time = not late
        while late:  # more than once: wait_for swallows a cancellation that comes with the answer
            for task in late:
                task.cancel()
            _, late = await asyncio.wait(late, timeout=1)
        self.server.world.faults.clear()
        self.delivery.doubles = 0
        for one in self.lines:
            one.delay = 0.0
            one.light()
        for task in done:
            task.result()
        return in_time

    # --- Discord ---------------------------------------------------------------------------------------------------

    def _rate_limit(self, *, everywhere: bool = False) -> None:
        self.server.world.faults.fail_next(
            self.rng.choice(ROUTES),
            status=429,
            times=self.rng.randint(1, 3),
            retry_after=self.rng.choice((0.2, 0.5, 1.0, 3.0)),
            everywhere=everywhere,
        )

    def _fail(
        self, status: int, *, code: int = 0, times: int = 1, lost: bool = False, routes: Sequence[str] = ROUTES
    ) -> None:
        self.server.world.faults.fail_next(self.rng.choice(routes), status=status, code=code, times=times, lost=lost)

    async def _stall(self) -> None:
        delay = Delay(self.rng.choice(ROUTES), self.rng.choice((0.5, 1.0, 4.0)))
        delays = self.server.world.faults.delays
        delays.append(delay)
        await asyncio.sleep(self.rng.uniform(1, 4))
        if delay in delays:
            delays.remove(delay)

    def _double(self) -> None:
        self.delivery.doubles += self.rng.randint(1, 4)

    async def _gateway(self, how: str) -> None:
        """Takes the connection of one process in a random way."""
        process = self.rng.choice(self.processes)
        sessions = [one for one in self.delivery.sessions(process.name) if one.socket is not None]
        span = Span(process.name, f"gateway {how}", time.monotonic())
        self.spans.append(span)
        gateway = self.server.gateway
        for session in sessions:
            socket = session.socket
            if socket is None:
                continue
            if how == "drop, gone":
                gateway.sessions.pop(session.id, None)
            if how.startswith("drop"):
                socket.abort()
            elif how == "reconnect":
                socket.put_op(7)
            elif how == "invalid":
                gateway.sessions.pop(session.id, None)
                socket.put_op(9, data=False)
            else:
                socket.stalled = True
        await asyncio.sleep(0.1 if how != "dead" else 2.0)
        while not (self.delivery.connected(process.name) or self.delivery.served()) or any(
            one.socket is not None and one.socket.stalled for one in self.delivery.sessions(process.name)
        ):
            await asyncio.sleep(0.05)
            if process.busy and time.monotonic() - span.start > 120:
                break
        span.end = time.monotonic()

    # --- the database ----------------------------------------------------------------------------------------------

    def _hit(self, what: str) -> tuple[list[Line], list[Span]]:
        """Chooses one process or both, and notes the beginning."""
        both = self.rng.random() < 0.3
        chosen = list(range(len(self.lines))) if both else [self.rng.randrange(len(self.lines))]
        spans = [Span(self.processes[one].name, what, time.monotonic()) for one in chosen]
        self.database_spans += spans
        return [self.lines[one] for one in chosen], spans

    async def _dark(self) -> None:
        lines, spans = self._hit("database dark")
        for one in lines:
            one.go_dark()
        await asyncio.sleep(self.rng.uniform(2, 8))
        for one in lines:
            one.light()
        for span in spans:
            span.end = time.monotonic()

    def _reset(self) -> None:
        lines, spans = self._hit("database reset")
        for one in lines:
            one.reset()
        for span in spans:
            span.end = time.monotonic() + 1

    async def _terminate(self) -> None:
        """Ends one of the bots' connections to PostgreSQL, or all."""
        spans = [Span(one.name, "backend terminated", time.monotonic(), time.monotonic() + 1) for one in self.processes]
        self.database_spans += spans
        connection = await connect(self.url)
        try:
            found: list[Any] = await connection.fetch(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                " AND application_name <> $1",
                OURS,
            )
            pids = [row["pid"] for row in found]
            for pid in pids if self.rng.random() < 0.3 else self.rng.sample(pids, min(len(pids), 1)):
                await connection.execute("SELECT pg_terminate_backend($1)", pid)
        finally:
            await connection.close()

    async def _slow(self) -> None:
        lines, spans = self._hit("database slow")
        for one in lines:
            one.delay = self.rng.choice((0.01, 0.03, 0.1))
        await asyncio.sleep(self.rng.uniform(3, 8))
        for one in lines:
            one.delay = 0.0
        for span in spans:
            span.end = time.monotonic()

    # --- processes -------------------------------------------------------------------------------------------------

    async def _to(self, act: Callable[[BotProcess], Awaitable[None]]) -> None:
        """Does something to a process that runs."""
        free = [one for one in self.processes if not one.busy]
        if len(free) < len(self.processes) and self.rng.random() < BOTH:
            free = []  # both at once are down seldom
        if not free:
            return
        await self._hold_busy(self.rng.choice(free), act)

    async def _hold_busy(self, process: BotProcess, act: Callable[[BotProcess], Awaitable[None]]) -> None:
        process.busy = True
        try:
            await act(process)
        finally:
            process.busy = False

    async def _killed(self, process: BotProcess) -> None:
        await process.kill_and_restart(self.rng.choice((0.0, 0.5, 3.0)))

    async def _stopped(self, process: BotProcess) -> None:
        await process.stop_and_restart(0.2)

    async def _kill(self) -> None:
        await self._to(self._killed)

    async def _term(self) -> None:
        await self._to(self._stopped)

    async def _halt(self) -> None:
        await self._to(lambda one: one.halt(self.rng.uniform(1, 6)))
