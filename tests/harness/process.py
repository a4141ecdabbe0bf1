"""The real bot against the stand-in, in a process of its own that can be killed."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, Self

import pytest

from harness.bot import TOKEN
from harness.discord import until

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bot.sandbox.server import Server
    from bot.sandbox.world import World

TESTS: Final = Path(__file__).parents[1]


class Starter(Protocol):
    """Starts `bot run` in a process with these settings; gives its id."""

    async def __call__(self, given: Mapping[str, str]) -> int: ...


async def plainly(given: Mapping[str, str]) -> int:
    """Starts it as an operator does."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", "run", env={**os.environ, **given}, cwd=TESTS.parent
    )
    return process.pid


class Forks:
    """Starts the bot by forking a process that has loaded its libraries already: in a tenth of the time."""

    def __init__(self, mother: subprocess.Popen[str]) -> None:
        self._mother = mother

    async def __call__(self, given: Mapping[str, str]) -> int:
        return await asyncio.to_thread(self._forked, json.dumps(dict(given)))

    def _forked(self, given: str) -> int:
        assert self._mother.stdin is not None
        assert self._mother.stdout is not None
        print(given, file=self._mother.stdin, flush=True)
        return int(self._mother.stdout.readline())


@pytest.fixture(scope="session")
def forks() -> Iterator[Forks]:
    """One for all tests of this process."""
    pipe = subprocess.PIPE
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS.parent), str(TESTS)])}
    command = [sys.executable, "-m", "harness.forks"]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment, cwd=TESTS.parent, text=True) as mother:
        yield Forks(mother)


class BotProcess:
    """A bot that is started and killed again and again, on one database, while the stand-in lives on."""

    def __init__(self, server: Server, database_url: str, start: Starter = plainly, *, several: bool = False) -> None:
        """`several`: others run on the database, too, so that nobody can tell whose a connection is."""
        self._several = several
        self._server = server
        self._start = start
        self._before: set[str] = set()
        self.pid: int | None = None
        self.dead = True
        self.order = signal.SIGKILL
        """The signal that ends it."""
        self.given = {
            "DISCORD_TOKEN": TOKEN,
            "DISCORD_API_BASE": server.api_base,
            "DISCORD_GATEWAY_URL": server.gateway_url,
            "DATABASE_URL": database_url,
            "LOG_LEVEL": "ERROR",
            "IDENTIFY_PAUSE": "0",  # the stand-in wants none
            "RATE_LIMITS": "false",
        }

    async def start(self) -> None:
        """Starts it, and does not wait for it."""
        assert self.pid is None
        self._before = set(self._server.gateway.sessions)
        self.pid = await self._start(self.given)
        self.dead = False

    async def ready(self) -> None:
        """Waits until it hears what people do."""
        await until(self._connected, "the process is connected", seconds=60)

    def _connected(self) -> bool:
        sessions = self._server.gateway.sessions
        return any(sessions[name].socket is not None for name in sessions.keys() - self._before)

    @property
    def world(self) -> World:
        return self._server.world

    def strike(self) -> None:
        """Ends it this very moment, whatever it is doing; `kill` is still to come."""
        if not self.dead:
            assert self.pid is not None
            self.dead = True
            os.kill(self.pid, self.order)

    async def kill(self) -> None:
        """Ends it, unless it was struck already, and waits until it is no more."""
        self.strike()
        await self._gone()

    async def stop(self) -> None:
        """Asks it to end, and waits until it has."""
        assert self.pid is not None
        os.kill(self.pid, signal.SIGTERM)
        await self._gone()

    async def _gone(self) -> None:
        pid = self.pid
        assert pid is not None

        def gone() -> bool:
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                return True
            return False

        await until(gone, "the process has ended")
        if not self._several:
            await until(lambda: not self._connected(), "its connection has broken")
        self.pid, self.dead = None, True

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            await self._gone()
