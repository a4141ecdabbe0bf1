"""The tables of tournaments. Times and durations in ms; times since 1970.

The organiser's choices are one JSON text (``tournaments.plan``), as no query searches in it. Entrants are stored by
their number in the tournament, so a deleted user is replaced in one row.
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
    SmallInteger,
    String,
    Table,
    Text,
    false,
    text,
)

from bot.core.personal_data import OnDeletion, PersonalData
from bot.core.storage.tables import metadata, partial_index

# Conditions of partial indexes. Queries must use the same text: with a bound parameter, SQLite ignores the index.
IS_ACTIVE: Final = text("status IN ('registration', 'check_in', 'running')")
IS_UNOPENED: Final = text("state = 'waiting'")
IS_PLAYED: Final = text("contest_id IS NOT NULL")
IS_CLOSING: Final = text("closing_at IS NOT NULL")
IS_UNSHOWN: Final = text("shown < version")
IS_UNFINISHED: Final = text("next_attempt_at IS NOT NULL")
IS_LATER: Final = text("series IS NOT NULL")
IS_REPEATED: Final = text("repeat_at IS NOT NULL")

tournaments: Final = Table(
    "tournaments",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False, comment="where it is announced and played"),
    Column("owner", BigInteger, nullable=False),
    Column("name", String(64), nullable=False),
    Column("locale", String(16), nullable=False),
    Column("plan", Text, nullable=False, comment="JSON object: what the organiser has chosen"),
    Column("status", String(16), nullable=False),
    Column("paused", BigInteger, comment="since when; NULL: it is not paused"),
    Column("round", SmallInteger, nullable=False, server_default="0", comment="the last round that was paired"),
    Column("created", BigInteger, nullable=False),
    Column("started", BigInteger),
    Column("ended", BigInteger),
    Column("version", Integer, nullable=False, server_default="0", comment="grows with each change"),
    Column("shown", Integer, nullable=False, server_default="-1", comment="the version that the announcement shows"),
    Column("message_id", BigInteger, comment="the announcement"),
    Column("next_at", BigInteger, nullable=False, comment="when there is something to do; far away: nothing is known"),
    Column("leased_until", BigInteger, nullable=False, server_default="0", comment="a process works on it until then"),
    Column("attempts", Integer, nullable=False, server_default="0", comment="how often the announcement has failed"),
    Column("next_attempt_at", BigInteger, nullable=False, server_default="0", comment="of the announcement"),
    Column("posted", SmallInteger, nullable=False, server_default="0", comment="how often it was posted"),
    Column(
        "credited_until",
        BigInteger,
        nullable=False,
        server_default="0",
        comment="outages of the bot until then have moved the deadlines",
    ),
    Column("closing_at", BigInteger, comment="when its last message is to be sent or edited; NULL: it need not be"),
    Column("closing_id", BigInteger, comment="its last message"),
    Column("break_until", BigInteger, comment="when the break after its round ends; 0: it is over; NULL: none yet"),
    Column(
        "series",
        String(16),
        comment="the first tournament of its series; NULL: it is the first itself, or there is no series",
    ),
    Column("edition", Integer, nullable=False, server_default="1", comment="its number in its series"),
    Column("repeat_at", BigInteger, comment="when the next of its series is announced; NULL: it need not be"),
    CheckConstraint("status IN ('draft', 'registration', 'check_in', 'running', 'over', 'cancelled')", name="status"),
    Index("ix_tournaments_guild_id_created", "guild_id", "created"),
    Index("ix_tournaments_owner", "owner"),
    partial_index("ix_tournaments_channel_id", "channel_id", where=IS_ACTIVE),
    partial_index("ix_tournaments_next_at", "next_at", where=IS_ACTIVE),
    partial_index("ix_tournaments_unshown", "next_attempt_at", where=IS_UNSHOWN),
    partial_index("ix_tournaments_closing", "closing_at", where=IS_CLOSING),
    partial_index("ix_tournaments_series", "series", "edition", where=IS_LATER),
    partial_index("ix_tournaments_repeat_at", "repeat_at", where=IS_REPEATED),
)

tournament_players: Final = Table(
    "tournament_players",
    metadata,
    Column("tournament_id", String(16), ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True, comment="of the entrant: 1 upwards, never used twice"),
    Column("user_id", BigInteger, nullable=False),
    Column("status", String(16), nullable=False),
    Column("reason", String(32), nullable=False, server_default="", comment="why the player is no longer in"),
    Column("rating", Integer, nullable=False, comment="rounded, when they joined or at the start"),
    Column("seed", Integer, nullable=False, server_default="0", comment="1 upwards; 0: not seeded yet"),
    Column("section", SmallInteger, nullable=False, server_default="0"),
    Column("first_round", SmallInteger, nullable=False, server_default="1"),
    Column("last_round", SmallInteger),
    Column("byes", String(128), nullable=False, server_default="", comment="rounds of half-point byes, with commas"),
    Column("joined", BigInteger, nullable=False),
    Column("checked_in", Boolean, nullable=False, server_default=false()),
    Column("free_since", BigInteger, comment="arena: waits for an opponent since; NULL: does not"),
    Column("ladder_place", Integer, comment="1 upwards; NULL: not in a ladder"),
    Column("first_place", Integer, comment="of the final ranking; NULL: none yet"),
    Column("last_place", Integer, comment="the last of the places that are shared"),
    CheckConstraint("status IN ('in', 'waiting', 'withdrawn', 'expelled')", name="status"),
    Index("uq_tournament_players_user", "tournament_id", "user_id", unique=True),
    Index("ix_tournament_players_user_id", "user_id"),
)

tournament_pairings: Final = Table(
    "tournament_pairings",
    metadata,
    Column("tournament_id", String(16), ForeignKey("tournaments.id"), primary_key=True),
    Column("id", Integer, primary_key=True, comment="1 upwards in the tournament"),
    Column("stage", SmallInteger, nullable=False),
    Column("round", SmallInteger, nullable=False),
    Column("section", SmallInteger, nullable=False),
    Column("board", SmallInteger, nullable=False),
    Column("slot", String(8), nullable=False),
    Column("attempt", SmallInteger, nullable=False),
    Column("first", Integer, nullable=False, comment="the number of the entrant with the first seat"),
    Column("second", Integer, comment="NULL: a bye"),
    Column("reason", Text, nullable=False, comment="JSON: why they were paired; empty: nothing to say"),
    Column("state", String(16), nullable=False),
    Column("result", String(8), comment="as engine.tournament writes it; NULL: not yet"),
    Column("decided_by", String(16), nullable=False, server_default="", comment="game, bye, forfeit or organiser"),
    Column("contest_id", String(16), comment="the game or match; NULL: not opened"),
    Column("game_id", String(16), comment="the game, or the first one of the match"),
    Column("channel_id", BigInteger, comment="the thread or channel in which it is played"),
    Column("opened", BigInteger),
    Column("ended", BigInteger),
    Column("deadline", BigInteger, comment="when the rule for late games applies; NULL: never"),
    Column("extended", Boolean, nullable=False, server_default=false()),
    Column("warned", Boolean, nullable=False, server_default=false(), comment="told a day before the deadline"),
    Column("attempts", Integer, nullable=False, server_default="0", comment="how often opening has failed"),
    Column("next_attempt_at", BigInteger, nullable=False, server_default="0"),
    Column("leased_until", BigInteger, nullable=False, server_default="0", comment="a process opens it until then"),
    CheckConstraint("state IN ('waiting', 'running', 'late', 'done')", name="state"),
    Index("uq_tournament_pairings_place", "tournament_id", "round", "section", "board", "attempt", unique=True),
    partial_index(
        "uq_tournament_pairings_contest_id",
        "contest_id",
        unique=True,
        where=IS_PLAYED,
    ),
    partial_index(
        "ix_tournament_pairings_unopened",
        "next_attempt_at",
        where=IS_UNOPENED,
    ),
)

tournament_rounds: Final = Table(
    "tournament_rounds",
    metadata,
    Column("tournament_id", String(16), ForeignKey("tournaments.id"), primary_key=True),
    Column("number", SmallInteger, primary_key=True, comment="1 upwards through all stages; 0: arena or ladder"),
    Column("stage", SmallInteger, nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("deadline", BigInteger, comment="NULL: none"),
    Column("message_id", BigInteger, comment="the message with all pairings"),
    Column("more_ids", Text, nullable=False, server_default="", comment="its further messages, with commas"),
    Column("version", Integer, nullable=False, server_default="0", comment="grows with each change of the pairings"),
    Column("shown", Integer, nullable=False, server_default="-1", comment="the version that the message shows"),
    Column("next_attempt_at", BigInteger, nullable=False, server_default="0"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    partial_index("ix_tournament_rounds_unshown", "next_attempt_at", where=IS_UNSHOWN),
)

tournament_organisers: Final = Table(
    "tournament_organisers",
    metadata,
    Column("tournament_id", String(16), ForeignKey("tournaments.id"), primary_key=True),
    Column("user_id", BigInteger, primary_key=True),
    Index("ix_tournament_organisers_user_id", "user_id"),
)

tournament_log: Final = Table(
    "tournament_log",
    metadata,
    Column("tournament_id", String(16), ForeignKey("tournaments.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, comment="1 upwards in the tournament"),
    Column("at", BigInteger, nullable=False),
    Column("actor", BigInteger, comment="NULL: the bot itself"),
    Column("act", String(32), nullable=False),
    Column("round", SmallInteger, nullable=False, comment="the last round that was paired then"),
    Column("detail", Text, nullable=False, comment="JSON object: what was done, and what was before"),
    Column("reason", String(300), nullable=False),
    Column("undone", Integer, comment="the seq of the act that undid it"),
    Column("subject", BigInteger, comment="the user whom the act concerns"),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column(
        "next_attempt_at",
        BigInteger,
        comment="when its games are ended and its line is posted; NULL: nothing is left to do",
    ),
    Index("ix_tournament_log_actor", "actor"),
    Index("ix_tournament_log_subject", "subject"),
    partial_index(
        "ix_tournament_log_unfinished",
        "next_attempt_at",
        where=IS_UNFINISHED,
    ),
)

PERSONAL_DATA: Final = (
    PersonalData(
        tournaments,
        users=("owner",),
        on_deletion=OnDeletion.REPLACE_ID,
        times=(
            "created",
            "started",
            "ended",
            "next_at",
            "leased_until",
            "paused",
            "closing_at",
            "next_attempt_at",
            "credited_until",
            "break_until",
            "repeat_at",
        ),
        others=("guild_id", "channel_id", "message_id", "closing_id"),
        withheld=(
            "next_at",
            "closing_at",
            "repeat_at",
            "credited_until",
            "leased_until",
            "attempts",
            "next_attempt_at",
            "posted",
            "shown",
            "version",
        ),
    ),
    PersonalData(
        tournament_players,
        users=("user_id",),
        on_deletion=OnDeletion.REPLACE_ID,
        times=("joined", "free_since"),
    ),
    PersonalData(
        tournament_pairings,
        times=("opened", "ended", "deadline", "next_attempt_at", "leased_until"),
        others=("channel_id",),
    ),
    PersonalData(
        tournament_rounds, times=("started", "deadline", "next_attempt_at"), others=("message_id", "more_ids")
    ),
    PersonalData(tournament_organisers, users=("user_id",)),
    PersonalData(
        tournament_log,
        users=("actor", "subject"),
        about={"reason": "subject"},
        on_deletion=OnDeletion.REPLACE_ID,
        times=("at", "next_attempt_at"),
        withheld=("attempts", "next_attempt_at"),
    ),
)
