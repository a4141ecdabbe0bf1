"""Decides when a worker compares Discord's servers with the stored ones."""

from collections.abc import Awaitable, Callable

from engine.core.hours import HOUR


class ServerComparison:
    """Is due once an hour, and after each new session of a shard. ``now`` gives ms since 1970."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._due_at = 0
        self._listeners: list[Callable[[], None]] = []

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Calls ``listener`` when a new session makes a comparison due."""
        self._listeners.append(listener)

    def soon(self) -> None:
        """Makes a comparison due: Discord has told a shard of its servers anew."""
        self._due_at = 0
        for listener in self._listeners:
            listener()

    async def run(self, compare: Callable[[], Awaitable[None]]) -> None:
        """Compares, if it is due. It stays due if that fails, or if a session begins meanwhile."""
        if self._now() < self._due_at:
            return
        self._due_at = self._now() + HOUR
        try:
            await compare()
        except BaseException:
            self._due_at = 0
            raise
