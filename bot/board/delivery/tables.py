"""The tables of permission issues and of old boards that have to be tidied. Times in ms since 1970."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Index,
    Integer,
    String,
    Table,
    TextClause,
    UniqueConstraint,
    case,
    text,
)

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata, partial_index
from bot.games.tables import IS_UNDELIVERED, games

# Conditions of partial indexes. Queries must use the same text: with a bound parameter, SQLite ignores the index.
IS_NOT_REPORTED: Final = text("NOT reported")

permission_issues: Final = Table(
    "permission_issues",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("guild_id", BigInteger, comment="NULL: in direct messages"),
    Column("channel_id", BigInteger, nullable=False),
    Column("permission", String(64), nullable=False, comment="the one that is missing"),
    Column("at", BigInteger, nullable=False),
    Column("reported", Boolean, nullable=False, comment="whether a user who can fix it has been told"),
    UniqueConstraint("channel_id", "permission"),
    partial_index("ix_permission_issues_not_reported", "guild_id", where=IS_NOT_REPORTED),
)

old_boards: Final = Table(
    "old_boards",
    metadata,
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("removed", Boolean, nullable=False, comment="true: it is deleted; false: it loses its buttons"),
    Column("attempts", Integer, nullable=False),
    Column("next_attempt_at", BigInteger, nullable=False),
    Index("ix_old_boards_next_attempt_at", "next_attempt_at"),
)

PERSONAL_DATA: Final = (
    PersonalData(permission_issues, times=("at",), others=("guild_id", "channel_id")),
    PersonalData(old_boards, times=("next_attempt_at",), others=("message_id", "guild_id", "channel_id")),
)


def undelivered_of(user_id: ColumnElement[int]) -> tuple[ColumnElement[bool] | TextClause, ...]:
    """Returns the condition that a game is one of the user's, and that its board cannot be posted."""
    # few games match IS_UNDELIVERED, so its index is short; the seats are compared in the rows that it finds
    return IS_UNDELIVERED, user_id.in_([games.c.seat0, games.c.seat1])


def untold(user_id: ColumnElement[int]) -> tuple[ColumnElement[bool] | TextClause, ...]:
    """Returns the condition that the user has not been told about an undelivered board."""
    # without a condition on the seats, which would make the database use their long indexes
    bit = case((games.c.seat0 == user_id, 1), else_=2)
    return *undelivered_of(user_id), games.c.delivery_error_informed.op("&")(bit) == 0
