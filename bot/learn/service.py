"""The users' progress in the guided tours."""

from collections.abc import Callable

from bot.learn.repository import LessonRepository


class LearningService:
    """Stores and reads lessons. ``now`` returns milliseconds since 1970."""

    def __init__(self, store: LessonRepository, now: Callable[[], int]) -> None:
        self.store = store
        self._now = now

    async def done(self, user_id: int, game: str) -> set[str]:
        """Returns the keys of the lessons that the user has done; some may no longer exist."""
        return await self.store.done(user_id, game)

    async def complete(self, user_id: int, game: str, lesson: str) -> None:
        """Stores a lesson as done; repeating it changes nothing."""
        await self.store.add(user_id, game, lesson, self._now())

    async def reset(self, user_id: int, game: str) -> None:
        """Deletes the user's progress in the game's tour."""
        await self.store.remove(user_id, game)
