"""A worker process in which a machine thinks: ``python -m engine think``, asked by lines of JSON (docs/machine.md)."""

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import msgspec

from bot.opponents.questions import Answer, Question

COMMAND: Final = (sys.executable, "-P", "-m", "engine", "think", "--top", "1")
NICENESS: Final = 10
"""The niceness of workers. The bot's own answers have priority."""
_ANSWER: Final = msgspec.json.Decoder(Answer)


class Misbehaved(Exception):
    """The worker can no longer be used. ``reason``: died, hung, nonsense or illegal."""

    def __init__(self, reason: str, what: str) -> None:
        super().__init__(what)
        self.reason = reason


NEEDED: Final = frozenset({"HOME", "LANG", "LC_ALL", "NUMBA_CACHE_DIR", "PATH", "PYTHONPATH", "SYSTEMROOT", "TMPDIR"})
"""The variables of the environment that a worker gets. It needs no token and no database."""


class WorkerProcess:
    """A worker process. It ends with the bot, as its input is closed then."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, command: Sequence[str]) -> "WorkerProcess":
        """Starts a process. Raises Misbehaved if the system cannot start one."""
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                env={name: value for name, value in os.environ.items() if name in NEEDED} | {"OMP_NUM_THREADS": "1"},
                process_group=0,  # Ctrl+C in a terminal is for the bot
            )
        except OSError as error:
            raise Misbehaved("died", repr(error)) from error
        if hasattr(os, "setpriority"):
            with suppress(OSError):  # some sandboxes forbid it; the machine plays all the same
                os.setpriority(os.PRIO_PROCESS, process.pid, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
        return cls(process)

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process.returncode is None

    async def ask(self, question: Question) -> Answer:
        """Returns the answer to a question. Raises Misbehaved. After a cancelled question, the process cannot be used
        again.
        """
        stdin, stdout = self._process.stdin, self._process.stdout
        if stdin is None or stdout is None:
            raise TypeError("a worker is asked through pipes")
        try:
            stdin.write(msgspec.json.encode(question) + b"\n")
            await stdin.drain()
            line = await stdout.readline()
        except ConnectionError as error:
            raise Misbehaved("died", repr(error)) from error
        except ValueError as error:
            self._kill()
            await self._process.communicate()  # reads the rest: ``wait`` ends only after that
            raise Misbehaved("nonsense", "the line does not end") from error
        if not line:
            raise Misbehaved("died", "the answers have ended")
        try:
            answer = _ANSWER.decode(line)
        except msgspec.MsgspecError as error:
            raise Misbehaved("nonsense", line[:300].decode(errors="replace")) from error
        if answer.position != question.position:
            raise Misbehaved("nonsense", f"the answer is about {answer.position}")
        return answer

    async def end(self) -> None:
        """Kills the process, which holds no state."""
        self._kill()
        await self._process.wait()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            self._process.kill()
