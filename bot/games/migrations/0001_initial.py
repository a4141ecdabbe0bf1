"""The tables games, entries, snapshots."""

import sqlalchemy as sa
from alembic import op

revision = "games_0001"
down_revision = "players_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
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


def downgrade() -> None:
    op.drop_table("snapshots")
    op.drop_table("entries")
    op.drop_table("games")
