"""The table of conditional moves. Times in ms since 1970."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, SmallInteger, String, Table, Text

from bot.core.tables import metadata

plans: Final = Table(
    "plans",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", String(16), ForeignKey("games.id"), nullable=False),
    Column("seat", SmallInteger, nullable=False, comment="whose plan it is"),
    Column("parent", Integer, ForeignKey("plans.id"), comment="the plan after whose reply it comes; NULL: next"),
    Column("their", Text, nullable=False, comment="what the other side plays"),
    Column("reply", Text, comment="what is played then, or resign; NULL: not said yet"),
    Column("persistent", Boolean, nullable=False, comment="whether it waits until it is used, a call's answer"),
    Column("created", BigInteger, nullable=False),
    Index("ix_plans_game_id", "game_id"),
    Index("ix_plans_parent", "parent"),
    sqlite_autoincrement=True,  # a button may still name a plan that is gone: its number never comes back
)
