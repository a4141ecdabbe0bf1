"""Stores the preferences of users and servers, and the names of users."""

from collections.abc import Iterable
from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.database import Database
from bot.core.storage.writing.changes import announcing
from bot.players.tables import player_names, preferences
from engine.core.hours import DAY

NAME: Final = "name"
"""The kind of the announcements about a user's name; the key is the user's id."""

_CHOSEN: Final = select(preferences.c.key, preferences.c.value).where(
    preferences.c.scope == bindparam("scope"), preferences.c.id == bindparam("of")
)
_NAMES: Final = select(player_names.c.user_id, player_names.c.name).where(
    player_names.c.user_id.in_(bindparam("user_ids", expanding=True))
)


class PreferenceRepository:
    """``scope`` is ``user`` or ``server`` (tables.USER, tables.SERVER); ``of`` is the id of the user or server."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def chosen(self, scope: str, of: int, within: AsyncConnection | None = None) -> dict[str, str]:
        """The preferences that this user or server has set. If ``within`` is given, reads in that transaction."""
        rows = await self.database.fetch(_CHOSEN, {"scope": scope, "of": of}, within)
        return {row.key: row.value for row in rows}

    async def choose(self, scope: str, of: int, key: str, value: str) -> None:
        row = {"scope": scope, "id": of, "key": key, "value": value}
        statement = self.database.insert(preferences).values(row)
        async with self.database.writing_once() as connection:
            chosen = statement.on_conflict_do_update(index_elements=["scope", "id", "key"], set_=row)
            await connection.execute(announcing(connection, chosen, scope, of))


class PlayerNameRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def name(self, user_id: int, name: str, now: int) -> None:
        """Stores a user's name and when they were met, unless both are known to the day."""
        row = {"user_id": user_id, "name": name, "seen": now}
        statement = self.database.insert(player_names).values(row)
        changed = (player_names.c.name != statement.excluded.name) | (player_names.c.seen < now - DAY)
        async with self.database.writing_once() as connection:
            named = statement.on_conflict_do_update(index_elements=["user_id"], set_=row, where=changed)
            await connection.execute(announcing(connection, named, NAME, user_id))

    async def names(self, user_ids: Iterable[int]) -> dict[int, str]:
        """The names of those of the users whose names are stored."""
        rows = await self.database.fetch(_NAMES, {"user_ids": list(user_ids)})
        return {row.user_id: row.name for row in rows}
