"""The tables matches."""

import sqlalchemy as sa
from alembic import op

revision = "matches_0001"
down_revision = "games_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
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


def downgrade() -> None:
    op.drop_table("matches")
