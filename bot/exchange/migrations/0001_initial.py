"""The tables analyses."""

import sqlalchemy as sa
from alembic import op

revision = "exchange_0001"
down_revision = "challenges_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False, comment="the only one who sees it"),
        sa.Column("games", sa.Text(), nullable=False, comment="JSON list: the records of the games or positions"),
        sa.Column("names", sa.Text(), nullable=False, comment="JSON list: the names of the two players"),
        sa.Column(
            "line", sa.Text(), server_default="", nullable=False, comment="the record of what is tried; empty: nothing"
        ),
        sa.Column("touched", sa.BigInteger(), nullable=False, comment="when it was last looked at"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_analyses")),
    )
    op.create_index("ix_analyses_touched", "analyses", ["touched"], unique=False)
    op.create_index("ix_analyses_user_id_touched", "analyses", ["user_id", "touched"], unique=False)


def downgrade() -> None:
    op.drop_table("analyses")
