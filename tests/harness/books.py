"""Reads the database past the bot."""

from __future__ import annotations

from typing import Any, Self

from sqlalchemy import select, update

from bot.board.delivery.tables import old_boards
from bot.core.storage.database import Database
from bot.games.repository import GameRepository
from bot.games.stored import StoredGame
from bot.games.tables import games
from bot.players.repository import PreferenceRepository
from bot.players.service import PreferenceService
from engine.core.table import Table
from engine.registry import find


class Books:
    """The games as they are in the database, read past the bot."""

    def __init__(self, database_url: str) -> None:
        self._database = Database(database_url)
        self._ledger = GameRepository(self._database)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._database.close()

    async def stored(self, game_id: str) -> StoredGame:
        found = await self._ledger.load(game_id)
        assert found is not None, game_id
        return found

    async def passing(self) -> set[int]:
        """Returns the messages that are to be removed in a while."""
        async with self._database.reading() as connection:
            return set(await connection.scalars(select(old_boards.c.message_id).where(old_boards.c.removed)))

    async def end_leases(self) -> None:
        """Lets time pass for the leases of a process that was killed: what it was about to do is due at once."""
        async with self._database.writing() as connection:
            await connection.execute(update(games).values(board_leased_until=0))
            leased = (old_boards.c.next_attempt_at > 0, old_boards.c.attempts == 0)
            await connection.execute(update(old_boards).where(*leased).values(next_attempt_at=0))

    async def set_server(self, guild_id: int, key: str, value: str) -> None:
        """Chooses a setting of a server."""
        await PreferenceService(PreferenceRepository(self._database)).set_server(guild_id, key, value)

    async def latest(self, channel_id: int) -> StoredGame | None:
        """Returns the game that runs in a channel, else the one that ended there last."""
        version = await self._ledger.running_at(channel_id) or await self._ledger.ended_at(channel_id)
        return None if version is None else await self.stored(version.id)


def replayed(stored: StoredGame) -> Table[Any, Any]:
    header = stored.record.header
    return Table.replay(find(header.game, header.version), stored.record)
