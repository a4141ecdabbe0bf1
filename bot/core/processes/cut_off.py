"""Lets another process answer first while this one does not reach PostgreSQL.

An only process keeps its shards then, so that players read why nothing goes on. A process that starts meanwhile takes
them, too, and Discord sends everything to both. The process that reaches the database answers, and the other leaves.
"""

import asyncio
import time
from types import TracebackType
from typing import Any, Final

import discord

from bot.core.discord_errors import ALREADY_ANSWERED, code_of

LATE: Final = 2.2
"""Seconds after which a process without the database answers: another one has answered or deferred by then.

Discord waits for 3, network time included.
"""
REPEATED: Final = 1.0
"""Seconds after which discord.py repeats a request at the earliest: Discord may have carried out its own first one."""


class AnswerLock(asyncio.Lock):
    """Lets one task send the first answer to an interaction. Notices if another process was faster."""

    def __init__(self, interaction: "discord.Interaction[Any]", *, since: float | None = None) -> None:
        """``since``: when the interaction arrived, by ``time.monotonic``; now, if it is not given."""
        super().__init__()
        self._runner: Any = getattr(interaction.client, "runner", None)
        self._since = time.monotonic() if since is None else since
        self._began = 0.0
        self._tries = 0

    async def __aenter__(self) -> None:
        if self._runner is not None and self._runner.is_cut_off:
            await asyncio.sleep(self._since + LATE - time.monotonic())
        await super().__aenter__()
        self._began = time.monotonic()
        self._tries += 1

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await super().__aexit__(kind, error, trace)
        # an earlier attempt may itself have arrived
        is_own = self._tries > 1 or time.monotonic() - self._began >= REPEATED
        if self._runner is not None and error is not None and code_of(error) == ALREADY_ANSWERED and not is_own:
            self._runner.answered_elsewhere()
