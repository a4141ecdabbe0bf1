"""The table of matches: a row for each match to points and each series.

A row holds the match's header, its players and place, and columns that are derived from the records of its games
(``derived``). Derived columns can be rebuilt at any time; the others cannot. Times are in ms since 1970.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    Index,
    Integer,
    SmallInteger,
    String,
    Table,
    Text,
    false,
    text,
)

from bot.core.personal_data import OnDeletion, PersonalData
from bot.core.storage.tables import metadata

RUNNING: Final = "running"
OVER: Final = "over"

# The condition of partial indexes. Queries must use the same text.
IS_OVER: Final = text("status = 'over'")

matches: Final = Table(
    "matches",
    metadata,
    Column("id", String(16), primary_key=True),
    # the header
    Column("game", String(32), nullable=False),
    Column("version", Integer, nullable=False),
    Column("options", Text, nullable=False, comment="JSON object: what all games share"),
    Column("points", SmallInteger, nullable=False, comment="of the match; 0: not to points"),
    Column("best_of", SmallInteger, nullable=False, comment="games of the series; 1: no series"),
    Column("bank", String(8), nullable=False, comment="game or match"),
    Column("clock", String(64), nullable=False, comment="the time control's text; empty: none"),
    Column("timeout_policy", String(8), nullable=False),
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("started", BigInteger, nullable=False),
    # players and place; player 0 has the first seat in the first game
    Column("player0", BigInteger, nullable=False),
    Column("player1", BigInteger, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("locale", String(16), nullable=False),
    # derived from the games
    Column("results", Text, nullable=False, comment="JSON list: the result of each finished game"),
    Column("score0", Float, nullable=False, comment="a drawn game of a series counts a half"),
    Column("score1", Float, nullable=False),
    Column("status", String(16), nullable=False),
    Column("winner", SmallInteger, comment="0 or 1; NULL while running, or if nobody won"),
    Column("reason", String(64)),
    Column("counts", Boolean, comment="whether the result counts for ratings; NULL while running"),
    Column("ended", BigInteger),
    CheckConstraint("status IN ('running', 'over')", name="status"),
    Index("ix_matches_player0_ended", "player0", "ended"),
    Index("ix_matches_player1_ended", "player1", "ended"),
)

PERSONAL_DATA: Final = (
    PersonalData(
        matches,
        users=("player0", "player1"),
        on_deletion=OnDeletion.REPLACE_ID,
        times=("started", "ended"),
        others=("guild_id", "channel_id"),
    ),
)
