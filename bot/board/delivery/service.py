"""Retries of messages that could not be posted, edited or deleted, and the players who know the reason."""

import secrets
from collections.abc import Callable, Collection, Sequence
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from bot.board.delivery.repository import FIRST, BoardRepository, OldBoard, UndeliveredBoard, WaitingBoard
from bot.core.workers import LONGEST_PAUSE, backoff
from bot.games.live import LiveGame
from bot.games.stored import BoardLease, Place

__all__ = ["BATCH", "FIRST", "BoardDelivery", "OldBoard", "UndeliveredBoard", "WaitingBoard"]

BATCH: Final = 50
"""The most boards that are listed at once."""

LEASE_MS: Final = 6_000
"""How long a process may work on a board before another one may. It renews the lease while it works."""
TIDYING_LEASE_MS: Final = 30_000
"""The lease of old boards, in ms. Nobody waits for them."""
PING_LIFETIME_MS: Final = 60_000
"""The milliseconds after which the ping beside a board edited in place is removed."""
OFFER_PING_LIFETIME_MS: Final = 24 * 3_600_000
"""The lifetime of the ping of an offer. It is removed earlier if the board changes."""
MAX_ATTEMPTS: Final = 60
"""The attempts to tidy an old board, over about two weeks. After that its buttons stay, and presses on them
are stale.
"""


class BoardDelivery:
    """``now`` returns ms since 1970."""

    def __init__(self, store: BoardRepository, now: Callable[[], int]) -> None:
        self.store = store
        self.now = now
        self.owner = secrets.randbits(62)
        """The number of this process as the owner of leases."""

    async def due(self, after: WaitingBoard = FIRST) -> list[WaitingBoard]:
        """Returns the next games whose boards are due for a first or another attempt."""
        return await self.store.due(self.now(), BATCH, after)

    async def waiting_in(self, guild_id: int, after: WaitingBoard = FIRST) -> list[WaitingBoard]:
        """Returns the next games of a server whose boards are not up to date, whether due or not."""
        return await self.store.waiting_in(guild_id, BATCH, after)

    async def lease(self, game_id: str) -> bool:
        """Leases a board to this process. Returns False if it is shown already, or another process has leased it."""
        now = self.now()
        return await self.store.lease(game_id, now, BoardLease(now + LEASE_MS, self.owner))

    async def hold(self, game_id: str, seq: int) -> int:
        """Renews this process's lease of a board that shows ``seq`` entries. Returns its end in ms since 1970.

        Returns 0 if another process has taken the board over, or the game has gone on.
        """
        now = self.now()
        lease = BoardLease(now + LEASE_MS, self.owner)
        return lease.until if await self.store.hold(game_id, seq, now, lease) else 0

    async def renew(self, game_ids: Collection[str]) -> None:
        """Renews the leases of boards that this process still works on."""
        await self.store.lease_until(game_ids, self.owner, self.now() + LEASE_MS)

    async def release(self, game_ids: Collection[str]) -> None:
        """Ends the leases of boards that this process no longer works on."""
        if game_ids:
            await self.store.lease_until(game_ids, self.owner, 0)

    async def attempts(self, live: LiveGame) -> int | None:
        """Returns the failures in a row of the game's board when the game was read or written.

        None if it has to wait: it is the first board of its game, and the card of the match's game before is not posted
        yet.
        """
        header = live.record.header
        if live.shown_seq < 0 and header.match_game > 1:
            return await self.store.first_attempts(live.id, header.match, header.match_game - 1)
        return live.attempts

    async def failed(self, game_id: str, delivery_error: str = "") -> int:
        """Stores a failed attempt, with the delivery error if known. Returns the number of failures in a row."""
        attempts = await self.store.attempts(game_id)
        async with self.store.database.writing() as connection:
            await self.store.failed(connection, game_id, delivery_error, self.now() + backoff(attempts))
        return attempts + 1

    async def retry_failed(self) -> None:
        """Makes every board due at once that has failed for an unknown reason."""
        await self.store.retry_failed()

    async def put_off(self, game_id: str) -> None:
        """Stores a failure of an unreadable game. No attempt succeeds until its record is repaired."""
        async with self.store.database.writing() as connection:
            await self.store.failed(connection, game_id, "", self.now() + LONGEST_PAUSE)

    async def delivery_error(self, game_id: str) -> str:
        return await self.store.delivery_error(game_id)

    async def undelivered(self, user_id: int) -> list[UndeliveredBoard]:
        return await self.store.undelivered(user_id, BATCH)

    async def not_informed(self, user_id: int) -> list[UndeliveredBoard]:
        return await self.store.not_informed(user_id, BATCH)

    async def mark_informed(self, game: UndeliveredBoard, user_id: int) -> None:
        """Stores that the player knows why the board is missing."""
        await self.store.mark_informed(game.id, game.delivery_error, user_id)

    # --- old boards ----------------------------------------------------------------------------------------------

    async def old(self) -> list[OldBoard]:
        """Returns the next old boards that are due for tidying."""
        return await self.store.old(self.now(), BATCH)

    async def lease_old(self, limit: int = BATCH) -> list[OldBoard]:
        now = self.now()
        return await self.store.lease_old(now, limit, now + TIDYING_LEASE_MS) if await self.old() else []

    async def add_old(
        self, old: Sequence[OldBoard], connection: AsyncConnection, milliseconds: int = TIDYING_LEASE_MS
    ) -> None:
        """Adds old boards, leased to this process, in the transaction that stores the boards that follow them.

        ``milliseconds``: the time after which they are due for any process.
        """
        if old:
            await self.store.add_old(connection, old, self.now() + milliseconds)

    async def retry_old(self, old: OldBoard) -> None:
        """Stores that an old board could not be tidied. It is tried again, up to MAX_ATTEMPTS times."""
        if old.attempts >= MAX_ATTEMPTS:
            await self.store.drop_old(old.message_id)
            return
        tried = OldBoard(old.message_id, old.place, old.removed, old.attempts + 1)
        await self.store.schedule_old(tried, self.now() + backoff(old.attempts))

    async def remove_ping_later(self, message_id: int, place: Place, lifetime: int = PING_LIFETIME_MS) -> None:
        """Schedules the removal of a ping after its ``lifetime`` in milliseconds."""
        await self.store.schedule_old(OldBoard(message_id, place, removed=True, attempts=1), self.now() + lifetime)

    async def offer_ping_since(self, place: Place, message_id: int) -> int | None:
        """Returns the only ping of an offer that was sent there after a message; None if there is not just one.

        It is told by its lifetime: other pings go sooner.
        """
        found = await self.store.later_removals(place.channel_id, message_id, self.now() + PING_LIFETIME_MS)
        return found[0] if len(found) == 1 else None

    async def drop_old(self, *message_ids: int) -> None:
        """Removes old boards from the list, as they are tidied or gone."""
        await self.store.drop_old(*message_ids)
