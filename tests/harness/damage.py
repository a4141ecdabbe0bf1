"""Damage in the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from bot.core.storage.database import Database


async def spoil(database: Database, statement: str, **values: object) -> None:
    """Changes rows, for example so that they cannot be read any more."""
    async with database.writing() as connection:
        assert (await connection.execute(text(statement), values)).rowcount
