"""The tables of names and preferences. Times in ms since 1970."""

from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, Column, Index, String, Table

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata

USER: Final = "user"
SERVER: Final = "server"

preferences: Final = Table(
    "preferences",
    metadata,
    Column("scope", String(8), primary_key=True),
    Column("id", BigInteger, primary_key=True, autoincrement=False, comment="of the user or the server"),
    Column("key", String(32), primary_key=True),
    Column("value", String(64), nullable=False),
    CheckConstraint("scope IN ('user', 'server')", name="scope"),
)

player_names: Final = Table(
    "player_names",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("seen", BigInteger, nullable=False, comment="when they were last met, to the day"),
    Index("ix_player_names_seen", "seen"),
)

PERSONAL_DATA: Final = (
    PersonalData(preferences, users=("id",), only=preferences.c.scope == USER),
    PersonalData(player_names, users=("user_id",), times=("seen",)),
)
