"""Private messages of which a user needs only one about a subject, such as the picker of a game: another one takes its
place.

They are kept in memory, since they are a convenience: after a restart an old message stays, and works.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.interactions.answer import Answer

KEPT: Final = 2000
"""How many messages are remembered."""


class OpenMessages:
    def __init__(self) -> None:
        self._deletes: dict[tuple[int, str], Callable[[], Awaitable[Any]]] = {}

    async def replace(self, answer: Answer, subject: str) -> None:
        """Remembers the message that ``answer`` has just sent, and deletes the one that was open before."""
        before = self._deletes.pop((answer.user_id, subject), None)
        if answer.delete_private is not None:
            self._deletes[answer.user_id, subject] = answer.delete_private
        while len(self._deletes) > KEPT:
            self._deletes.pop(next(iter(self._deletes)))
        await _deleted(before)

    async def close(self, user_id: int, subject: str) -> None:
        """Deletes the message that is open, if there is one."""
        await _deleted(self._deletes.pop((user_id, subject), None))

    def forget(self, user_id: int, subject: str) -> None:
        """The message has become another one."""
        self._deletes.pop((user_id, subject), None)


async def _deleted(delete: Callable[[], Awaitable[Any]] | None) -> None:
    if delete is not None:
        with suppress(*REQUEST_ERRORS):  # it is gone already, or older than Discord allows
            await delete()
