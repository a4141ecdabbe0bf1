"""Deletes the data stored about a user. Data that opponents need stay, under a pseudonym that cannot be traced back.

A deletion is stored first and goes on after a crash: every step may be repeated. Open challenges are closed, running
games are left, and then one transaction changes every table. The pseudonym is a negative id; it is the same for all the
user's games, so ratings can still be recomputed from the games.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import structlog

from bot.challenges.service import ChallengeService
from bot.core.cancellation import finish_despite_cancellation
from bot.games.service import GameService
from bot.privacy.deletion.repository import DeletionRepository, GamesRunning, PendingDeletion
from engine.core.errors import Refused

ROUNDS: Final = 20
"""The most rounds in which running games are left. Leaving one may begin another, and an opponent may accept a
challenge.
"""
SMALL: Final = 32 * 1024 * 1024
"""The most bytes of an SQLite file that is rewritten at once after a deletion. A larger one is rewritten once a day."""
PSEUDONYM_BITS: Final = 62

log = structlog.get_logger()


def fresh_pseudonym() -> int:
    """Returns a negative id that no user has yet."""
    return -1 - secrets.randbits(PSEUDONYM_BITS)


class DeletionService:
    """Deletes users. ``now`` returns ms since 1970.

    ``leaving`` are called first, with the user's id, which is still in use then, and the pseudonym. ``caches`` are
    called with the id to forget, or with None to forget everything.
    """

    def __init__(
        self,
        store: DeletionRepository,
        games: GameService,
        challenges: ChallengeService,
        now: Callable[[], int],
        caches: tuple[Callable[[int | None], object], ...] = (),
        leaving: tuple[Callable[[int, int], Awaitable[None]], ...] = (),
        *,
        new_pseudonym: Callable[[], int] = fresh_pseudonym,
    ) -> None:
        self.store = store
        self._games = games
        self._challenges = challenges
        self._now = now
        self._caches = caches
        self._leaving = leaving
        self._new_pseudonym = new_pseudonym
        self._under_way: set[int] = set()
        self._known: set[int] | None = None
        self._erasing = asyncio.Lock()

    def is_under_way(self, user_id: int) -> bool:
        """Returns whether this process is deleting the user now."""
        return user_id in self._under_way

    async def delete(self, user_id: int, *, erase: bool = True) -> None:
        """Deletes a user. Raises Refused if a deletion of the user is under way.

        If it fails or the process dies, ``resume`` continues it. ``erase``: whether to erase the bytes left in SQLite's
        file at once; otherwise the worker does it.
        """
        if user_id in self._under_way:
            raise Refused("data.under_way")
        self._under_way.add(user_id)
        try:
            deletion = await self.store.begin(user_id, self._new_pseudonym(), self._now())
            await finish_despite_cancellation(self._carry_out(deletion, erase=erase))
        finally:
            self._under_way.discard(user_id)

    async def resume(self) -> int:
        """Resumes interrupted deletions. Returns their number."""
        pending = [deletion for deletion in await self.store.pending() if deletion.user_id not in self._under_way]
        for deletion in pending:
            await self.delete(deletion.user_id)
        return len(pending)

    async def follow_others(self) -> None:
        """Empties the caches if another process has deleted a user since the last call."""
        done = await self.store.done()
        if self._known is not None and done - self._known:
            self._forget(None)
        self._known = done

    async def erase(self, limit: int | None = None) -> None:
        """Erases bytes of deleted rows in SQLite's file, if any are left and it has at most ``limit`` bytes."""
        async with self._erasing:
            if await self.store.not_erased():
                await self.store.erase(limit)

    async def _carry_out(self, deletion: PendingDeletion, *, erase: bool) -> None:
        user_id, pseudonym = deletion
        await self._challenges.close_all_of(user_id)
        for leave in self._leaving:
            await leave(user_id, pseudonym)
        for _ in range(ROUNDS):
            for game in await self._games.of(user_id):
                with suppress(Refused):  # the game has ended meanwhile; otherwise the next round tries again
                    await self._games.leave(game.id, user_id, pseudonym)
                self._games.forget_player(user_id)  # the other games of the same match
            try:
                await self.store.finish(deletion, self._now(), self._forget)
                break
            except GamesRunning:
                continue
        else:
            raise RuntimeError("a user who is deleted still has running games")
        self._challenges.wake()
        if not erase:
            return
        try:
            await self.erase(SMALL)
        except Exception:  # nobody reads these bytes, and the worker tries again
            log.warning("deleted_rows_not_erased", exc_info=True)

    def forget_changed(self, user_id: str | None) -> None:
        """Empties the caches after another process has deleted a user; for None, it may have deleted any."""
        self._forget(None if user_id is None else int(user_id))

    def _forget(self, user_id: int | None) -> None:
        for forget in self._caches:
            forget(user_id)
