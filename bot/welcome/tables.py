"""The table of greeted servers. Times in ms since 1970."""

from typing import Final

from sqlalchemy import BigInteger, Column, Table

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata

greeted_servers: Final = Table(
    "greeted_servers",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("greeted_at", BigInteger, nullable=False),
)
PERSONAL_DATA: Final = (PersonalData(greeted_servers, times=("greeted_at",), others=("guild_id",)),)
"""Servers, and no users."""
