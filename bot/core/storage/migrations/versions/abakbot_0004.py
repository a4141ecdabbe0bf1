"""The games whose channel was deleted."""

import sqlalchemy as sa
from alembic import op

revision = "abakbot_0004"
down_revision = "abakbot_0003"
phase = "expand"


def upgrade() -> None:
    op.create_table(
        "displaced_games",
        sa.Column("contest_id", sa.String(16), nullable=False, comment="the game, or the match that it is part of"),
        sa.Column("channel_id", sa.BigInteger(), nullable=False, comment="the channel or thread that was deleted"),
        sa.Column(
            "since",
            sa.BigInteger(),
            nullable=False,
            comment="from then on no clock runs, until a board is shown elsewhere",
        ),
        sa.Column(
            "attempts",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="how often it was tried to reopen it",
        ),
        sa.Column("next_attempt_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column(
            "leased_until",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="a process reopens it until then",
        ),
        sa.PrimaryKeyConstraint("contest_id", name=op.f("pk_displaced_games")),
    )
    op.create_index("ix_displaced_games_next_attempt_at", "displaced_games", ["next_attempt_at"])


def downgrade() -> None:
    op.drop_index("ix_displaced_games_next_attempt_at", "displaced_games")
    op.drop_table("displaced_games")
