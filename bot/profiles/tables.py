"""The leaderboards: derived from ratings, games and preferences, so that a page is one range of an index."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Double, Index, Integer, String, Table, text

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata, partial_index

EVERYBODY: Final = 0
"""The server id of the leaderboard of all servers."""
IS_LISTED: Final = text("listed IS TRUE")

leaderboard: Final = Table(
    "leaderboard",
    metadata,
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False, comment="0: all servers together"),
    Column("game", String(32), primary_key=True),
    Column("pace", String(16), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("rating", Double, nullable=False),
    Column("contests", Integer, nullable=False),
    Column("listed", Boolean, nullable=False, comment="not while the rating is provisional or the player hides"),
    partial_index(
        "ix_leaderboard_rating",
        "guild_id",
        "game",
        "pace",
        "rating",
        "user_id",
        where=IS_LISTED,
    ),
    Index("ix_leaderboard_user_id", "user_id", "game", "pace"),
)

PERSONAL_DATA: Final = (PersonalData(leaderboard, users=("user_id",), others=("guild_id",)),)
