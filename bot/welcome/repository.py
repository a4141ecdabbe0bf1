"""The servers that were greeted."""

from bot.core.storage.database import Database
from bot.welcome.tables import greeted_servers


class GreetingRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, guild_id: int, now: int) -> bool:
        """Stores that a server is greeted. Returns False if it was greeted before, or another process has
        just done so.
        """
        row = {"guild_id": guild_id, "greeted_at": now}
        statement = self.database.insert(greeted_servers).values(row).on_conflict_do_nothing()
        async with self.database.writing() as connection:
            stored = await connection.execute(statement.returning(greeted_servers.c.guild_id))
            return stored.first() is not None
