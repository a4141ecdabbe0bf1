"""The table of conditional moves. Times in ms since 1970."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, SmallInteger, String, Table, Text

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata

conditional_moves: Final = Table(
    "conditional_moves",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", String(16), ForeignKey("games.id"), nullable=False),
    Column("seat", SmallInteger, nullable=False, comment="the seat that plays the reply"),
    Column(
        "parent_id",
        Integer,
        ForeignKey("conditional_moves.id"),
        comment="the conditional move it follows; NULL: it may come next",
    ),
    Column("condition", Text, nullable=False, comment="what the other side plays"),
    Column("reply", Text, comment="what is played then, or resign; NULL: not chosen yet"),
    Column(
        "persistent",
        Boolean,
        nullable=False,
        comment="whether it stays until it is used, such as an answer to a double",
    ),
    Column("created", BigInteger, nullable=False),
    Index("ix_conditional_moves_game_id", "game_id"),
    Index("ix_conditional_moves_parent_id", "parent_id"),
    sqlite_autoincrement=True,  # ids are never reused, as a button may name a deleted move
)

PERSONAL_DATA: Final = (PersonalData(conditional_moves, times=("created",)),)
