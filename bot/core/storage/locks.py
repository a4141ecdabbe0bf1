"""Locks that a transaction holds until it ends."""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection


async def lock_user(connection: AsyncConnection, user_id: int) -> None:
    """Waits until no other transaction that asks for the same user is under way. SQLite's writers are alone anyway."""
    if connection.dialect.name == "postgresql":
        await connection.execute(select(func.pg_advisory_xact_lock(user_id)))
