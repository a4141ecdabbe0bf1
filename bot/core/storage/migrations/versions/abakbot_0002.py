"""The break between two rounds of a tournament."""

import sqlalchemy as sa
from alembic import op

revision = "abakbot_0002"
down_revision = "abakbot_0001"
phase = "expand"


def upgrade() -> None:
    op.add_column(
        "tournaments",
        sa.Column(
            "break_until",
            sa.BigInteger(),
            nullable=True,
            comment="when the break after its round ends; 0: it is over; NULL: none yet",
        ),
    )


def downgrade() -> None:
    op.drop_column("tournaments", "break_until")
