"""The lessons that users have done."""

from sqlalchemy import delete, select

from bot.core.storage.database import Database
from bot.learn.tables import lessons


class LessonRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def done(self, user_id: int, game: str) -> set[str]:
        query = select(lessons.c.lesson).where(lessons.c.user_id == user_id, lessons.c.game == game)
        return set((await self.database.fetch(query)).scalars())

    async def add(self, user_id: int, game: str, lesson: str, now: int) -> None:
        """Stores a lesson as done. A repeated lesson keeps its first time."""
        row = {"user_id": user_id, "game": game, "lesson": lesson, "done_at": now}
        statement = self.database.insert(lessons).values(row).on_conflict_do_nothing()
        async with self.database.writing() as connection:
            await connection.execute(statement)

    async def remove(self, user_id: int, game: str) -> None:
        statement = delete(lessons).where(lessons.c.user_id == user_id, lessons.c.game == game)
        async with self.database.writing() as connection:
            await connection.execute(statement)
