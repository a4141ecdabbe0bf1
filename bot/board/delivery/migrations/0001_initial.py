"""The tables permission_issues, old_boards."""

import sqlalchemy as sa
from alembic import op

revision = "delivery_0001"
down_revision = "heartbeats_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
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


def downgrade() -> None:
    op.drop_table("old_boards")
    op.drop_table("permission_issues")
