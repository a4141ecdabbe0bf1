"""What is kept about people and servers: preferences, names, lessons done."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Table, select
from sqlalchemy.dialects import postgresql, sqlite

from bot.store.db import Database
from bot.store.schema import lessons, people, preferences


class PeopleStore:
    """Reads and writes single rows; the last writer wins."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def preferences(self, scope: str, id_: int) -> dict[str, str]:
        """The choices that differ from a default or were made at some time, by key."""
        query = select(preferences.c.key, preferences.c.value).where(
            preferences.c.scope == scope, preferences.c.id == id_
        )
        async with self.database.reading() as connection:
            return {key: value for key, value in (await connection.execute(query)).all()}  # noqa: C416  rows, not pairs

    async def prefer(self, scope: str, id_: int, key: str, value: str) -> None:
        await self._put(preferences, {"scope": scope, "id": id_, "key": key}, {"value": value})

    async def names(self, user_ids: Iterable[int]) -> dict[int, str]:
        """The names of those who are known."""
        query = select(people.c.user_id, people.c.name).where(people.c.user_id.in_(list(user_ids)))
        async with self.database.reading() as connection:
            return {user_id: name for user_id, name in (await connection.execute(query)).all()}  # noqa: C416

    async def call(self, user_id: int, name: str) -> None:
        await self._put(people, {"user_id": user_id}, {"name": name})

    async def lessons(self, user_id: int, game: str) -> set[str]:
        """The lessons of a game that a user has done."""
        query = select(lessons.c.lesson).where(lessons.c.user_id == user_id, lessons.c.game == game)
        async with self.database.reading() as connection:
            return set((await connection.scalars(query)).all())

    async def done(self, user_id: int, game: str, lesson: str) -> None:
        await self._put(lessons, {"user_id": user_id, "game": game, "lesson": lesson}, {})

    async def _put(self, table: Table, key: Mapping[str, Any], values: Mapping[str, Any]) -> None:
        dialect: Any = sqlite if self.database.engine.dialect.name == "sqlite" else postgresql
        statement = dialect.insert(table).values({**key, **values})
        if values:
            statement = statement.on_conflict_do_update(index_elements=list(key), set_=dict(values))
        else:
            statement = statement.on_conflict_do_nothing(index_elements=list(key))
        async with self.database.writing() as connection:
            await connection.execute(statement)
