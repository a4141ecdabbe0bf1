"""An index of the challenges that no message is known of."""

import sqlalchemy as sa
from alembic import op

revision = "challenges_0002"
down_revision = "processes_0001"
branch_labels = None
depends_on = None
phase = "expand"

UNPOSTED = "message_id IS NULL AND NOT closed_shown"


def upgrade() -> None:
    op.create_index(
        "ix_challenges_unposted",
        "challenges",
        ["created"],
        sqlite_where=sa.text(UNPOSTED),
        postgresql_where=sa.text(UNPOSTED),
    )


def downgrade() -> None:
    op.drop_index("ix_challenges_unposted", "challenges")
