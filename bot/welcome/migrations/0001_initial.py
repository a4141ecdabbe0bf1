"""The tables greeted_servers."""

import sqlalchemy as sa
from alembic import op

revision = "welcome_0001"
down_revision = "learn_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "greeted_servers",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("greeted_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_greeted_servers")),
    )


def downgrade() -> None:
    op.drop_table("greeted_servers")
