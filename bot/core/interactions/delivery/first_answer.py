"""The first answer to an interaction. Discord takes one, within three seconds; it may be a deferral."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeAlias, TypeVar

import discord
import structlog

from bot.core.discord_errors import ALREADY_ANSWERED, REQUEST_ERRORS, code_of, is_refusal
from bot.core.interactions.delivery.answer_message import AnswerMessage
from bot.core.processes.cut_off import AnswerLock

T = TypeVar("T")
Interaction: TypeAlias = "discord.Interaction[Any]"

ACCEPTED: Final = 3.0
"""The seconds in which Discord accepts the first answer."""
SETTLED: Final = 1.0
"""The seconds after which an accepted answer is there or never will be; also the longest search for it."""

log = structlog.get_logger()


class FirstAnswer:
    """Sends the first answer, at most once. Senders hold ``lock`` while they send."""

    def __init__(self, interaction: Interaction, *, on_message: bool) -> None:
        """``on_message``: the interaction came from a component or a form on a message."""
        self.lock = AnswerLock(interaction)
        self.deferred = False
        """Whether it is a deferral that still waits for its content."""
        self._interaction = interaction
        self._on_message = on_message
        self._received = time.monotonic()
        self._found = False
        self._may_be_deferred = False
        """Whether a deferral was sent and its reply was lost."""

    @property
    def is_there(self) -> bool:
        """Whether the first answer was sent. True also if its reply was lost and the answer was found."""
        return self._found or self._interaction.response.is_done()

    def found(self, *, deferred: bool) -> None:
        """Records that Discord has accepted a first answer whose reply was lost."""
        self._found, self.deferred = True, deferred

    async def send(self, send: Callable[[], Awaitable[T]], files: Sequence[discord.File] = ()) -> T | None:
        """Sends the first answer. Returns None if there is one already.

        There is also one if Discord has accepted a deferral whose reply was lost; then ``files`` can be sent again.
        Raises REQUEST_ERRORS.
        """
        if self.is_there:
            return None
        try:
            return await send()
        except REQUEST_ERRORS as error:
            if not self._may_be_deferred or code_of(error) != ALREADY_ANSWERED:
                raise
            self.found(deferred=True)
            for file in files:
                file.reset()
            return None

    async def think(self, *, ephemeral: bool) -> "discord.InteractionCallbackResponse[Any] | None":
        """Sends a deferral: "thinking" after a command, nothing visible after a press. Raises REQUEST_ERRORS."""
        if self._on_message:
            return await self._interaction.response.defer()
        return await self._interaction.response.defer(ephemeral=ephemeral, thinking=True)

    async def defer(self, *, ephemeral: bool) -> None:
        """Defers the answer, unless there is a first answer. Raises REQUEST_ERRORS."""
        async with self.lock:
            if self.is_there:
                return
            try:
                await self.think(ephemeral=ephemeral)
            except REQUEST_ERRORS as error:  # without an accepted deferral, the answer itself is the first response
                self._may_be_deferred = not is_refusal(error) or code_of(error) == ALREADY_ANSWERED
                raise
            self.deferred = True

    async def public_message(
        self, content: str, view: discord.ui.View, mentions: discord.AllowedMentions, file: discord.File
    ) -> AnswerMessage | None:
        """Sends a new message that everybody sees, if it can be the first answer. Returns None if it was not sent.

        If the request fails, waits until Discord accepts no answer any more, and checks whether this one was accepted.
        Raises REQUEST_ERRORS if that is uncertain. It never waits for another answer on its way.
        """
        if self.lock.locked():
            return None
        async with self.lock:
            if self.is_there or not self._left(ACCEPTED):
                return None
            try:
                async with asyncio.timeout(self._left(ACCEPTED + SETTLED)):
                    sent = await self._interaction.response.send_message(
                        content, view=view, allowed_mentions=mentions, file=file
                    )
            except REQUEST_ERRORS as error:
                log.info("public_answer_failed", error=str(error), code=code_of(error))
                await asyncio.sleep(self._left(ACCEPTED + SETTLED))
                found = await asyncio.wait_for(AnswerMessage.public_original(self._interaction), SETTLED)
                if found is None and not is_refusal(error):
                    raise  # it may still be carried out: the next attempt searches the channel
                self._found = found is not None
                return found
            return AnswerMessage.of(
                self._interaction, sent.message_id or (await self._interaction.original_response()).id
            )

    def _left(self, seconds: float) -> float:
        """Returns the rest of these seconds since the interaction was received."""
        return max(0.0, self._received + seconds - time.monotonic())
