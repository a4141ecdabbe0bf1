"""The tables deletions, absent_servers."""

import sqlalchemy as sa
from alembic import op

revision = "privacy_0001"
down_revision = "tournaments_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
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


def downgrade() -> None:
    op.drop_table("absent_servers")
    op.drop_table("deletions")
