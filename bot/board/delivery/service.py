"""When a message that could not be posted, changed or removed is tried again; and which players know why."""

from collections.abc import Callable
from typing import Final

from bot.board.delivery.repository import FIRST, BoardRepository, OldBoard, UndeliveredBoard, WaitingBoard
from bot.core.workers import backoff
from bot.games.stored import Place

__all__ = ["BATCH", "FIRST", "BoardDelivery", "OldBoard", "UndeliveredBoard", "WaitingBoard"]

BATCH: Final = 50
"""As many boards are listed at once."""

PING_LIFETIME_MS: Final = 60_000
"""Milliseconds after which a ping beside a board that is changed in place is removed."""
ENOUGH: Final = 60
"""Attempts at an old board's buttons, about two weeks of them; after that they stay: they are stale."""


class BoardDelivery:
    """``now`` gives milliseconds since 1970."""

    def __init__(self, store: BoardRepository, now: Callable[[], int]) -> None:
        self.store = store
        self.now = now

    async def due(self, after: WaitingBoard = FIRST) -> list[WaitingBoard]:
        """The next games whose boards are to be shown, or tried again, by now."""
        return await self.store.due(self.now(), BATCH, after)

    async def waiting_in(self, guild_id: int, after: WaitingBoard = FIRST) -> list[WaitingBoard]:
        """The next games of a server whose boards are to be shown, however often that has failed."""
        return await self.store.waiting_in(guild_id, BATCH, after)

    async def attempts(self, game_id: str) -> int:
        """How often in a row a game's board could not be shown."""
        return await self.store.attempts(game_id)

    async def failed(self, game_id: str, delivery_error: str = "") -> int:
        """Notes that a board could not be shown, and why if that is known; how often it has failed in a row."""
        attempts = await self.store.attempts(game_id)
        async with self.store.database.writing() as connection:
            await self.store.failed(connection, game_id, delivery_error, self.now() + backoff(attempts))
        return attempts + 1

    async def delivery_error(self, game_id: str) -> str:
        """What keeps the game's board from being shown; "" if nothing does."""
        return await self.store.delivery_error(game_id)

    async def undelivered(self, user_id: int) -> list[UndeliveredBoard]:
        """Games of a user whose boards cannot be shown."""
        return await self.store.undelivered(user_id, BATCH)

    async def not_informed(self, user_id: int) -> list[UndeliveredBoard]:
        """Those of them of which the user does not know."""
        return await self.store.not_informed(user_id, BATCH)

    async def mark_informed(self, game: UndeliveredBoard, user_id: int) -> None:
        """Notes that the player knows."""
        await self.store.mark_informed(game.id, game.delivery_error, user_id)

    # --- old boards ----------------------------------------------------------------------------------------------

    async def old(self) -> list[OldBoard]:
        """The next old boards that are to be tidied by now."""
        return await self.store.old(self.now(), BATCH)

    async def retry_old(self, old: OldBoard) -> None:
        """Notes that an old board could not be tidied; it is tried again, but not for ever."""
        if old.attempts >= ENOUGH:
            await self.store.drop_old(old.message_id)
            return
        tried = OldBoard(old.message_id, old.place, old.removed, old.attempts + 1)
        await self.store.schedule_old(tried, self.now() + backoff(old.attempts))

    async def remove_ping_later(self, message_id: int, place: Place) -> None:
        """Notes that a ping is to be removed in a while."""
        await self.store.schedule_old(
            OldBoard(message_id, place, removed=True, attempts=1), self.now() + PING_LIFETIME_MS
        )

    async def drop_old(self, message_id: int) -> None:
        """Notes that an old board is tidy, or gone."""
        await self.store.drop_old(message_id)
