"""Locks that a transaction holds until it ends."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection


async def lock_user(connection: AsyncConnection, user_id: int) -> None:
    """Locks a user until the transaction ends, waiting if needed. SQLite needs no lock: it has one writer at a time."""
    if connection.dialect.name == "postgresql":
        await connection.execute(select(func.pg_advisory_xact_lock(user_id)))
