"""Stores the preferences of users and servers, and the names of users."""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.writing.changes import announce
from bot.players.tables import player_names, preferences
from engine.core.hours import DAY

NAME: Final = "name"
"""The kind of the announcements of changed names; the key is the user's id."""


class PreferenceRepository:
    """``scope`` is ``user`` or ``server`` (tables.USER, tables.SERVER); ``of`` is the id of the user or server."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def chosen(self, scope: str, of: int, within: AsyncConnection | None = None) -> dict[str, str]:
        """Returns the preferences that this user or server has set. With ``within``, reads in that transaction."""
        query = select(preferences.c.key, preferences.c.value)
        query = query.where(preferences.c.scope == scope, preferences.c.id == of)
        rows = await self.database.fetch(query, within=within)
        return {row.key: row.value for row in rows}

    async def choose(self, scope: str, of: int, key: str, value: str) -> None:
        row = {"scope": scope, "id": of, "key": key, "value": value}
        statement = self.database.insert(preferences).values(row)
        async with self.database.writing() as connection:
            await connection.execute(statement.on_conflict_do_update(index_elements=["scope", "id", "key"], set_=row))
            await announce(connection, scope, of)


class PlayerNameRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def name(self, user_id: int, name: str, now: int) -> None:
        """Stores a user's name, and the day of their last meeting, unless both are known."""
        row = {"user_id": user_id, "name": name, "seen": now}
        statement = self.database.insert(player_names).values(row)
        changed = (player_names.c.name != statement.excluded.name) | (player_names.c.seen < now - DAY)
        async with self.database.writing() as connection:
            named = statement.on_conflict_do_update(index_elements=["user_id"], set_=row, where=changed)
            if (await connection.execute(named)).rowcount:
                await announce(connection, NAME, user_id)

    async def names(self, user_ids: Iterable[int]) -> dict[int, str]:
        """Returns the stored names of these users. Users without one are left out."""
        query = select(player_names.c.user_id, player_names.c.name)
        rows = await self.database.fetch(query.where(player_names.c.user_id.in_(list(user_ids))))
        return {row.user_id: row.name for row in rows}
