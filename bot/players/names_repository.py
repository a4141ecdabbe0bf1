"""The names of users."""

from collections.abc import Iterable

from sqlalchemy import select

from bot.core.database import Database
from bot.players.tables import people


class PlayerNameRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def name(self, user_id: int, name: str, now: int) -> None:
        """Keeps a user's name; where it is the same already, nothing is written."""
        row = {"user_id": user_id, "name": name, "seen": now}
        statement = self.database.insert(people).values(row)
        changed = people.c.name != statement.excluded.name
        async with self.database.writing() as connection:
            await connection.execute(
                statement.on_conflict_do_update(index_elements=["user_id"], set_=row, where=changed)
            )

    async def names(self, user_ids: Iterable[int]) -> dict[int, str]:
        """The names of those who are known."""
        query = select(people.c.user_id, people.c.name).where(people.c.user_id.in_(list(user_ids)))
        async with self.database.reading() as connection:
            return {row.user_id: row.name for row in await connection.execute(query)}
