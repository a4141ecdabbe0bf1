"""The processes of the bot: started as an operator does, killed, asked to end, halted; and when each was impaired."""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import signal
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from soak.delivery import Delivery

ROOT: Final = Path(__file__).parents[2]
PATIENT: Final = 60.0
"""Seconds in which a process that is asked to end has to end."""

SPARE: Final = 25.0
"""Seconds from its start after which a process without shards is one that waits for some."""
SAMPLE: Final = 1.0
UNREACHABLE: Final = (
    "Discord cannot be reached",
    "The database cannot be reached",
    "The database has no connection left",
)
"""With these sentences a start is given up, so that whoever keeps the process running starts it again."""
KILLED: Final = "SIGKILL"
STOPPED: Final = "SIGTERM"
STARTED: Final = "start"
LOOK: Final = 0.01
"""Seconds between two looks whether a process is still connected."""
STARVED: Final = 0.5
"""The part of a second that a process waits for a processor, from which it cannot be expected to answer in time."""


@dataclass(slots=True)
class Span:
    """A time in which a process could not answer, and the reason. Seconds by the monotonic clock."""

    owner: str
    what: str
    start: float
    end: float = math.inf

    def meets(self, start: float, end: float) -> bool:
        return self.start <= end and start <= self.end


@dataclass
class BotProcess:
    """One place in which a bot runs, one process after the other. ``name`` is its token."""

    name: str
    settings: Mapping[str, str]
    folder: Path
    delivery: Delivery
    spans: list[Span]
    violations: list[str]
    starts: int = 0
    stops: list[float] = field(default_factory=list)
    """Seconds from SIGTERM to the end."""
    startups: list[float] = field(default_factory=list)
    """Seconds from the start until it hears."""
    ends: Counter[str] = field(default_factory=Counter)
    given_up: list[Span] = field(default_factory=list)
    """Starts that ended because Discord or the database could not be reached, each with its log."""
    busy: bool = False
    """Whether it is being ended, started or halted."""
    _process: asyncio.subprocess.Process | None = None
    _down: Span | None = None
    _began: float = 0.0
    """The moment of the last start."""

    async def start(self) -> None:
        """Starts it and waits until it is connected."""
        self.starts += 1
        log = self._log
        environment = {
            **{k: v for k, v in os.environ.items() if k != "COV_CORE_DATAFILE"},
            **self.settings,
            "DISCORD_TOKEN": self.name,
            "PYTHONPATH": str(ROOT),
        }
        began = self._began = time.monotonic()
        if self._down is None:
            self._down = self._span(STARTED)
        with log.open("wb") as out:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "bot", "run", env=environment, cwd=self.folder, stdout=out, stderr=out
            )
        while not self.delivery.connected(self.name) and not self._spare(began):
            if self._process.returncode is not None:
                self.note_end()
                await asyncio.sleep(1)
                await self.start()
                return
            if time.monotonic() - began > 2 * PATIENT:
                self.violations.append(f"{self.name} is not connected {2 * PATIENT:.0f} s after its start: see {log}")
                await self._kill()
                await self.start()
                return
            await asyncio.sleep(0.05)
        self.startups.append(time.monotonic() - began)
        if self._down is not None:
            self._down.end, self._down = time.monotonic(), None

    @property
    def _log(self) -> Path:
        return self.folder / f"{self.name}-{self.starts}.log"

    def note_end(self) -> None:
        """Notes that it has ended without being asked to: a finding, unless it has given up its start.

        A start may take so long that the process was taken for one that waits for shards.
        """
        if any(map(self._log.read_text(encoding="utf-8").__contains__, UNREACHABLE)):
            self.given_up.append(Span(self.name, str(self._log), self._began, time.monotonic()))
        else:
            self.violations.append(f"{self.name} ended by itself: see {self._log}")

    def _spare(self, began: float) -> bool:
        """Returns whether others have taken all shards meanwhile, so that this process waits until it is needed."""
        return time.monotonic() - began > SPARE and self.delivery.served()

    def _span(self, what: str) -> Span:
        span = Span(self.name, what, time.monotonic())
        self.spans.append(span)
        return span

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Returns whether it has ended without being asked to."""
        return self._process is not None and self._process.returncode is not None

    async def kill_and_restart(self, pause: float) -> None:
        """Kills it by SIGKILL, and starts a new process after ``pause`` seconds."""
        await self._kill()
        await asyncio.sleep(pause)
        await self.start()

    async def _kill(self) -> None:
        process = self._process
        assert process is not None
        span = self._span(KILLED)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        await self._disconnected()
        span.end = time.monotonic()
        self.ends[KILLED] += 1

    async def _disconnected(self) -> None:
        """Waits until the gateway has noticed that the process is gone. What comes later is given to nobody."""
        while self.delivery.connected(self.name):  # noqa: ASYNC110  the stand-in has no event for it
            await asyncio.sleep(LOOK)

    async def _stops(self) -> Span:
        """Begins the span of a stop when the process has left the gateway, and not before.

        The documentation promises that what Discord sends until then is answered, and what is under way gets an
        answer, at the latest that nobody can tell what became of it. So the signal itself excuses nothing.
        """
        await self._disconnected()
        return self._span(STOPPED)

    async def stop(self) -> None:
        """Sends SIGTERM, and waits until it has ended."""
        process = self._process
        assert process is not None
        began = time.monotonic()
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        stops = asyncio.create_task(self._stops())
        try:
            await asyncio.wait_for(process.wait(), PATIENT)
        except TimeoutError:
            self.violations.append(f"{self.name} has not ended {PATIENT:.0f} s after SIGTERM")
            await self._kill()
            return
        finally:
            span = await stops
            span.end = time.monotonic()
        self.stops.append(time.monotonic() - began)
        self.ends[STOPPED] += 1
        if process.returncode != 0:
            self.violations.append(f"{self.name} ended with {process.returncode} after SIGTERM: start {self.starts}")

    async def stop_and_restart(self, pause: float) -> None:
        await self.stop()
        await asyncio.sleep(pause)
        await self.start()

    async def halt(self, seconds: float) -> None:
        """Stops it by SIGSTOP for a while, as a suspended machine does."""
        span = self._span("SIGSTOP")
        os.kill(self.pid, signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            os.kill(self.pid, signal.SIGCONT)
            span.end = time.monotonic()

    def _schedule(self) -> str:
        """Returns Linux's figures of its main thread: nanoseconds it ran, and nanoseconds it waited for a processor."""
        return Path(f"/proc/{self.pid}/schedstat").read_text(encoding="ascii")

    async def sample(self) -> None:
        """Notes, until it is cancelled, when the machine had no processor for it: that is no fault of the bot."""
        last, waited = 0, 0.0
        while True:
            await asyncio.sleep(SAMPLE)
            try:
                now = int(self._schedule().split()[1]) / 1e9
            except (OSError, AssertionError, IndexError):
                continue
            if self.pid == last and now - waited > STARVED * SAMPLE:
                span = self._span("no processor")
                span.start, span.end = span.start - SAMPLE, span.start
            last, waited = self.pid, now

    async def end(self) -> None:
        """Makes sure that no process is left."""
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGCONT)
                self._process.kill()
            await self._process.wait()
