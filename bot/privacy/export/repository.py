"""SQL for exports: a user's rows of each table, in pages."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from sqlalchemy import and_, func, select, tuple_

from bot.core.personal_data import PersonalData
from bot.core.storage.database import Database

PAGE: Final = 500
"""Rows read at once."""


class ExportRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def counts(self, tables: Sequence[PersonalData], user_id: int) -> dict[str, int]:
        """Returns the number of the user's rows in each table. Tables without any are left out."""
        found = {}
        async with self.database.reading() as connection:
            for data in tables:
                query = select(func.count()).select_from(data.table).where(data.belongs_to(user_id))
                found[data.name] = await connection.scalar(query) or 0
        return {name: count for name, count in found.items() if count}

    async def pages(self, data: PersonalData, user_id: int) -> AsyncIterator[list[dict[str, Any]]]:
        """Yields the user's rows of a table, in the order of its primary key, without the withheld columns."""
        keys = list(data.table.primary_key.columns)
        after: tuple[Any, ...] | None = None
        while True:
            where = data.belongs_to(user_id)
            if after is not None:
                where = and_(where, tuple_(*keys) > after)
            query = select(data.table).where(where).order_by(*keys).limit(PAGE)
            rows = (await self.database.fetch(query)).mappings().all()
            if rows:
                yield [{name: value for name, value in row.items() if name not in data.withheld} for row in rows]
            if len(rows) < PAGE:
                return
            after = tuple(rows[-1][key.name] for key in keys)
