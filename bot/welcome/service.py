"""The greetings of servers, each at most once."""

from collections.abc import Callable

from bot.welcome.repository import GreetingRepository


class GreetingService:
    """Stores greetings. ``now`` returns milliseconds since 1970."""

    def __init__(self, store: GreetingRepository, now: Callable[[], int]) -> None:
        self.store = store
        self._now = now

    async def claim(self, guild_id: int) -> bool:
        """Returns whether the caller greets the server: True only once for each server, even if the message
        then fails.
        """
        return await self.store.add(guild_id, self._now())
