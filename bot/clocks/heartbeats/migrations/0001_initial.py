"""The tables heartbeats, outages, removed_servers."""

import sqlalchemy as sa
from alembic import op

revision = "heartbeats_0001"
down_revision = "vacations_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
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


def downgrade() -> None:
    op.drop_table("removed_servers")
    op.drop_table("outages")
    op.drop_table("heartbeats")
