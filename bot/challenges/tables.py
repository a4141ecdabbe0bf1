"""The table of challenges. Times in ms since 1970."""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
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
from bot.core.storage.tables import metadata, partial_index

OPEN: Final = "open"
ACCEPTED: Final = "accepted"
DECLINED: Final = "declined"
CANCELLED: Final = "cancelled"
EXPIRED: Final = "expired"

# Conditions of partial indexes. Queries must use the same text: with a bound parameter, SQLite ignores the index.
IS_OPEN: Final = text("status = 'open'")
IS_CLOSED: Final = text("status <> 'open'")
NOT_SHOWN: Final = text("NOT closed_shown AND status <> 'open'")
NOT_POSTED: Final = text("message_id IS NULL AND NOT closed_shown")

ONE_REMATCH: Final = "uq_challenges_open_rematch"
"""The index that allows only one open rematch challenge per game."""

challenges: Final = Table(
    "challenges",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger),
    Column("challenger", BigInteger, nullable=False),
    Column("opponent", BigInteger, comment="NULL: anyone may accept"),
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False, comment="JSON object"),
    Column("locale", String(16), nullable=False),
    Column("secret", String(128), nullable=False, comment="of the rolls; never shown"),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("status", String(16), nullable=False),
    Column("closed_shown", Boolean, nullable=False, comment="whether its message says that it is closed"),
    Column("game_id", String(16), ForeignKey("games.id")),
    Column("answered_by", BigInteger),
    Column("reserved_by", BigInteger, comment="the user whose acceptance is being carried out"),
    Column(
        "reserved_until",
        BigInteger,
        nullable=False,
        server_default="0",
        comment="after this time, others may accept again",
    ),
    Column("first", BigInteger, comment="who takes the first seat; NULL: the coin decides"),
    Column("seat", SmallInteger, comment="of the challenger, if it was chosen; NULL: drawn, unless first is set"),
    Column("rematch_of", String(16), ForeignKey("games.id")),
    Column("clock", String(64), nullable=False, server_default="", comment="the time control of the game; empty: none"),
    Column("timeout_policy", String(8), nullable=False, server_default=""),
    Column("points", SmallInteger, nullable=False, server_default="0", comment="of the match; 0: not to points"),
    Column("best_of", SmallInteger, nullable=False, server_default="1", comment="games of the series; 1: no series"),
    Column("bank", String(8), nullable=False, server_default="game", comment="game or match"),
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("rating_low", SmallInteger, comment="of who may accept; NULL: any"),
    Column("rating_high", SmallInteger),
    Column(
        "attempts", Integer, nullable=False, server_default="0", comment="how often its message has failed in a row"
    ),
    Column("next_attempt_at", BigInteger, nullable=False, server_default="0", comment="no attempt before this time"),
    CheckConstraint("status IN ('open', 'accepted', 'declined', 'cancelled', 'expired')", name="status"),
    CheckConstraint("(status = 'accepted') = (game_id IS NOT NULL)", name="accepted_has_game"),
    Index("ix_challenges_challenger", "challenger", "created"),
    Index("ix_challenges_guild", "guild_id", "created"),
    *(
        partial_index(f"ix_challenges_{name}", name, "created", where=text(given))
        for name, given in ((name, f"{name} IS NOT NULL") for name in ("opponent", "answered_by", "reserved_by"))
    ),
    partial_index(
        "ix_challenges_open",
        "expires",
        where=IS_OPEN,
    ),
    partial_index("ix_challenges_closed", "expires", where=IS_CLOSED),
    partial_index(
        "ix_challenges_unshown",
        "expires",
        where=NOT_SHOWN,
    ),
    partial_index("ix_challenges_unposted", "created", where=NOT_POSTED),
    partial_index(
        ONE_REMATCH,
        "rematch_of",
        unique=True,
        where=IS_OPEN,
    ),
)

PERSONAL_DATA: Final = (
    PersonalData(
        challenges,
        users=("challenger", "opponent", "answered_by", "reserved_by", "first"),
        found_by=("challenger", "opponent", "answered_by", "reserved_by"),
        on_deletion=OnDeletion.REPLACE_ID,
        times=("created", "expires", "reserved_until", "next_attempt_at"),
        others=("guild_id", "channel_id", "message_id"),
        withheld=("secret", "attempts", "next_attempt_at", "closed_shown", "reserved_by", "reserved_until"),
    ),
)
