"""Tells the other processes on the same PostgreSQL what a transaction has changed, so that they forget old values."""

from functools import lru_cache
from typing import Final, TypeVar

from sqlalchemy import Insert, Text, Update, bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.core.storage.writing.writes import SHAPES, Bound, Statement, plain

S = TypeVar("S", Insert, Update, Bound)

CHANNEL: Final = "abakbot"
"""The channel of LISTEN and NOTIFY."""
ANNOUNCED: Final = "announced"
ORIGIN: Final = "abakbot_origin"
"""The option of a connection that says which process writes: it ignores its own announcements."""


def announcing(connection: AsyncConnection, statement: S, kind: str, key: object) -> S:
    """The statement, which also announces the change if it changes a row, at the commit and without a round trip more.

    SQLite needs no announcement: it has one process.
    """
    if connection.dialect.name != "postgresql":
        return statement
    if isinstance(statement, Bound):
        values = {**statement.values, ANNOUNCED: _text(connection, kind, key)}
        return Bound(_announced(statement.statement), values)
    return statement.returning(func.pg_notify(CHANNEL, _text(connection, kind, key)).label(ANNOUNCED))


@lru_cache(SHAPES)
def _announced(statement: Statement) -> Statement:
    return statement.returning(func.pg_notify(CHANNEL, bindparam(ANNOUNCED, type_=Text)).label(ANNOUNCED))


def _text(connection: AsyncConnection, kind: str, key: object) -> str:
    origin = plain(connection).get_execution_options().get(ORIGIN, "")
    return f"{origin} {kind} {key}"


async def announce(connection: AsyncConnection, kind: str, key: object) -> None:
    """Announces a change when the transaction commits."""
    if connection.dialect.name == "postgresql":
        await connection.execute(select(func.pg_notify(CHANNEL, _text(connection, kind, key))))
