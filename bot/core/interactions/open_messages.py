"""Private messages of which a user needs only one for a subject, such as the picker of a game. A new one replaces the
old one.

They are kept in memory only, for convenience: after a restart an old message stays, and works.
"""

from contextlib import suppress
from typing import Final

from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.interactions.answer import Answer
from bot.core.interactions.delivery.answer_message import AnswerMessage

KEPT: Final = 2000
"""The most messages that are remembered."""
LIFETIME: Final = 15 * 60_000
"""The milliseconds in which Discord allows a private message to be deleted."""


class OpenMessages:
    def __init__(self) -> None:
        self._open: dict[tuple[int, str], tuple[AnswerMessage, int]] = {}
        """The messages by user and subject, with the time in ms since 1970; the oldest first."""

    async def replace(self, answer: Answer, subject: str) -> None:
        """Remembers the message that ``answer`` has just sent, and deletes the one that was open before."""
        before = self._open.pop((answer.user_id, subject), None)
        if answer.newest_private is not None:
            self._open[answer.user_id, subject] = answer.newest_private, answer.now
        while self._open and (len(self._open) > KEPT or self._oldest() < answer.now - LIFETIME):
            self._open.pop(next(iter(self._open)))
        await _deleted(before)

    def _oldest(self) -> int:
        return next(iter(self._open.values()))[1]

    async def close(self, user_id: int, subject: str) -> None:
        """Deletes the message that is open, if there is one."""
        await _deleted(self._open.pop((user_id, subject), None))

    def forget(self, user_id: int, subject: str) -> None:
        """Forgets the message of a subject, as it now shows something else."""
        self._open.pop((user_id, subject), None)


async def _deleted(opened: tuple[AnswerMessage, int] | None) -> None:
    if opened is not None:
        with suppress(*REQUEST_ERRORS):  # it is gone already, or too old to be deleted
            await opened[0].delete()
