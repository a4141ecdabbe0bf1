"""The open picker of each player in a game: another one takes its place, so that there are never two.

They are kept in memory, since they are a convenience: after a restart an old picker stays, and works.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final

from bot.core.discord_errors import REQUEST_ERRORS
from bot.core.interactions.answer import Answer

KEPT: Final = 2000
"""How many open pickers are remembered."""


class OpenPickers:
    def __init__(self) -> None:
        self._deletes: dict[tuple[int, str], Callable[[], Awaitable[Any]]] = {}

    async def replace(self, answer: Answer, game_id: str) -> None:
        """Remembers the picker that ``answer`` has just opened, and deletes the one that was open before."""
        before = self._deletes.pop((answer.user_id, game_id), None)
        if answer.delete_private is not None:
            self._deletes[answer.user_id, game_id] = answer.delete_private
        while len(self._deletes) > KEPT:
            self._deletes.pop(next(iter(self._deletes)))
        await _deleted(before)

    async def close(self, user_id: int, game_id: str) -> None:
        """Deletes the picker that is open, if there is one: the turn was made in another way."""
        await _deleted(self._deletes.pop((user_id, game_id), None))

    def forget(self, user_id: int, game_id: str) -> None:
        """The picker has become another message."""
        self._deletes.pop((user_id, game_id), None)


async def _deleted(delete: Callable[[], Awaitable[Any]] | None) -> None:
    if delete is not None:
        with suppress(*REQUEST_ERRORS):  # it is gone already, or older than Discord allows
            await delete()
