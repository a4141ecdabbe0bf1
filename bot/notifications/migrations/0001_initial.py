"""The tables notifications."""

import sqlalchemy as sa
from alembic import op

revision = "notifications_0001"
down_revision = "delivery_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
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


def downgrade() -> None:
    op.drop_table("notifications")
