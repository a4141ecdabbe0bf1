"""The tables. Times are whole milliseconds since 1970 (an entry's: since its game started); ids of Discord 64 bits.

A game's row holds its header, where and by whom it is played, and columns that follow from its entries
(``derived``): those can be rebuilt at any time, the rest cannot.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

NAMES: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
metadata: Final = MetaData(naming_convention=NAMES)

RUNNING: Final = "running"
OVER: Final = "over"
OPEN: Final = "open"
ACCEPTED: Final = "accepted"
DECLINED: Final = "declined"
CANCELLED: Final = "cancelled"
EXPIRED: Final = "expired"
USER: Final = "user"
SERVER: Final = "server"

# Conditions of partial indexes. Queries use the very same: given a parameter instead of the word in it, SQLite would
# not see that the index serves.
IS_RUNNING: Final = text("status = 'running'")
TO_SHOW: Final = text("shown_seq < seq")
IS_OPEN: Final = text("status = 'open'")
UNTOLD: Final = text("NOT closed_shown")
UNHEARD: Final = text("NOT told")
IS_OVER: Final = text("status = 'over'")
IS_TIMED: Final = text("deadline IS NOT NULL")
IS_HINDERED: Final = text("hindrance <> ''")
IS_PENDING: Final = text("state = 'pending'")
IS_FAILED: Final = text("state = 'failed'")
IS_DONE: Final = text("state IN ('sent', 'void')")

games: Final = Table(
    "games",
    metadata,
    Column("id", String(16), primary_key=True),
    # the header of the record
    Column("game", String(32), nullable=False),
    Column("version", Integer, nullable=False),
    Column("options", Text, nullable=False, comment="JSON object, in the order of the record"),
    Column("position", Text, nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("clock", String(64), nullable=False, server_default="", comment="the time control's text; empty: none"),
    Column("timeout", String(8), nullable=False, server_default="", comment="loss or claim, where there is a clock"),
    # who plays it, where
    Column("seat0", BigInteger, nullable=False),
    Column("seat1", BigInteger, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("locale", String(16), nullable=False),
    # luck still to come: shown to nobody before its roll
    Column("secret", String(128), nullable=False),
    # what the players have been shown
    Column("shown_seq", Integer, nullable=False, comment="-1: not even the start"),
    Column("message_id", BigInteger),
    Column("tries", Integer, nullable=False, server_default="0", comment="how often its message has failed in a row"),
    Column("try_at", BigInteger, nullable=False, server_default="0", comment="not before"),
    Column("hindrance", String(64), nullable=False, server_default="", comment="why the board cannot be shown"),
    Column("hindrance_told", SmallInteger, nullable=False, server_default="0", comment="bit 0 and 1: the seats told"),
    # derived from the entries
    Column("seq", Integer, nullable=False),
    Column("to_act", SmallInteger, comment="the seat whose turn it is; NULL when over"),
    Column("status", String(16), nullable=False),
    Column("moved", BigInteger, nullable=False, comment="the time of the last entry"),
    Column("points0", Integer),
    Column("points1", Integer),
    Column("reason", String(64)),
    Column("ended", BigInteger),
    Column("deadline", BigInteger, comment="when the time of the seat to act is up, the grace included"),
    Column("counts", Boolean, comment="whether the result counts for ratings; NULL while running"),
    # who sees to the deadline just now
    Column("leased_until", BigInteger, nullable=False, server_default="0"),
    CheckConstraint("status IN ('running', 'over')", name="status"),
    CheckConstraint("shown_seq <= seq", name="shown_seq"),
    Index(
        "uq_games_running_channel",
        "channel_id",
        unique=True,
        sqlite_where=IS_RUNNING,
        postgresql_where=IS_RUNNING,
    ),
    Index("ix_games_channel_id_moved", "channel_id", "moved"),
    Index("ix_games_seat0_status", "seat0", "status"),
    Index("ix_games_seat1_status", "seat1", "status"),
    Index("ix_games_seat0_ended", "seat0", "ended", sqlite_where=IS_OVER, postgresql_where=IS_OVER),
    Index("ix_games_seat1_ended", "seat1", "ended", sqlite_where=IS_OVER, postgresql_where=IS_OVER),
    Index("ix_games_hindered", "seat0", "seat1", sqlite_where=IS_HINDERED, postgresql_where=IS_HINDERED),
    Index("ix_games_deadline", "deadline", sqlite_where=IS_TIMED, postgresql_where=IS_TIMED),
    Index(
        "ix_games_to_show",
        "moved",
        sqlite_where=TO_SHOW,
        postgresql_where=TO_SHOW,
    ),
)

entries: Final = Table(
    "entries",
    metadata,
    Column("game_id", String(16), ForeignKey("games.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, comment="0 for the first entry"),
    Column("at", BigInteger, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("seat", SmallInteger, nullable=False, comment="-1 for luck"),
    Column("body", Text, nullable=False),
)

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
    Column("secret", String(128), nullable=False, comment="of the first roll, shown to nobody before it"),
    Column("created", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("status", String(16), nullable=False),
    Column("closed_shown", Boolean, nullable=False, comment="whether its message says that it is closed"),
    Column("game_id", String(16), ForeignKey("games.id")),
    Column("answered_by", BigInteger),
    Column("first", BigInteger, comment="who takes the first seat; NULL: the coin decides"),
    Column("rematch_of", String(16), ForeignKey("games.id")),
    Column("clock", String(64), nullable=False, server_default="", comment="as of the game to come"),
    Column("timeout", String(8), nullable=False, server_default=""),
    Column("tries", Integer, nullable=False, server_default="0", comment="how often its message has failed in a row"),
    Column("try_at", BigInteger, nullable=False, server_default="0", comment="not before"),
    CheckConstraint("status IN ('open', 'accepted', 'declined', 'cancelled', 'expired')", name="status"),
    CheckConstraint("(status = 'accepted') = (game_id IS NOT NULL)", name="accepted_has_game"),
    Index(
        "ix_challenges_open",
        "expires",
        sqlite_where=IS_OPEN,
        postgresql_where=IS_OPEN,
    ),
    Index(
        "ix_challenges_unshown",
        "expires",
        sqlite_where=UNTOLD,
        postgresql_where=UNTOLD,
    ),
    Index(
        "uq_challenges_open_rematch",
        "rematch_of",
        unique=True,
        sqlite_where=IS_OPEN,
        postgresql_where=IS_OPEN,
    ),
)

preferences: Final = Table(
    "preferences",
    metadata,
    Column("scope", String(8), primary_key=True),
    Column("id", BigInteger, primary_key=True, autoincrement=False, comment="of the user or the server"),
    Column("key", String(32), primary_key=True),
    Column("value", String(64), nullable=False),
    CheckConstraint("scope IN ('user', 'server')", name="scope"),
)

people: Final = Table(
    "people",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("seen", BigInteger, nullable=False, comment="when they were first met under that name"),
)

troubles: Final = Table(
    "troubles",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("guild_id", BigInteger, comment="NULL: in direct messages"),
    Column("channel_id", BigInteger, nullable=False),
    Column("permission", String(64), nullable=False, comment="the one that is missing"),
    Column("at", BigInteger, nullable=False),
    Column("told", Boolean, nullable=False, comment="whether somebody who can mend it knows"),
    UniqueConstraint("channel_id", "permission"),
    Index("ix_troubles_untold", "guild_id", sqlite_where=UNHEARD, postgresql_where=UNHEARD),
)

lessons: Final = Table(
    "lessons",
    metadata,
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("lesson", String(64), primary_key=True),
    Column("done_at", BigInteger, nullable=False),
)

vacations: Final = Table(
    "vacations",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False, comment="brought forward by who comes back early"),
    CheckConstraint("since < until", name="interval"),
    Index("ix_vacations_user_id_until", "user_id", "until"),
)

beats: Final = Table(
    "beats",
    metadata,
    Column("lane", Integer, primary_key=True, autoincrement=False, comment="a shard"),
    Column("lanes", Integer, primary_key=True, autoincrement=False, comment="how many there are"),
    Column("at", BigInteger, nullable=False, comment="when moves of that lane were last taken"),
)

outages: Final = Table(
    "outages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("lane", Integer, nullable=False),
    Column("lanes", Integer, nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger, nullable=False),
    CheckConstraint("since < until", name="interval"),
    UniqueConstraint("lane", "lanes", "since"),
    Index("ix_outages_until", "until"),
)

old_boards: Final = Table(
    "old_boards",
    metadata,
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("removed", Boolean, nullable=False, comment="whether it is to go, or to lose its buttons"),
    Column("tries", Integer, nullable=False),
    Column("try_at", BigInteger, nullable=False),
    Index("ix_old_boards_try_at", "try_at"),
)

notices: Final = Table(
    "notices",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("key", String(96), nullable=False, unique=True, comment="user, game, seq, kind, n: nothing is told twice"),
    Column("user_id", BigInteger, nullable=False),
    Column("game_id", String(16), ForeignKey("games.id")),
    Column("seq", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("n", Integer, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger),
    Column("body", Text, nullable=False, comment="JSON object: the parameters of its text"),
    Column("due", BigInteger, nullable=False),
    Column("state", String(8), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("try_at", BigInteger, nullable=False, comment="not before: due, back-off or lease"),
    Column("via", String(8), nullable=False, comment="how it reached the user"),
    Column("sent_to", BigInteger, comment="the channel in which it may have arrived"),
    CheckConstraint("state IN ('pending', 'sent', 'failed', 'void')", name="state"),
    Index("ix_notices_pending", "try_at", sqlite_where=IS_PENDING, postgresql_where=IS_PENDING),
    Index("ix_notices_game", "game_id", sqlite_where=IS_PENDING, postgresql_where=IS_PENDING),
    Index("ix_notices_failed", "user_id", sqlite_where=IS_FAILED, postgresql_where=IS_FAILED),
    Index("ix_notices_done", "due", sqlite_where=IS_DONE, postgresql_where=IS_DONE),
)

plans: Final = Table(
    "plans",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", String(16), ForeignKey("games.id"), nullable=False),
    Column("seat", SmallInteger, nullable=False, comment="whose plan it is"),
    Column("parent", Integer, ForeignKey("plans.id"), comment="the plan after whose reply it comes; NULL: next"),
    Column("their", Text, nullable=False, comment="what the other side plays"),
    Column("reply", Text, comment="what is played then, or resign; NULL: not said yet"),
    Column("lasting", Boolean, nullable=False, comment="whether it waits until it is used, a call's answer"),
    Column("created", BigInteger, nullable=False),
    Index("ix_plans_game_id", "game_id"),
    Index("ix_plans_parent", "parent"),
    sqlite_autoincrement=True,  # a button may still name a plan that is gone: its number never comes back
)
