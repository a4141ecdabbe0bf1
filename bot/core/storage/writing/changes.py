"""Tells the other processes on the same PostgreSQL what a transaction has changed, so that they forget old values."""

from typing import Final, TypeVar

from sqlalchemy import Insert, Update, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.writing.writes import plain

S = TypeVar("S", Insert, Update)

CHANNEL: Final = "abakbot"
"""The channel of LISTEN and NOTIFY."""
ORIGIN: Final = "abakbot_origin"
"""The option of a connection that says which process writes: it ignores its own announcements."""


def announcing(connection: AsyncConnection, statement: S, kind: str, key: object) -> S:
    """The statement, which also announces the change if it changes a row, at the commit and without a round trip more.

    SQLite needs no announcement: it has one process.
    """
    if connection.dialect.name != "postgresql":
        return statement
    origin = plain(connection).get_execution_options().get(ORIGIN, "")
    return statement.returning(func.pg_notify(CHANNEL, f"{origin} {kind} {key}").label("announced"))


async def announce(connection: AsyncConnection, kind: str, key: object) -> None:
    """Announces a change when the transaction commits."""
    if connection.dialect.name == "postgresql":
        origin = plain(connection).get_execution_options().get(ORIGIN, "")
        await connection.execute(select(func.pg_notify(CHANNEL, f"{origin} {kind} {key}")))
