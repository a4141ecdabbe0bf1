"""The tables of games: a row for each game, the entries of its record, and a snapshot of a long game.

A game's row holds its header, its place and players, and columns that are derived from its entries (``derived``).
Derived columns can be rebuilt at any time; the others cannot. Times are in ms since 1970; an entry's time is in ms
since its game started.
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
    LargeBinary,
    SmallInteger,
    String,
    Table,
    Text,
    false,
    text,
)

from bot.core.personal_data import OnDeletion, PersonalData
from bot.core.storage.tables import metadata, partial_index

RUNNING: Final = "running"
OVER: Final = "over"

# Conditions of partial indexes. Queries must use the same text: with a bound parameter, SQLite ignores the index.
IS_RUNNING: Final = text("status = 'running'")
TO_SHOW: Final = text("shown_seq < seq AND NOT server_gone")
IS_OVER: Final = text("status = 'over'")
IS_TIMED: Final = text("deadline IS NOT NULL AND NOT server_gone")
HAS_MESSAGE: Final = text("message_id IS NOT NULL")
IS_UNDELIVERED: Final = text("delivery_error <> ''")

GAME: Final = "game"
"""The kind of the announcements of changed games; the key is the game's id."""
ONE_PER_CHANNEL: Final = "uq_games_running_channel"
"""The unique index that allows only one running game per channel."""

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
    Column(
        "timeout_policy", String(8), nullable=False, server_default="", comment="loss or claim, where there is a clock"
    ),
    Column(
        "banks", String(32), nullable=False, server_default="", comment="of the seats at the start, if not the usual"
    ),
    Column("match_id", String(16), comment="NULL for a single game"),
    Column("match_game", SmallInteger, nullable=False, server_default="0", comment="from 1; 0 for a single game"),
    Column("rated", Boolean, nullable=False, server_default=false()),
    # players and place
    Column("seat0", BigInteger, nullable=False),
    Column("seat1", BigInteger, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("locale", String(16), nullable=False),
    # the secrets of the next rolls: the number left, and their seed; never shown
    Column("secret", String(128), nullable=False),
    # the state that the players have been shown
    Column("shown_seq", Integer, nullable=False, comment="-1: not even the start"),
    Column("message_id", BigInteger),
    Column(
        "attempts", Integer, nullable=False, server_default="0", comment="how often its message has failed in a row"
    ),
    Column("next_attempt_at", BigInteger, nullable=False, server_default="0", comment="no attempt before this time"),
    Column("delivery_error", String(64), nullable=False, server_default="", comment="why the board cannot be shown"),
    Column(
        "delivery_error_informed",
        SmallInteger,
        nullable=False,
        server_default="0",
        comment="bits 0 and 1: the seats that have been told of the error",
    ),
    Column(
        "edits", Integer, nullable=False, server_default="0", comment="how often its conditional moves were changed"
    ),
    # derived from the entries
    Column("seq", Integer, nullable=False),
    Column("to_act", SmallInteger, comment="the seat whose turn it is; NULL when over"),
    Column("status", String(16), nullable=False),
    Column("last_entry_at", BigInteger, nullable=False, comment="the time of the last entry"),
    Column("points0", Integer),
    Column("points1", Integer),
    Column("reason", String(64)),
    Column("ended", BigInteger),
    Column(
        "deadline",
        BigInteger,
        comment="when time changes something next: time is up, with the grace period, or a pause ends",
    ),
    Column("counts", Boolean, comment="whether the result counts for ratings; NULL while running"),
    Column("awaited", SmallInteger, comment="the seat that has to answer an offer, or else to act"),
    Column("offered", Boolean, nullable=False, server_default=false(), comment="whether an offer is to be answered"),
    Column("paused", Boolean, nullable=False, server_default=false(), comment="by agreement"),
    Column(
        "overdue",
        Boolean,
        nullable=False,
        server_default=false(),
        comment="whether time is up and nobody has claimed the game yet",
    ),
    Column("due", BigInteger, comment="the deadline without the grace period, as in the record"),
    Column("time_left", BigInteger, comment="of the seat to act at the last entry; NULL without a clock"),
    Column(
        "time_off",
        Text,
        nullable=False,
        server_default="",
        comment="JSON: intervals in which the running clock is stopped",
    ),
    Column("claimable_at", BigInteger, comment="from then on the waiting player may claim the game"),
    # the end of a process's lease of the game for its deadline
    Column("leased_until", BigInteger, nullable=False, server_default="0"),
    Column(
        "board_leased_until", BigInteger, nullable=False, server_default="0", comment="by the process that shows it"
    ),
    Column("board_leased_by", BigInteger, nullable=False, server_default="0", comment="a number of that process"),
    # also while its channel is deleted and it waits to be reopened elsewhere (bot.clocks.displaced)
    Column(
        "server_gone",
        Boolean,
        nullable=False,
        server_default=false(),
        comment="its server has removed the bot: neither deadlines nor boards until the bot is back",
    ),
    CheckConstraint("status IN ('running', 'over')", name="status"),
    CheckConstraint("shown_seq <= seq", name="shown_seq"),
    partial_index(
        ONE_PER_CHANNEL,
        "channel_id",
        unique=True,
        where=IS_RUNNING,
    ),
    Index("uq_games_match_id_match_game", "match_id", "match_game", unique=True),
    Index("ix_games_channel_id_last_entry_at", "channel_id", "last_entry_at"),
    Index("ix_games_seat0_status", "seat0", "status"),
    Index("ix_games_seat1_status", "seat1", "status"),
    partial_index("ix_games_seat0_ended", "seat0", "ended", where=IS_OVER),
    partial_index("ix_games_seat1_ended", "seat1", "ended", where=IS_OVER),
    # each list of finished games reads only the first rows of one of these, with any filters
    partial_index("ix_games_seat0_seat1_ended", "seat0", "seat1", "ended", where=IS_OVER),
    partial_index("ix_games_seat0_game_ended", "seat0", "game", "ended", where=IS_OVER),
    partial_index("ix_games_seat1_game_ended", "seat1", "game", "ended", where=IS_OVER),
    partial_index("ix_games_seat0_guild_id_ended", "seat0", "guild_id", "ended", where=IS_OVER),
    partial_index("ix_games_seat1_guild_id_ended", "seat1", "guild_id", "ended", where=IS_OVER),
    partial_index("ix_games_message_id", "message_id", where=HAS_MESSAGE),
    partial_index("ix_games_undelivered", "seat0", "seat1", where=IS_UNDELIVERED),
    partial_index("ix_games_deadline", "deadline", where=IS_TIMED),
    partial_index(
        "ix_games_to_show",
        "next_attempt_at",
        "last_entry_at",
        "id",
        where=TO_SHOW,
    ),
    partial_index(
        "ix_games_to_show_guild_id",
        "guild_id",
        "last_entry_at",
        "id",
        where=TO_SHOW,
    ),
    partial_index("ix_games_guild_id_running", "guild_id", "id", where=IS_RUNNING),
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

snapshots: Final = Table(
    "snapshots",
    metadata,
    Column("game_id", String(16), ForeignKey("games.id"), primary_key=True),
    Column("text", LargeBinary, nullable=False, comment="compressed; follows from the entries, so it may be missing"),
)

PERSONAL_DATA: Final = (
    PersonalData(
        games,
        users=("seat0", "seat1"),
        on_deletion=OnDeletion.REPLACE_ID,
        times=(
            *("started", "ended", "last_entry_at", "deadline", "due", "claimable_at", "next_attempt_at"),
            *("leased_until", "board_leased_until"),
        ),
        others=("guild_id", "channel_id", "message_id", "time_left", "board_leased_by"),
        withheld=(
            *("secret", "attempts", "next_attempt_at", "leased_until", "board_leased_until", "board_leased_by"),
            *("shown_seq", "edits"),
        ),
    ),
    PersonalData(entries, others=("at",)),
)
