"""The tables preferences, player_names."""

import sqlalchemy as sa
from alembic import op

revision = "players_0001"
down_revision = None
branch_labels = None
depends_on = None


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


def downgrade() -> None:
    op.drop_table("player_names")
    op.drop_table("preferences")
