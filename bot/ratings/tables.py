"""The tables of ratings. All but the order of contests follows from their records. Times in ms.

The times do not tell the order in which contests changed ratings: the end of a game on time has the time of its clock,
and may be noticed after a later one. The order is the number ``seq``, given while both players are locked.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    SmallInteger,
    String,
    Table,
    UniqueConstraint,
)

from bot.core.personal_data import OnDeletion, PersonalData
from bot.core.storage.tables import metadata

rated_contests: Final = Table(
    "rated_contests",
    metadata,
    Column("seq", Integer, primary_key=True, comment="the order of contests"),
    Column("contest_id", String(16), nullable=False, comment="of the game or the match"),
    Column("is_match", Boolean, nullable=False),
    Column("counted", Boolean, nullable=False, comment="false: beyond the daily limit of its players"),
    UniqueConstraint("contest_id", name="uq_rated_contests_contest_id"),
)

ratings: Final = Table(
    "ratings",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("pace", String(16), primary_key=True),
    Column("rating", Double, nullable=False),
    Column("deviation", Double, nullable=False, comment="at last_at; it grows with time"),
    Column("volatility", Double, nullable=False),
    Column("contests", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("draws", Integer, nullable=False),
    Column("losses", Integer, nullable=False),
    Column("last_at", BigInteger, nullable=False, comment="when the latest contest ended"),
    CheckConstraint("contests = wins + draws + losses", name="contests"),
    Index("ix_ratings_game_pace_rating", "game", "pace", "rating"),
)

rating_changes: Final = Table(
    "rating_changes",
    metadata,
    Column("contest_id", String(16), ForeignKey("rated_contests.contest_id"), primary_key=True),
    Column("player", SmallInteger, primary_key=True, comment="0 or 1, as in the contest"),
    Column("seq", Integer, nullable=False, comment="as in rated_contests"),
    Column("user_id", BigInteger, nullable=False),
    Column("opponent_id", BigInteger, nullable=False),
    Column("game", String(32), nullable=False),
    Column("pace", String(16), nullable=False),
    Column("score", Double, nullable=False, comment="1, 0.5 or 0"),
    Column("weight", Double, nullable=False),
    Column("rating_before", Double, nullable=False),
    Column("deviation_before", Double, nullable=False, comment="grown to the end of the contest"),
    Column("volatility_before", Double, nullable=False),
    Column("rating_after", Double, nullable=False),
    Column("deviation_after", Double, nullable=False),
    Column("volatility_after", Double, nullable=False),
    Column("ended", BigInteger, nullable=False, comment="when the contest ended"),
    Index("ix_rating_changes_user_id_game_pace_seq", "user_id", "game", "pace", "seq"),
    Index("ix_rating_changes_opponent_id", "opponent_id"),
    Index("ix_rating_changes_user_id_opponent_id_ended", "user_id", "opponent_id", "ended"),
)

PERSONAL_DATA: Final = (
    # ids are replaced, not deleted, so that the opponents' ratings can still be recomputed
    PersonalData(ratings, users=("user_id",), on_deletion=OnDeletion.REPLACE_ID, times=("last_at",)),
    PersonalData(rating_changes, users=("user_id", "opponent_id"), on_deletion=OnDeletion.REPLACE_ID, times=("ended",)),
)
