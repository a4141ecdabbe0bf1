"""SQL for analysis boards."""

import asyncio
import json
from typing import Any

from sqlalchemy import Row, delete, insert, select, update

from bot.core.storage.database import Database
from bot.exchange.analysis import Analysis
from bot.exchange.tables import analyses
from engine.core.record import Record, load


class AnalysisRepository:
    def __init__(self, database: Database) -> None:
        self.database = database

    async def add(self, analysis: Analysis, now: int, most: int) -> None:
        """Stores a new board, and deletes the user's oldest so that at most ``most`` are left."""
        row = {
            "id": analysis.id,
            "user_id": analysis.user_id,
            "games": json.dumps([str(record) for record in analysis.games]),
            "names": json.dumps(analysis.names),
            "line": "",
            "touched": now,
        }
        own = select(analyses.c.id).where(analyses.c.user_id == analysis.user_id)
        surplus = own.order_by(analyses.c.touched.desc(), analyses.c.id).offset(most)
        async with self.database.writing() as connection:
            await connection.execute(insert(analyses).values(row))
            ids = list(await connection.scalars(surplus))
            await connection.execute(delete(analyses).where(analyses.c.id.in_(ids)))

    async def get(self, analysis_id: str, user_id: int) -> Analysis | None:
        query = select(analyses).where(analyses.c.id == analysis_id, analyses.c.user_id == user_id)
        row = (await self.database.fetch(query)).one_or_none()
        # a long file takes a fifth of a second: not in the event loop
        return None if row is None else await asyncio.to_thread(_analysis, row)

    async def set_line(self, analysis: Analysis, line: Record | None, now: int) -> None:
        """Stores the owner's line, in place of the earlier one."""
        values = {"line": "" if line is None else str(line), "touched": now}
        async with self.database.writing() as connection:
            await connection.execute(update(analyses).where(analyses.c.id == analysis.id).values(values))

    async def delete_before(self, moment: int, limit: int) -> int:
        """Deletes boards that were last used before a moment, at most ``limit``. Returns their number."""
        old = select(analyses.c.id).where(analyses.c.touched < moment).order_by(analyses.c.touched).limit(limit)
        async with self.database.writing() as connection:
            return (await connection.execute(delete(analyses).where(analyses.c.id.in_(old.scalar_subquery())))).rowcount


def _analysis(row: Row[Any]) -> Analysis:
    first, second = json.loads(row.names)
    games = tuple(load(text) for text in json.loads(row.games))
    return Analysis(row.id, row.user_id, games, (first, second), load(row.line) if row.line else None)
