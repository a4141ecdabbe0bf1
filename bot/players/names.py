"""What people are called: so that a board can name those who are not there."""

import re
from collections.abc import Callable, Iterable
from typing import Final

from bot.core.cache import Cache
from bot.players.names_repository import PlayerNameRepository

LENGTH: Final = 100
UNSHOWABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What breaks a line, turns the text around it, or fits into no database."""


class PlayerNames:
    """Remembers names. ``now`` gives milliseconds since 1970.

    A user has one name for every server: tell the one that they have in all of Discord, not a nickname.
    """

    def __init__(
        self, store: PlayerNameRepository, now: Callable[[], int], memory: Cache[int, str] | None = None
    ) -> None:
        self.store = store
        self._now = now
        self._cache = Cache() if memory is None else memory

    async def seen(self, user_id: int, name: str) -> None:
        """Notes what a user is called, without a write where that is known. A name with nothing to show is ignored."""
        shown = UNSHOWABLE.sub("", name).strip()[:LENGTH].strip()
        if not shown or (await self.names([user_id]))[user_id] == shown:
            return
        try:
            await self.store.name(user_id, shown, self._now())
        finally:
            self._cache.drop(user_id)
        self._cache.keep(user_id, shown, self._cache.moment)

    async def names(self, user_ids: Iterable[int]) -> dict[int, str]:
        """The name of each of them; "" where it is not known."""
        wanted = dict.fromkeys(user_ids)
        known = {user_id: name for user_id in wanted if (name := self._cache.get(user_id)) is not None}
        missing = [user_id for user_id in wanted if user_id not in known]
        if missing:
            moment = self._cache.moment
            found = await self.store.names(missing)
            for user_id in missing:
                known[user_id] = found.get(user_id, "")
                self._cache.keep(user_id, known[user_id], moment)
        return {user_id: known[user_id] for user_id in wanted}
