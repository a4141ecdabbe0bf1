"""The tables leaderboard."""

import sqlalchemy as sa
from alembic import op

revision = "profiles_0001"
down_revision = "explorer_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
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


def downgrade() -> None:
    op.drop_table("leaderboard")
