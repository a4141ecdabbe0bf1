"""Tells the other processes on the same PostgreSQL what a transaction has changed, so that they forget old values."""

from typing import Any, Final

from sqlalchemy import ColumnElement, Update, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

CHANNEL: Final = "abakbot"
"""The channel of LISTEN and NOTIFY."""
ORIGIN: Final = "abakbot_origin"
"""The option of a connection that says which process writes: it ignores its own announcements."""


async def announce(connection: AsyncConnection, kind: str, key: object) -> None:
    """Announces a change when the transaction commits. SQLite needs no announcement: it has one process."""
    if (announcement := _announcement(connection, kind, key)) is not None:
        await connection.execute(select(announcement))


async def execute_announced(connection: AsyncConnection, statement: Update, kind: str, key: object) -> int:
    """Executes an UPDATE and announces it without another round trip. Returns how many rows were changed."""
    announcement = _announcement(connection, kind, key)
    result = await connection.execute(statement if announcement is None else statement.returning(announcement))
    return int(result.rowcount) if announcement is None else len(result.all())


def _announcement(connection: AsyncConnection, kind: str, key: object) -> ColumnElement[Any] | None:
    """The announcement as an expression. None on SQLite."""
    if connection.dialect.name != "postgresql":
        return None
    origin = connection.sync_connection.get_execution_options().get(ORIGIN, "") if connection.sync_connection else ""
    return func.pg_notify(CHANNEL, f"{origin} {kind} {key}")
