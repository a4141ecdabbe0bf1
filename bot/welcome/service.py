"""The greetings of servers, each at most once."""

from collections.abc import Callable

from bot.welcome.repository import GreetingRepository


class GreetingService:
    """``now`` gives milliseconds since 1970."""

    def __init__(self, store: GreetingRepository, now: Callable[[], int]) -> None:
        self.store = store
        self._now = now

    async def claim(self, guild_id: int) -> bool:
        """Whether the caller greets the server: True once for each server, whatever happens to the message then."""
        return await self.store.add(guild_id, self._now())
