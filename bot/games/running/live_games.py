"""The cache of games in this process, with a lock for each game. Other games are replayed from the database."""

import asyncio
from collections import OrderedDict
from typing import Final
from weakref import WeakValueDictionary

from bot.core.cache import CAPACITY, ENTRY
from bot.core.storage.faults.damage import DAMAGED, note_damage
from bot.games.live import LiveGame, live_game, size_of
from bot.games.repository import GameRepository
from bot.games.running.log_context import note_game
from bot.games.stored import GameVersion, UnreadableGame
from engine.core.errors import Refused
from engine.core.sized_cache import SizedCache

UNREADABLE: Final = 1024
"""The most games that are remembered as unreadable."""


class LiveGames:
    """Finds games and caches the most recently used. A game is read or changed only while its lock is held."""

    def __init__(self, repository: GameRepository, capacity: int = CAPACITY["games"]) -> None:
        """``capacity``: the most bytes of games kept in memory."""
        self._repository = repository
        self._cache = SizedCache[str, LiveGame](capacity, lambda live: ENTRY + size_of(live))
        self._unreadable: OrderedDict[str, None] = OrderedDict()
        self._generation = 0
        """The number of times that games were dropped because of a change elsewhere. Values read before may be old."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def lock(self, game_id: str) -> asyncio.Lock:
        """Returns the game's lock. It is removed as soon as nobody holds it or waits for it."""
        lock = self._locks.get(game_id)
        if lock is None:
            lock = self._locks[game_id] = asyncio.Lock()
        return lock

    # --- the caller holds the lock -------------------------------------------------------------------------------

    async def read(self, game_id: str, seq: int | None = None) -> LiveGame:
        """Returns the game, from the cache if that has at least ``seq`` entries, else from the database. Raises
        Refused.
        """
        cached = self._cache.get(game_id)
        if cached is None or (seq is not None and seq > cached.seq):  # another process has added entries
            return await self.load(game_id)
        return self.keep(cached)

    async def load(self, game_id: str) -> LiveGame:
        """Returns the game, replayed from the database. Raises Refused, UnreadableGame."""
        note_game(game_id, None)
        generation = self._generation
        try:
            stored = await self._repository.load(game_id)
            live = None if stored is None else live_game(stored.table(), stored)
        except DAMAGED as error:
            note_damage("game", game_id, error)
            self._unreadable[game_id] = None
            if len(self._unreadable) > UNREADABLE:
                self._unreadable.popitem(last=False)
            raise UnreadableGame(game_id) from error
        self._unreadable.pop(game_id, None)
        if live is None:
            raise Refused("table.unknown")
        return self.keep(live) if generation == self._generation else live

    def is_unreadable(self, game_id: str) -> bool:
        """Returns whether the last attempt to read the game failed."""
        return game_id in self._unreadable

    def cached(self, game_id: str) -> LiveGame | None:
        return self._cache.get(game_id)

    def keep(self, live: LiveGame) -> LiveGame:
        """Caches a game that was read or committed."""
        note_game(live.id, live.seq)
        self._cache.put(live.id, live)
        return live

    def forget(self, game_id: str) -> None:
        """Drops a game from the cache, as only the database knows its present state."""
        self._cache.pop(game_id)

    def forget_changed(self, game_id: str | None) -> None:
        self._generation += 1
        if game_id is None:
            self._cache.clear()
        else:
            self.forget(game_id)

    def forget_player(self, user_id: int | None) -> None:
        """Drops the games of a user whose id was replaced in the database; every game for None."""
        self._generation += 1
        for game_id in [id_ for id_, live in self._cache.items() if user_id is None or user_id in live.players]:
            self._cache.pop(game_id)

    # --- these take the lock -------------------------------------------------------------------------------------

    async def get(self, game_id: str, seq: int | None = None) -> LiveGame:
        async with self.lock(game_id):
            return await self.read(game_id, seq)

    async def newest(self, game_id: str) -> LiveGame:
        """Returns the game, including entries of other processes. Raises Refused."""
        found = await self._newest(await self._repository.version(game_id))
        if found is None:
            raise Refused("table.unknown")
        return found

    async def at(self, channel_id: int) -> LiveGame | None:
        return await self._newest(await self._repository.running_at(channel_id))

    async def latest_at(self, channel_id: int) -> LiveGame | None:
        """Returns the game that runs in a channel, or else the one that ended there last."""
        running = await self._repository.running_at(channel_id)
        return await self._newest(running or await self._repository.ended_at(channel_id))

    async def _newest(self, version: GameVersion | None) -> LiveGame | None:
        """Returns the game at this version or newer, from the cache if possible."""
        if version is None:
            return None
        async with self.lock(version.id):
            cached = self._cache.get(version.id)
            same = (version.channel_id, (version.seat0, version.seat1))
            fresh = cached is not None and (cached.place.channel_id, cached.players) == same
            if cached is not None and fresh and cached.seq >= version.seq and cached.shown_seq >= version.shown_seq:
                return self.keep(cached)
            return await self.load(version.id)
