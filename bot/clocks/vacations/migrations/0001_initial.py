"""The tables vacations."""

import sqlalchemy as sa
from alembic import op

revision = "vacations_0001"
down_revision = "ratings_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "vacations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column(
            "until", sa.BigInteger(), nullable=False, comment="earlier than planned if the user comes back early"
        ),
        sa.CheckConstraint("since < until", name=op.f("ck_vacations_interval")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vacations")),
    )
    op.create_index("ix_vacations_user_id_until", "vacations", ["user_id", "until"], unique=False)


def downgrade() -> None:
    op.drop_table("vacations")
