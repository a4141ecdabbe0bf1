"""Turns laid down ahead of time."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "plans",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(16), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False, comment="whose plan it is"),
        sa.Column("parent", sa.Integer(), comment="the plan after whose reply it comes; NULL: next"),
        sa.Column("their", sa.Text(), nullable=False, comment="what the other side plays"),
        sa.Column("reply", sa.Text(), comment="what is played then, or resign; NULL: not said yet"),
        sa.Column(
            "lasting", sa.Boolean(), nullable=False, comment="whether it waits until it is used, a call's answer"
        ),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_plans_game_id_games")),
        sa.ForeignKeyConstraint(["parent"], ["plans.id"], name=op.f("fk_plans_parent_plans")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plans")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_plans_game_id", "plans", ["game_id"])
    op.create_index("ix_plans_parent", "plans", ["parent"])


def downgrade() -> None:
    op.drop_table("plans")
