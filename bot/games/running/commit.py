"""Commits a game's new entries and the hooks' data in one transaction, then calls the listeners."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.cancellation import finish_despite_cancellation
from bot.core.storage.database import Conflict, after_commit
from bot.core.storage.faults import commit_status
from bot.core.storage.faults.outages import CommitUnknown
from bot.core.storage.writing.locks import lock_users
from bot.games.hooks import ConditionalMovesChanged, GameHook, apply_reply
from bot.games.live import LiveGame, stored
from bot.games.repository import GameRepository
from bot.games.running.elapsed_time import ElapsedTime
from bot.games.running.leaving import Leaver, players_after, replace_player
from bot.games.running.live_games import LiveGames
from bot.games.running.settling import Settling
from bot.games.stored import FREE, BoardLease, Place
from engine.core.chance import promise
from engine.core.errors import RuleError
from engine.core.table import Table

ATTEMPTS: Final = 5
"""The attempts to commit, if conditional moves change meanwhile."""
LOOKS: Final = 3
LOOK_PAUSE: Final = 0.5
"""The number of checks whether an interrupted commit was carried out, and the seconds between two of them."""
Also: TypeAlias = Callable[[AsyncConnection, LiveGame], Awaitable[None]]
Write: TypeAlias = Callable[[AsyncConnection], Awaitable[None]]
T = TypeVar("T")

log = structlog.get_logger(__name__)


class GameCommit:
    """Stores changes of games. Callers must hold the game's lock. LiveGames caches only committed games."""

    def __init__(
        self,
        repository: GameRepository,
        live_games: LiveGames,
        hooks: Sequence[GameHook],
        settling: Settling,
        time: ElapsedTime,
    ) -> None:
        self._repository = repository
        self._live_games = live_games
        self._hooks = hooks
        self._settling = settling
        self._time = time
        self._listeners: list[Callable[[LiveGame], None]] = []
        self.board_lease_ms = 0
        """How long this process alone may show its commits; 0 if it shows no boards."""
        self.board_owner = 0
        """The number of this process as the owner of leases."""

    def subscribe(self, listener: Callable[[LiveGame], None]) -> None:
        """Calls ``listener`` after each commit that changed a game. Its exceptions are only logged."""
        self._listeners.append(listener)

    def notify(self, live: LiveGame) -> None:
        """Calls the listeners. The caller has released the game's lock."""
        for listener in self._listeners:
            try:
                listener(live)
            except Exception:
                log.exception("listener failed", game=live.id, seq=live.seq)

    async def create(self, live: LiveGame, also: Also | None = None) -> None:
        """Stores a new game. ``also`` writes further data in the same transaction. Raises PlaceTaken."""
        async with self._repository.database.writing() as connection:
            await self._create_on(connection, live)
            if also is not None:
                await also(connection, live)

    async def _create_on(self, connection: AsyncConnection, live: LiveGame) -> None:
        """Stores a new game in the caller's transaction. It is cached after the commit, and the listeners called."""
        await self._repository.create(connection, stored(live), live.table, self._board_lease)
        for hook in self._hooks:
            await hook.on_commit(connection, None, live)
        after_commit(connection, partial(self._live_games.keep, live))
        after_commit(connection, partial(self.notify, live))

    @property
    def _board_lease(self) -> BoardLease:
        """The lease that keeps other processes from showing the entries that are committed now."""
        return BoardLease(self._time.now + self.board_lease_ms, self.board_owner) if self.board_lease_ms else FREE

    async def append(
        self,
        live: LiveGame,
        table: Table[Any, Any],
        secret: str,
        leaver: Leaver | None = None,
        *,
        also: Also | None = None,
    ) -> LiveGame:
        """Stores the new entries and the conditional replies. Raises Conflict if another process added entries.

        ``leaver``: a player whose id is replaced in the same transaction, after the hooks. ``also`` writes further data
        in it, also after the hooks.
        """
        for _ in range(ATTEMPTS):
            with suppress(ConditionalMovesChanged):
                return await self._append_once(live, *await self._with_replies(live, table, secret), leaver, also)
        raise Conflict

    async def _append_once(
        self, live: LiveGame, table: Table[Any, Any], secret: str, leaver: Leaver | None, also: Also | None
    ) -> LiveGame:
        moved = replace(live, table=table, secret=secret, commitment=live.commitment and promise(secret))
        following = [await hook.following(live, moved) for hook in self._hooks]

        async def follow_up(connection: AsyncConnection) -> None:
            late = table.lost_on_time
            if late is not None:  # without the lock, two processes could both take their loss for the player's first
                await lock_users(connection, live.players)
            if not await self._time.counts(connection, live, table):
                raise Conflict
            for hook in self._hooks:
                await hook.on_commit(connection, live, moved)
            for game in following:
                if game is not None:
                    await self._create_on(connection, game)
            if leaver is not None:
                await replace_player(connection, live.id, leaver)
                for hook in self._hooks:
                    await hook.on_leave(connection, moved, *leaver)
            if also is not None:
                await also(connection, moved)

        guards, lease = (live.place.channel_id, live.edits), self._board_lease
        work = self._repository.append(live.id, live.seq, table, secret, follow_up, *guards, board_lease=lease)
        try:
            moved = replace(moved, attempts=await self._write(live.id, work))
        except CommitUnknown:
            if not await self._is_stored(live.id, table):
                raise
        if leaver is not None:
            moved = replace(moved, players=players_after(moved.players, leaver))
        return self._live_games.keep(moved)

    async def _with_replies(self, live: LiveGame, table: Table[Any, Any], secret: str) -> tuple[Table[Any, Any], str]:
        """Returns the table after all conditional replies whose conditions have occurred, and the secrets of the next
        rolls.
        """
        while table.outcome is None and table.offer is None and not table.paused:
            now = replace(live, table=table, secret=secret)
            replies = [await hook.reply(live, now) for hook in self._hooks]
            reply = next((found for found in replies if found is not None), None)
            if reply is None:
                break
            try:
                replied = apply_reply(table, reply)
            except RuleError:  # an illegal reply is ignored
                log.warning("conditional move is not legal", game=live.id, seq=table.seq)
                break
            at = table.record.entries[-1].at
            table, secret = await self._settling.settle(replied, live.players, at, secret)
        return self._settling.renew(table, live.seq, secret)

    async def relocate(self, before: LiveGame, after: LiveGame, user_id: int | None, also: Also | None = None) -> None:
        """Stores the game's new place. ``also`` writes in the same transaction. Raises PlaceTaken, Conflict."""
        await self._write(before.id, self._relocate(before, after, user_id, also))
        self._live_games.keep(after)

    async def _relocate(self, before: LiveGame, after: LiveGame, user_id: int | None, also: Also | None) -> None:
        async with self._repository.database.writing() as connection:
            places = before.place.channel_id, after.place
            await self._repository.move(connection, before.id, before.seq, *places, self._board_lease)
            for hook in self._hooks:
                await hook.on_relocate(connection, before, after, user_id)
            if also is not None:
                await also(connection, after)

    async def mark_shown(
        self, game_id: str, seq: int, message_id: int | None, place: Place | None, also: Write | None = None
    ) -> None:
        """Stores that ``message_id`` shows ``seq`` entries; the number never falls. None keeps the stored message.

        ``also`` writes in the same transaction. If the game is no longer played in ``place``, nothing is stored.
        """
        channel_id = None if place is None else place.channel_id
        await self._write(game_id, self._repository.mark_shown(game_id, seq, message_id, channel_id, also))
        cached = self._live_games.cached(game_id)
        if cached is not None and cached.shown_seq <= seq and place in {None, cached.place}:
            message = cached.message_id if message_id is None else message_id
            self._live_games.keep(replace(cached, shown_seq=seq, message_id=message, attempts=0))

    async def _is_stored(self, game_id: str, table: Table[Any, Any]) -> bool:
        """Finds out whether the entries of ``table`` were stored before the connection was lost."""
        for _ in range(LOOKS):
            with suppress(Exception):  # the database is still unreachable
                found = await self._repository.load(game_id)
                entries = table.record.entries
                stored = found is not None and found.record.entries[: len(entries)] == entries
                commit_status.found_out(stored=stored)
                return stored
            await asyncio.sleep(LOOK_PAUSE)
        return False

    async def _write(self, game_id: str, work: Coroutine[Any, Any, T]) -> T:
        try:
            return await finish_despite_cancellation(work)
        except BaseException:  # also after a cancellation: only the database knows whether it was committed
            self._live_games.forget(game_id)
            raise
