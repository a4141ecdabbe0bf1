"""The tables rated_contests, ratings, rating_changes."""

import sqlalchemy as sa
from alembic import op

revision = "ratings_0001"
down_revision = "matches_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
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


def downgrade() -> None:
    op.drop_table("rating_changes")
    op.drop_table("ratings")
    op.drop_table("rated_contests")
