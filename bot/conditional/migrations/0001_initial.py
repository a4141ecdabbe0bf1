"""The tables plans."""

import sqlalchemy as sa
from alembic import op

revision = "conditional_0001"
down_revision = "notifications_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "plans",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False, comment="whose plan it is"),
        sa.Column("parent", sa.Integer(), nullable=True, comment="the plan after whose reply it comes; NULL: next"),
        sa.Column("their", sa.Text(), nullable=False, comment="what the other side plays"),
        sa.Column("reply", sa.Text(), nullable=True, comment="what is played then, or resign; NULL: not said yet"),
        sa.Column(
            "persistent", sa.Boolean(), nullable=False, comment="whether it waits until it is used, a call's answer"
        ),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_plans_game_id_games")),
        sa.ForeignKeyConstraint(["parent"], ["plans.id"], name=op.f("fk_plans_parent_plans")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plans")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_plans_game_id", "plans", ["game_id"], unique=False)
    op.create_index("ix_plans_parent", "plans", ["parent"], unique=False)


def downgrade() -> None:
    op.drop_table("plans")
