"""The series of a tournament that repeats."""

import sqlalchemy as sa
from alembic import op

revision = "abakbot_0003"
down_revision = "abakbot_0002"
phase = "expand"

SERIES = sa.text("series IS NOT NULL")
REPEATS = sa.text("repeat_at IS NOT NULL")


def upgrade() -> None:
    op.add_column(
        "tournaments",
        sa.Column(
            "series",
            sa.String(16),
            nullable=True,
            comment="the first tournament of its series; NULL: it is the first itself, or there is no series",
        ),
    )
    op.add_column(
        "tournaments",
        sa.Column("edition", sa.Integer(), nullable=False, server_default="1", comment="its number in its series"),
    )
    op.add_column(
        "tournaments",
        sa.Column(
            "repeat_at",
            sa.BigInteger(),
            nullable=True,
            comment="when the next of its series is announced; NULL: it need not be",
        ),
    )
    op.create_index(
        "ix_tournaments_series",
        "tournaments",
        ["series", "edition"],
        sqlite_where=SERIES,
        postgresql_where=SERIES,
    )
    op.create_index(
        "ix_tournaments_repeat_at", "tournaments", ["repeat_at"], sqlite_where=REPEATS, postgresql_where=REPEATS
    )


def downgrade() -> None:
    op.drop_index("ix_tournaments_repeat_at", "tournaments")
    op.drop_index("ix_tournaments_series", "tournaments")
    op.drop_column("tournaments", "repeat_at")
    op.drop_column("tournaments", "edition")
    op.drop_column("tournaments", "series")
