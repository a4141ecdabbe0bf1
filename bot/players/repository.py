"""What users and servers have chosen, word for word."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.database import Database
from bot.players.tables import preferences


class PreferenceRepository:
    """``scope`` is ``user`` or ``server`` (schema.USER, schema.SERVER)."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def chosen(self, scope: str, of: int, within: AsyncConnection | None = None) -> dict[str, str]:
        """What that user or server has set, and nothing else; read ``within`` the caller's transaction, if given."""
        query = select(preferences.c.key, preferences.c.value).where(
            preferences.c.scope == scope, preferences.c.id == of
        )
        if within is not None:
            return {row.key: row.value for row in await within.execute(query)}
        async with self.database.reading() as connection:
            return {row.key: row.value for row in await connection.execute(query)}

    async def choose(self, scope: str, of: int, key: str, value: str) -> None:
        row = {"scope": scope, "id": of, "key": key, "value": value}
        statement = self.database.insert(preferences).values(row)
        async with self.database.writing() as connection:
            await connection.execute(statement.on_conflict_do_update(index_elements=["scope", "id", "key"], set_=row))
