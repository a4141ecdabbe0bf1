"""The outbox: the table of notifications. Times in ms since 1970."""

from typing import Final

from sqlalchemy import BigInteger, CheckConstraint, Column, ForeignKey, Index, Integer, String, Table, Text, text

from bot.core.personal_data import PersonalData
from bot.core.storage.tables import metadata, partial_index

# Conditions of partial indexes. Queries must use the same text: with a bound parameter, SQLite ignores the index.
IS_PENDING: Final = text("state = 'pending'")
IS_FAILED: Final = text("state = 'failed'")
IS_DONE: Final = text("state <> 'pending'")
HAS_SUBJECT: Final = text("subject <> ''")

notifications: Final = Table(
    "notifications",
    metadata,
    Column("id", String(16), primary_key=True),
    Column(
        "key",
        String(128),
        nullable=False,
        unique=True,
        comment="user, subject or game, seq, kind, n: nothing is sent twice",
    ),
    Column("user_id", BigInteger, nullable=False),
    Column("game_id", String(16), ForeignKey("games.id")),
    Column("subject", String(32), nullable=False, comment="what another room's is about; empty: a game, or a digest"),
    Column("seq", Integer, nullable=False),
    Column("kind", String(32), nullable=False),
    Column("n", Integer, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger),
    Column("body", Text, nullable=False, comment="JSON object: the parameters of its text"),
    Column("due", BigInteger, nullable=False),
    Column("state", String(8), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column(
        "next_attempt_at",
        BigInteger,
        nullable=False,
        comment="no attempt before: when it is due, after a failure, or while leased",
    ),
    Column("via", String(8), nullable=False, comment="how it reached the user"),
    Column("sent_to", BigInteger, comment="the channel it was last sent to, where it may have arrived"),
    CheckConstraint("state IN ('pending', 'sent', 'failed', 'void', 'digest')", name="state"),
    partial_index("ix_notifications_pending", "next_attempt_at", where=IS_PENDING),
    partial_index("ix_notifications_game", "game_id", where=IS_PENDING),
    partial_index("ix_notifications_subject", "subject", where=HAS_SUBJECT),
    Index("ix_notifications_user_id_state_kind", "user_id", "state", "kind"),
    partial_index("ix_notifications_done", "due", where=IS_DONE),
)

PERSONAL_DATA: Final = (
    PersonalData(
        notifications,
        users=("user_id",),  # the key holds the id, too
        times=("due", "next_attempt_at"),
        others=("guild_id", "channel_id", "sent_to"),
        withheld=("key", "next_attempt_at"),
    ),
)
