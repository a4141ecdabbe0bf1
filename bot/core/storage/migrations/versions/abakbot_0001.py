"""The first schema: all tables, those of a feature together."""

import sqlalchemy as sa
from alembic import op

revision = "abakbot_0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "preferences",
        sa.Column("scope", sa.String(length=8), nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False, comment="of the user or the server"),
        sa.Column("key", sa.String(length=32), nullable=False),
        sa.Column("value", sa.String(length=64), nullable=False),
        sa.CheckConstraint("scope IN ('user', 'server')", name=op.f("ck_preferences_scope")),
        sa.PrimaryKeyConstraint("scope", "id", "key", name=op.f("pk_preferences")),
    )
    op.create_table(
        "player_names",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False, comment="when they were last met, to the day"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_player_names")),
    )
    op.create_index("ix_player_names_seen", "player_names", ["seen"], unique=False)
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False, comment="JSON object, in the order of the record"),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column(
            "clock",
            sa.String(length=64),
            server_default="",
            nullable=False,
            comment="the time control's text; empty: none",
        ),
        sa.Column(
            "timeout_policy",
            sa.String(length=8),
            server_default="",
            nullable=False,
            comment="loss or claim, where there is a clock",
        ),
        sa.Column(
            "banks",
            sa.String(length=32),
            server_default="",
            nullable=False,
            comment="of the seats at the start, if not the usual",
        ),
        sa.Column("match_id", sa.String(length=16), nullable=True, comment="NULL for a single game"),
        sa.Column(
            "match_game", sa.SmallInteger(), server_default="0", nullable=False, comment="from 1; 0 for a single game"
        ),
        sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("seat0", sa.BigInteger(), nullable=False),
        sa.Column("seat1", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("secret", sa.String(length=128), nullable=False),
        sa.Column("shown_seq", sa.Integer(), nullable=False, comment="-1: not even the start"),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column(
            "attempts",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="how often its message has failed in a row",
        ),
        sa.Column(
            "next_attempt_at",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="no attempt before this time",
        ),
        sa.Column(
            "delivery_error",
            sa.String(length=64),
            server_default="",
            nullable=False,
            comment="why the board cannot be shown",
        ),
        sa.Column(
            "delivery_error_informed",
            sa.SmallInteger(),
            server_default="0",
            nullable=False,
            comment="bits 0 and 1: the seats that have been told of the error",
        ),
        sa.Column(
            "edits",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="how often its conditional moves were changed",
        ),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("to_act", sa.SmallInteger(), nullable=True, comment="the seat whose turn it is; NULL when over"),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("last_entry_at", sa.BigInteger(), nullable=False, comment="the time of the last entry"),
        sa.Column("points0", sa.Integer(), nullable=True),
        sa.Column("points1", sa.Integer(), nullable=True),
        sa.Column("reason", sa.String(length=64), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column(
            "deadline",
            sa.BigInteger(),
            nullable=True,
            comment="when time changes something next: time is up, with the grace period, or a pause ends",
        ),
        sa.Column(
            "counts", sa.Boolean(), nullable=True, comment="whether the result counts for ratings; NULL while running"
        ),
        sa.Column(
            "awaited", sa.SmallInteger(), nullable=True, comment="the seat that has to answer an offer, or else to act"
        ),
        sa.Column(
            "offered",
            sa.Boolean(),
            server_default=sa.false(),
            nullable=False,
            comment="whether an offer is to be answered",
        ),
        sa.Column("paused", sa.Boolean(), server_default=sa.false(), nullable=False, comment="by agreement"),
        sa.Column(
            "overdue",
            sa.Boolean(),
            server_default=sa.false(),
            nullable=False,
            comment="whether time is up and nobody has claimed the game yet",
        ),
        sa.Column(
            "due", sa.BigInteger(), nullable=True, comment="the deadline without the grace period, as in the record"
        ),
        sa.Column(
            "time_left",
            sa.BigInteger(),
            nullable=True,
            comment="of the seat to act at the last entry; NULL without a clock",
        ),
        sa.Column(
            "time_off",
            sa.Text(),
            server_default="",
            nullable=False,
            comment="JSON: intervals in which the running clock is stopped",
        ),
        sa.Column(
            "claimable_at", sa.BigInteger(), nullable=True, comment="from then on the waiting player may claim the game"
        ),
        sa.Column("leased_until", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column(
            "board_leased_until",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="by the process that shows it",
        ),
        sa.Column(
            "board_leased_by", sa.BigInteger(), server_default="0", nullable=False, comment="a number of that process"
        ),
        sa.Column(
            "server_gone",
            sa.Boolean(),
            server_default=sa.false(),
            nullable=False,
            comment="its server has removed the bot: neither deadlines nor boards until the bot is back",
        ),
        sa.CheckConstraint("status IN ('running', 'over')", name=op.f("ck_games_status")),
        sa.CheckConstraint("shown_seq <= seq", name=op.f("ck_games_shown_seq")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    op.create_index("ix_games_channel_id_last_entry_at", "games", ["channel_id", "last_entry_at"], unique=False)
    op.create_index(
        "ix_games_deadline",
        "games",
        ["deadline"],
        unique=False,
        sqlite_where=sa.text("deadline IS NOT NULL AND NOT server_gone"),
        postgresql_where=sa.text("deadline IS NOT NULL AND NOT server_gone"),
    )
    op.create_index(
        "ix_games_guild_id_running",
        "games",
        ["guild_id", "id"],
        unique=False,
        sqlite_where=sa.text("status = 'running'"),
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_index(
        "ix_games_message_id",
        "games",
        ["message_id"],
        unique=False,
        sqlite_where=sa.text("message_id IS NOT NULL"),
        postgresql_where=sa.text("message_id IS NOT NULL"),
    )
    op.create_index(
        "ix_games_seat0_ended",
        "games",
        ["seat0", "ended"],
        unique=False,
        sqlite_where=sa.text("status = 'over'"),
        postgresql_where=sa.text("status = 'over'"),
    )
    op.create_index(
        "ix_games_seat0_game_ended",
        "games",
        ["seat0", "game", "ended"],
        unique=False,
        sqlite_where=sa.text("status = 'over'"),
        postgresql_where=sa.text("status = 'over'"),
    )
    op.create_index(
        "ix_games_seat0_guild_id_ended",
        "games",
        ["seat0", "guild_id", "ended"],
        unique=False,
        sqlite_where=sa.text("status = 'over'"),
        postgresql_where=sa.text("status = 'over'"),
    )
    op.create_index(
        "ix_games_seat0_seat1_ended",
        "games",
        ["seat0", "seat1", "ended"],
        unique=False,
        sqlite_where=sa.text("status = 'over'"),
        postgresql_where=sa.text("status = 'over'"),
    )
    op.create_index("ix_games_seat0_status", "games", ["seat0", "status"], unique=False)
    op.create_index(
        "ix_games_seat1_ended",
        "games",
        ["seat1", "ended"],
        unique=False,
        sqlite_where=sa.text("status = 'over'"),
        postgresql_where=sa.text("status = 'over'"),
    )
    op.create_index(
        "ix_games_seat1_game_ended",
        "games",
        ["seat1", "game", "ended"],
        unique=False,
        sqlite_where=sa.text("status = 'over'"),
        postgresql_where=sa.text("status = 'over'"),
    )
    op.create_index(
        "ix_games_seat1_guild_id_ended",
        "games",
        ["seat1", "guild_id", "ended"],
        unique=False,
        sqlite_where=sa.text("status = 'over'"),
        postgresql_where=sa.text("status = 'over'"),
    )
    op.create_index("ix_games_seat1_status", "games", ["seat1", "status"], unique=False)
    op.create_index(
        "ix_games_to_show",
        "games",
        ["next_attempt_at", "last_entry_at", "id"],
        unique=False,
        sqlite_where=sa.text("shown_seq < seq AND NOT server_gone"),
        postgresql_where=sa.text("shown_seq < seq AND NOT server_gone"),
    )
    op.create_index(
        "ix_games_to_show_guild_id",
        "games",
        ["guild_id", "last_entry_at", "id"],
        unique=False,
        sqlite_where=sa.text("shown_seq < seq AND NOT server_gone"),
        postgresql_where=sa.text("shown_seq < seq AND NOT server_gone"),
    )
    op.create_index(
        "ix_games_undelivered",
        "games",
        ["seat0", "seat1"],
        unique=False,
        sqlite_where=sa.text("delivery_error <> ''"),
        postgresql_where=sa.text("delivery_error <> ''"),
    )
    op.create_index("uq_games_match_id_match_game", "games", ["match_id", "match_game"], unique=True)
    op.create_index(
        "uq_games_running_channel",
        "games",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("status = 'running'"),
        postgresql_where=sa.text("status = 'running'"),
    )
    op.create_table(
        "entries",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False, comment="0 for the first entry"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False, comment="-1 for luck"),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_entries_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "seq", name=op.f("pk_entries")),
    )
    op.create_table(
        "snapshots",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column(
            "text",
            sa.LargeBinary(),
            nullable=False,
            comment="compressed; follows from the entries, so it may be missing",
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_snapshots_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_snapshots")),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False, comment="JSON object: what all games share"),
        sa.Column("points", sa.SmallInteger(), nullable=False, comment="of the match; 0: not to points"),
        sa.Column("best_of", sa.SmallInteger(), nullable=False, comment="games of the series; 1: no series"),
        sa.Column("bank", sa.String(length=8), nullable=False, comment="game or match"),
        sa.Column("clock", sa.String(length=64), nullable=False, comment="the time control's text; empty: none"),
        sa.Column("timeout_policy", sa.String(length=8), nullable=False),
        sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("player0", sa.BigInteger(), nullable=False),
        sa.Column("player1", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("results", sa.Text(), nullable=False, comment="JSON list: the result of each finished game"),
        sa.Column("score0", sa.Float(), nullable=False, comment="a drawn game of a series counts a half"),
        sa.Column("score1", sa.Float(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("winner", sa.SmallInteger(), nullable=True, comment="0 or 1; NULL while running, or if nobody won"),
        sa.Column("reason", sa.String(length=64), nullable=True),
        sa.Column(
            "counts", sa.Boolean(), nullable=True, comment="whether the result counts for ratings; NULL while running"
        ),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("status IN ('running', 'over')", name=op.f("ck_matches_status")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
    )
    op.create_index("ix_matches_player0_ended", "matches", ["player0", "ended"], unique=False)
    op.create_index("ix_matches_player1_ended", "matches", ["player1", "ended"], unique=False)
    op.create_table(
        "rated_contests",
        sa.Column("seq", sa.Integer(), nullable=False, comment="the order of contests"),
        sa.Column("contest_id", sa.String(length=16), nullable=False, comment="of the game or the match"),
        sa.Column("is_match", sa.Boolean(), nullable=False),
        sa.Column("counted", sa.Boolean(), nullable=False, comment="false: beyond the daily limit of its players"),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_rated_contests")),
        sa.UniqueConstraint("contest_id", name="uq_rated_contests_contest_id"),
    )
    op.create_table(
        "ratings",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("pace", sa.String(length=16), nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("deviation", sa.Double(), nullable=False, comment="at last_at; it grows with time"),
        sa.Column("volatility", sa.Double(), nullable=False),
        sa.Column("contests", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("losses", sa.Integer(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False, comment="when the latest contest ended"),
        sa.CheckConstraint("contests = wins + draws + losses", name=op.f("ck_ratings_contests")),
        sa.PrimaryKeyConstraint("user_id", "game", "pace", name=op.f("pk_ratings")),
    )
    op.create_index("ix_ratings_game_pace_rating", "ratings", ["game", "pace", "rating"], unique=False)
    op.create_table(
        "rating_changes",
        sa.Column("contest_id", sa.String(length=16), nullable=False),
        sa.Column("player", sa.SmallInteger(), nullable=False, comment="0 or 1, as in the contest"),
        sa.Column("seq", sa.Integer(), nullable=False, comment="as in rated_contests"),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("opponent_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("pace", sa.String(length=16), nullable=False),
        sa.Column("score", sa.Double(), nullable=False, comment="1, 0.5 or 0"),
        sa.Column("weight", sa.Double(), nullable=False),
        sa.Column("rating_before", sa.Double(), nullable=False),
        sa.Column("deviation_before", sa.Double(), nullable=False, comment="grown to the end of the contest"),
        sa.Column("volatility_before", sa.Double(), nullable=False),
        sa.Column("rating_after", sa.Double(), nullable=False),
        sa.Column("deviation_after", sa.Double(), nullable=False),
        sa.Column("volatility_after", sa.Double(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=False, comment="when the contest ended"),
        sa.ForeignKeyConstraint(
            ["contest_id"], ["rated_contests.contest_id"], name=op.f("fk_rating_changes_contest_id_rated_contests")
        ),
        sa.PrimaryKeyConstraint("contest_id", "player", name=op.f("pk_rating_changes")),
    )
    op.create_index("ix_rating_changes_opponent_id", "rating_changes", ["opponent_id"], unique=False)
    op.create_index(
        "ix_rating_changes_user_id_game_pace_seq", "rating_changes", ["user_id", "game", "pace", "seq"], unique=False
    )
    op.create_index(
        "ix_rating_changes_user_id_opponent_id_ended",
        "rating_changes",
        ["user_id", "opponent_id", "ended"],
        unique=False,
    )
    op.create_table(
        "vacations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column(
            "until", sa.BigInteger(), nullable=False, comment="earlier than planned if the user comes back early"
        ),
        sa.CheckConstraint("since < until", name=op.f("ck_vacations_interval")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vacations")),
    )
    op.create_index("ix_vacations_user_id_until", "vacations", ["user_id", "until"], unique=False)
    op.create_table(
        "heartbeats",
        sa.Column("shard", sa.Integer(), autoincrement=False, nullable=False, comment="the number of the shard"),
        sa.Column("shard_count", sa.Integer(), autoincrement=False, nullable=False, comment="how many there are"),
        sa.Column(
            "last_seen_at", sa.BigInteger(), nullable=False, comment="when the shard was last known to be connected"
        ),
        sa.PrimaryKeyConstraint("shard", "shard_count", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "outages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("shard", sa.Integer(), nullable=False),
        sa.Column("shard_count", sa.Integer(), nullable=False),
        sa.Column(
            "guild_id", sa.BigInteger(), server_default="0", nullable=False, comment="of this server only; 0: of all"
        ),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("since < until", name=op.f("ck_outages_interval")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outages")),
        sa.UniqueConstraint(
            "shard", "shard_count", "guild_id", "since", name=op.f("uq_outages_shard_shard_count_guild_id_since")
        ),
    )
    op.create_index("ix_outages_until", "outages", ["until"], unique=False)
    op.create_table(
        "removed_servers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column(
            "since", sa.BigInteger(), nullable=False, comment="when it was noticed that the server has removed the bot"
        ),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_removed_servers")),
    )
    op.create_index("ix_removed_servers_since", "removed_servers", ["since"], unique=False)
    op.create_table(
        "permission_issues",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True, comment="NULL: in direct messages"),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("permission", sa.String(length=64), nullable=False, comment="the one that is missing"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("reported", sa.Boolean(), nullable=False, comment="whether a user who can fix it has been told"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_permission_issues")),
        sa.UniqueConstraint("channel_id", "permission", name=op.f("uq_permission_issues_channel_id_permission")),
    )
    op.create_index(
        "ix_permission_issues_not_reported",
        "permission_issues",
        ["guild_id"],
        unique=False,
        sqlite_where=sa.text("NOT reported"),
        postgresql_where=sa.text("NOT reported"),
    )
    op.create_table(
        "old_boards",
        sa.Column("message_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False, comment="true: it is deleted; false: it loses its buttons"),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_attempt_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("message_id", name=op.f("pk_old_boards")),
    )
    op.create_index("ix_old_boards_next_attempt_at", "old_boards", ["next_attempt_at"], unique=False)
    op.create_table(
        "notifications",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column(
            "key",
            sa.String(length=128),
            nullable=False,
            comment="user, subject or game, seq, kind, n: nothing is sent twice",
        ),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=True),
        sa.Column(
            "subject",
            sa.String(length=32),
            nullable=False,
            comment="what another room's is about; empty: a game, or a digest",
        ),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("body", sa.Text(), nullable=False, comment="JSON object: the parameters of its text"),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column(
            "next_attempt_at",
            sa.BigInteger(),
            nullable=False,
            comment="no attempt before: when it is due, after a failure, or while leased",
        ),
        sa.Column("via", sa.String(length=8), nullable=False, comment="how it reached the user"),
        sa.Column(
            "sent_to",
            sa.BigInteger(),
            nullable=True,
            comment="the channel it was last sent to, where it may have arrived",
        ),
        sa.CheckConstraint(
            "state IN ('pending', 'sent', 'failed', 'void', 'digest')", name=op.f("ck_notifications_state")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_notifications_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notifications")),
        sa.UniqueConstraint("key", name=op.f("uq_notifications_key")),
    )
    op.create_index(
        "ix_notifications_done",
        "notifications",
        ["due"],
        unique=False,
        sqlite_where=sa.text("state <> 'pending'"),
        postgresql_where=sa.text("state <> 'pending'"),
    )
    op.create_index(
        "ix_notifications_game",
        "notifications",
        ["game_id"],
        unique=False,
        sqlite_where=sa.text("state = 'pending'"),
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_index(
        "ix_notifications_pending",
        "notifications",
        ["next_attempt_at"],
        unique=False,
        sqlite_where=sa.text("state = 'pending'"),
        postgresql_where=sa.text("state = 'pending'"),
    )
    op.create_index(
        "ix_notifications_subject",
        "notifications",
        ["subject"],
        unique=False,
        sqlite_where=sa.text("subject <> ''"),
        postgresql_where=sa.text("subject <> ''"),
    )
    op.create_index("ix_notifications_user_id_state_kind", "notifications", ["user_id", "state", "kind"], unique=False)
    op.create_table(
        "conditional_moves",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False, comment="the seat that plays the reply"),
        sa.Column(
            "parent_id", sa.Integer(), nullable=True, comment="the conditional move it follows; NULL: it may come next"
        ),
        sa.Column("condition", sa.Text(), nullable=False, comment="what the other side plays"),
        sa.Column("reply", sa.Text(), nullable=True, comment="what is played then, or resign; NULL: not chosen yet"),
        sa.Column(
            "persistent",
            sa.Boolean(),
            nullable=False,
            comment="whether it stays until it is used, such as an answer to a double",
        ),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_conditional_moves_game_id_games")),
        sa.ForeignKeyConstraint(
            ["parent_id"], ["conditional_moves.id"], name=op.f("fk_conditional_moves_parent_id_conditional_moves")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conditional_moves")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_conditional_moves_game_id", "conditional_moves", ["game_id"], unique=False)
    op.create_index("ix_conditional_moves_parent_id", "conditional_moves", ["parent_id"], unique=False)
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("challenger", sa.BigInteger(), nullable=False),
        sa.Column("opponent", sa.BigInteger(), nullable=True, comment="NULL: anyone may accept"),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("options", sa.Text(), nullable=False, comment="JSON object"),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("secret", sa.String(length=128), nullable=False, comment="of the rolls; never shown"),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("closed_shown", sa.Boolean(), nullable=False, comment="whether its message says that it is closed"),
        sa.Column("game_id", sa.String(length=16), nullable=True),
        sa.Column("answered_by", sa.BigInteger(), nullable=True),
        sa.Column(
            "reserved_by", sa.BigInteger(), nullable=True, comment="the user whose acceptance is being carried out"
        ),
        sa.Column(
            "reserved_until",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="after this time, others may accept again",
        ),
        sa.Column("first", sa.BigInteger(), nullable=True, comment="who takes the first seat; NULL: the coin decides"),
        sa.Column(
            "seat",
            sa.SmallInteger(),
            nullable=True,
            comment="of the challenger, if it was chosen; NULL: drawn, unless first is set",
        ),
        sa.Column("rematch_of", sa.String(length=16), nullable=True),
        sa.Column(
            "clock",
            sa.String(length=64),
            server_default="",
            nullable=False,
            comment="the time control of the game; empty: none",
        ),
        sa.Column("timeout_policy", sa.String(length=8), server_default="", nullable=False),
        sa.Column(
            "points", sa.SmallInteger(), server_default="0", nullable=False, comment="of the match; 0: not to points"
        ),
        sa.Column(
            "best_of",
            sa.SmallInteger(),
            server_default="1",
            nullable=False,
            comment="games of the series; 1: no series",
        ),
        sa.Column("bank", sa.String(length=8), server_default="game", nullable=False, comment="game or match"),
        sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("rating_low", sa.SmallInteger(), nullable=True, comment="of who may accept; NULL: any"),
        sa.Column("rating_high", sa.SmallInteger(), nullable=True),
        sa.Column(
            "attempts",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="how often its message has failed in a row",
        ),
        sa.Column(
            "next_attempt_at",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="no attempt before this time",
        ),
        sa.CheckConstraint(
            "(status = 'accepted') = (game_id IS NOT NULL)", name=op.f("ck_challenges_accepted_has_game")
        ),
        sa.CheckConstraint(
            "status IN ('open', 'accepted', 'declined', 'cancelled', 'expired')", name=op.f("ck_challenges_status")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_challenges_game_id_games")),
        sa.ForeignKeyConstraint(["rematch_of"], ["games.id"], name=op.f("fk_challenges_rematch_of_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
    )
    op.create_index(
        "ix_challenges_answered_by",
        "challenges",
        ["answered_by", "created"],
        unique=False,
        sqlite_where=sa.text("answered_by IS NOT NULL"),
        postgresql_where=sa.text("answered_by IS NOT NULL"),
    )
    op.create_index("ix_challenges_challenger", "challenges", ["challenger", "created"], unique=False)
    op.create_index(
        "ix_challenges_closed",
        "challenges",
        ["expires"],
        unique=False,
        sqlite_where=sa.text("status <> 'open'"),
        postgresql_where=sa.text("status <> 'open'"),
    )
    op.create_index("ix_challenges_guild", "challenges", ["guild_id", "created"], unique=False)
    op.create_index(
        "ix_challenges_open",
        "challenges",
        ["expires"],
        unique=False,
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_index(
        "ix_challenges_opponent",
        "challenges",
        ["opponent", "created"],
        unique=False,
        sqlite_where=sa.text("opponent IS NOT NULL"),
        postgresql_where=sa.text("opponent IS NOT NULL"),
    )
    op.create_index(
        "ix_challenges_reserved_by",
        "challenges",
        ["reserved_by", "created"],
        unique=False,
        sqlite_where=sa.text("reserved_by IS NOT NULL"),
        postgresql_where=sa.text("reserved_by IS NOT NULL"),
    )
    op.create_index(
        "ix_challenges_unposted",
        "challenges",
        ["created"],
        unique=False,
        sqlite_where=sa.text("message_id IS NULL AND NOT closed_shown"),
        postgresql_where=sa.text("message_id IS NULL AND NOT closed_shown"),
    )
    op.create_index(
        "ix_challenges_unshown",
        "challenges",
        ["expires"],
        unique=False,
        sqlite_where=sa.text("NOT closed_shown AND status <> 'open'"),
        postgresql_where=sa.text("NOT closed_shown AND status <> 'open'"),
    )
    op.create_index(
        "uq_challenges_open_rematch",
        "challenges",
        ["rematch_of"],
        unique=True,
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_table(
        "analyses",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False, comment="the only one who sees it"),
        sa.Column("games", sa.Text(), nullable=False, comment="JSON list: the records of the games or positions"),
        sa.Column("names", sa.Text(), nullable=False, comment="JSON list: the names of the two players"),
        sa.Column(
            "line", sa.Text(), server_default="", nullable=False, comment="the record of what is tried; empty: nothing"
        ),
        sa.Column("touched", sa.BigInteger(), nullable=False, comment="when it was last looked at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analyses")),
    )
    op.create_index("ix_analyses_touched", "analyses", ["touched"], unique=False)
    op.create_index("ix_analyses_user_id_touched", "analyses", ["user_id", "touched"], unique=False)
    op.create_table(
        "explored_moves",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column(
            "position", sa.BigInteger(), autoincrement=False, nullable=False, comment="the hash of game and position"
        ),
        sa.Column("move", sa.String(length=100), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins0", sa.Integer(), nullable=False, comment="games that the first seat won"),
        sa.Column("wins1", sa.Integer(), nullable=False),
        sa.Column("points0", sa.Integer(), nullable=False, comment="the sum of the first seat's points"),
        sa.PrimaryKeyConstraint("guild_id", "position", "move", name=op.f("pk_explored_moves")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "uncounted_games",
        sa.Column(
            "game_id",
            sa.String(length=16),
            nullable=False,
            comment="a finished game whose moves are still to be counted",
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_uncounted_games")),
    )
    op.create_table(
        "leaderboard",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False, comment="0: all servers together"),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("pace", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("rating", sa.Double(), nullable=False),
        sa.Column("contests", sa.Integer(), nullable=False),
        sa.Column(
            "listed", sa.Boolean(), nullable=False, comment="not while the rating is provisional or the player hides"
        ),
        sa.PrimaryKeyConstraint("guild_id", "game", "pace", "user_id", name=op.f("pk_leaderboard")),
    )
    op.create_index(
        "ix_leaderboard_rating",
        "leaderboard",
        ["guild_id", "game", "pace", "rating", "user_id"],
        unique=False,
        sqlite_where=sa.text("listed IS TRUE"),
        postgresql_where=sa.text("listed IS TRUE"),
    )
    op.create_index("ix_leaderboard_user_id", "leaderboard", ["user_id", "game", "pace"], unique=False)
    op.create_table(
        "dice_counts",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column(
            "side", sa.SmallInteger(), autoincrement=False, nullable=False, comment="0: own rolls, 1: the opponents'"
        ),
        sa.Column("roll", sa.String(length=2), nullable=False, comment="the dice, the higher first"),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "side", "roll", name=op.f("pk_dice_counts")),
    )
    op.create_table(
        "dice_uncounted",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_dice_uncounted_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_dice_uncounted")),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False, comment="where it is announced and played"),
        sa.Column("owner", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False, comment="JSON object: what the organiser has chosen"),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("paused", sa.BigInteger(), nullable=True, comment="since when; NULL: it is not paused"),
        sa.Column(
            "round", sa.SmallInteger(), server_default="0", nullable=False, comment="the last round that was paired"
        ),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("version", sa.Integer(), server_default="0", nullable=False, comment="grows with each change"),
        sa.Column(
            "shown",
            sa.Integer(),
            server_default="-1",
            nullable=False,
            comment="the version that the announcement shows",
        ),
        sa.Column("message_id", sa.BigInteger(), nullable=True, comment="the announcement"),
        sa.Column(
            "next_at",
            sa.BigInteger(),
            nullable=False,
            comment="when there is something to do; far away: nothing is known",
        ),
        sa.Column(
            "leased_until",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="a process works on it until then",
        ),
        sa.Column(
            "attempts",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="how often the announcement has failed",
        ),
        sa.Column(
            "next_attempt_at", sa.BigInteger(), server_default="0", nullable=False, comment="of the announcement"
        ),
        sa.Column("posted", sa.SmallInteger(), server_default="0", nullable=False, comment="how often it was posted"),
        sa.Column(
            "credited_until",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="outages of the bot until then have moved the deadlines",
        ),
        sa.Column(
            "closing_at",
            sa.BigInteger(),
            nullable=True,
            comment="when its last message is to be sent or edited; NULL: it need not be",
        ),
        sa.Column("closing_id", sa.BigInteger(), nullable=True, comment="its last message"),
        sa.CheckConstraint(
            "status IN ('draft', 'registration', 'check_in', 'running', 'over', 'cancelled')",
            name=op.f("ck_tournaments_status"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    op.create_index(
        "ix_tournaments_channel_id",
        "tournaments",
        ["channel_id"],
        unique=False,
        sqlite_where=sa.text("status IN ('registration', 'check_in', 'running')"),
        postgresql_where=sa.text("status IN ('registration', 'check_in', 'running')"),
    )
    op.create_index(
        "ix_tournaments_closing",
        "tournaments",
        ["closing_at"],
        unique=False,
        sqlite_where=sa.text("closing_at IS NOT NULL"),
        postgresql_where=sa.text("closing_at IS NOT NULL"),
    )
    op.create_index("ix_tournaments_guild_id_created", "tournaments", ["guild_id", "created"], unique=False)
    op.create_index(
        "ix_tournaments_next_at",
        "tournaments",
        ["next_at"],
        unique=False,
        sqlite_where=sa.text("status IN ('registration', 'check_in', 'running')"),
        postgresql_where=sa.text("status IN ('registration', 'check_in', 'running')"),
    )
    op.create_index("ix_tournaments_owner", "tournaments", ["owner"], unique=False)
    op.create_index(
        "ix_tournaments_unshown",
        "tournaments",
        ["next_attempt_at"],
        unique=False,
        sqlite_where=sa.text("shown < version"),
        postgresql_where=sa.text("shown < version"),
    )
    op.create_table(
        "tournament_players",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, comment="of the entrant: 1 upwards, never used twice"),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column(
            "reason", sa.String(length=32), server_default="", nullable=False, comment="why the player is no longer in"
        ),
        sa.Column("rating", sa.Integer(), nullable=False, comment="rounded, when they joined or at the start"),
        sa.Column("seed", sa.Integer(), server_default="0", nullable=False, comment="1 upwards; 0: not seeded yet"),
        sa.Column("section", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("first_round", sa.SmallInteger(), server_default="1", nullable=False),
        sa.Column("last_round", sa.SmallInteger(), nullable=True),
        sa.Column(
            "byes",
            sa.String(length=128),
            server_default="",
            nullable=False,
            comment="rounds of half-point byes, with commas",
        ),
        sa.Column("joined", sa.BigInteger(), nullable=False),
        sa.Column("checked_in", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column(
            "free_since", sa.BigInteger(), nullable=True, comment="arena: waits for an opponent since; NULL: does not"
        ),
        sa.Column("ladder_place", sa.Integer(), nullable=True, comment="1 upwards; NULL: not in a ladder"),
        sa.Column("first_place", sa.Integer(), nullable=True, comment="of the final ranking; NULL: none yet"),
        sa.Column("last_place", sa.Integer(), nullable=True, comment="the last of the places that are shared"),
        sa.CheckConstraint(
            "status IN ('in', 'waiting', 'withdrawn', 'expelled')", name=op.f("ck_tournament_players_status")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_players_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_tournament_players")),
    )
    op.create_index("ix_tournament_players_user_id", "tournament_players", ["user_id"], unique=False)
    op.create_index("uq_tournament_players_user", "tournament_players", ["tournament_id", "user_id"], unique=True)
    op.create_table(
        "tournament_pairings",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False, comment="1 upwards in the tournament"),
        sa.Column("stage", sa.SmallInteger(), nullable=False),
        sa.Column("round", sa.SmallInteger(), nullable=False),
        sa.Column("section", sa.SmallInteger(), nullable=False),
        sa.Column("board", sa.SmallInteger(), nullable=False),
        sa.Column("slot", sa.String(length=8), nullable=False),
        sa.Column("attempt", sa.SmallInteger(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False, comment="the number of the entrant with the first seat"),
        sa.Column("second", sa.Integer(), nullable=True, comment="NULL: a bye"),
        sa.Column("reason", sa.Text(), nullable=False, comment="JSON: why they were paired; empty: nothing to say"),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column(
            "result", sa.String(length=8), nullable=True, comment="as engine.tournament writes it; NULL: not yet"
        ),
        sa.Column(
            "decided_by",
            sa.String(length=16),
            server_default="",
            nullable=False,
            comment="game, bye, forfeit or organiser",
        ),
        sa.Column("contest_id", sa.String(length=16), nullable=True, comment="the game or match; NULL: not opened"),
        sa.Column("game_id", sa.String(length=16), nullable=True, comment="the game, or the first one of the match"),
        sa.Column("channel_id", sa.BigInteger(), nullable=True, comment="the thread or channel in which it is played"),
        sa.Column("opened", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column(
            "deadline", sa.BigInteger(), nullable=True, comment="when the rule for late games applies; NULL: never"
        ),
        sa.Column("extended", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column(
            "warned", sa.Boolean(), server_default=sa.false(), nullable=False, comment="told a day before the deadline"
        ),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False, comment="how often opening has failed"),
        sa.Column("next_attempt_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column(
            "leased_until", sa.BigInteger(), server_default="0", nullable=False, comment="a process opens it until then"
        ),
        sa.CheckConstraint(
            "state IN ('waiting', 'running', 'late', 'done')", name=op.f("ck_tournament_pairings_state")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_pairings_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "id", name=op.f("pk_tournament_pairings")),
    )
    op.create_index(
        "ix_tournament_pairings_unopened",
        "tournament_pairings",
        ["next_attempt_at"],
        unique=False,
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_index(
        "uq_tournament_pairings_contest_id",
        "tournament_pairings",
        ["contest_id"],
        unique=True,
        sqlite_where=sa.text("contest_id IS NOT NULL"),
        postgresql_where=sa.text("contest_id IS NOT NULL"),
    )
    op.create_index(
        "uq_tournament_pairings_place",
        "tournament_pairings",
        ["tournament_id", "round", "section", "board", "attempt"],
        unique=True,
    )
    op.create_table(
        "tournament_rounds",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column(
            "number", sa.SmallInteger(), nullable=False, comment="1 upwards through all stages; 0: arena or ladder"
        ),
        sa.Column("stage", sa.SmallInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("deadline", sa.BigInteger(), nullable=True, comment="NULL: none"),
        sa.Column("message_id", sa.BigInteger(), nullable=True, comment="the message with all pairings"),
        sa.Column(
            "more_ids", sa.Text(), server_default="", nullable=False, comment="its further messages, with commas"
        ),
        sa.Column(
            "version",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="grows with each change of the pairings",
        ),
        sa.Column(
            "shown", sa.Integer(), server_default="-1", nullable=False, comment="the version that the message shows"
        ),
        sa.Column("next_attempt_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_rounds_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_tournament_rounds")),
    )
    op.create_index(
        "ix_tournament_rounds_unshown",
        "tournament_rounds",
        ["next_attempt_at"],
        unique=False,
        sqlite_where=sa.text("shown < version"),
        postgresql_where=sa.text("shown < version"),
    )
    op.create_table(
        "tournament_organisers",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_organisers_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "user_id", name=op.f("pk_tournament_organisers")),
    )
    op.create_index("ix_tournament_organisers_user_id", "tournament_organisers", ["user_id"], unique=False)
    op.create_table(
        "tournament_log",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False, comment="1 upwards in the tournament"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.BigInteger(), nullable=True, comment="NULL: the bot itself"),
        sa.Column("act", sa.String(length=32), nullable=False),
        sa.Column("round", sa.SmallInteger(), nullable=False, comment="the last round that was paired then"),
        sa.Column("detail", sa.Text(), nullable=False, comment="JSON object: what was done, and what was before"),
        sa.Column("reason", sa.String(length=300), nullable=False),
        sa.Column("undone", sa.Integer(), nullable=True, comment="the seq of the act that undid it"),
        sa.Column("subject", sa.BigInteger(), nullable=True, comment="the user whom the act concerns"),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column(
            "next_attempt_at",
            sa.BigInteger(),
            nullable=True,
            comment="when its games are ended and its line is posted; NULL: nothing is left to do",
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_log_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "seq", name=op.f("pk_tournament_log")),
    )
    op.create_index("ix_tournament_log_actor", "tournament_log", ["actor"], unique=False)
    op.create_index("ix_tournament_log_subject", "tournament_log", ["subject"], unique=False)
    op.create_index(
        "ix_tournament_log_unfinished",
        "tournament_log",
        ["next_attempt_at"],
        unique=False,
        sqlite_where=sa.text("next_attempt_at IS NOT NULL"),
        postgresql_where=sa.text("next_attempt_at IS NOT NULL"),
    )
    op.create_table(
        "deletions",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True, comment="NULL as soon as the deletion is done"),
        sa.Column(
            "pseudonym", sa.BigInteger(), nullable=True, comment="replaces the id; NULL as soon as the deletion is done"
        ),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True, comment="tells other processes to empty their caches"),
        sa.Column(
            "erased",
            sa.Boolean(),
            server_default=sa.false(),
            nullable=False,
            comment="whether no byte is left in SQLite's file",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deletions")),
        sa.UniqueConstraint("user_id", name=op.f("uq_deletions_user_id")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "absent_servers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column(
            "since", sa.BigInteger(), nullable=False, comment="when the bot was first found to be no longer there"
        ),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_absent_servers")),
    )
    op.create_table(
        "lessons",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("lesson", sa.String(length=64), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", "lesson", name=op.f("pk_lessons")),
    )
    op.create_table(
        "greeted_servers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("greeted_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_greeted_servers")),
    )
    op.create_table(
        "identify_turns",
        sa.Column(
            "bucket", sa.Integer(), autoincrement=False, nullable=False, comment="the shard modulo max_concurrency"
        ),
        sa.Column("taken_at", sa.BigInteger(), nullable=False, comment="when a process last identified a shard of it"),
        sa.PrimaryKeyConstraint("bucket", name=op.f("pk_identify_turns")),
    )
    op.create_table(
        "command_registrations",
        sa.Column("application", sa.BigInteger(), autoincrement=False, nullable=False, comment="the bot's id"),
        sa.Column("digest", sa.String(), nullable=False, comment="of the commands as they were sent to Discord"),
        sa.Column("registered", sa.String(), nullable=False, comment="the ids that Discord has given to them"),
        sa.PrimaryKeyConstraint("application", name=op.f("pk_command_registrations")),
    )


def downgrade() -> None:
    op.drop_table("command_registrations")
    op.drop_table("identify_turns")
    op.drop_table("greeted_servers")
    op.drop_table("lessons")
    op.drop_table("absent_servers")
    op.drop_table("deletions")
    op.drop_table("tournament_log")
    op.drop_table("tournament_organisers")
    op.drop_table("tournament_rounds")
    op.drop_table("tournament_pairings")
    op.drop_table("tournament_players")
    op.drop_table("tournaments")
    op.drop_table("dice_uncounted")
    op.drop_table("dice_counts")
    op.drop_table("leaderboard")
    op.drop_table("uncounted_games")
    op.drop_table("explored_moves")
    op.drop_table("analyses")
    op.drop_table("challenges")
    op.drop_table("conditional_moves")
    op.drop_table("notifications")
    op.drop_table("old_boards")
    op.drop_table("permission_issues")
    op.drop_table("removed_servers")
    op.drop_table("outages")
    op.drop_table("heartbeats")
    op.drop_table("vacations")
    op.drop_table("rating_changes")
    op.drop_table("ratings")
    op.drop_table("rated_contests")
    op.drop_table("matches")
    op.drop_table("snapshots")
    op.drop_table("entries")
    op.drop_table("games")
    op.drop_table("player_names")
    op.drop_table("preferences")
