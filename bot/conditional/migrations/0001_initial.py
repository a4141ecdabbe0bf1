"""The tables conditional_moves."""

import sqlalchemy as sa
from alembic import op

revision = "conditional_0001"
down_revision = "notifications_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "conditional_moves",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False, comment="the seat that plays the reply"),
        sa.Column(
            "parent_id", sa.Integer(), nullable=True, comment="the conditional move it follows; NULL: it may come next"
        ),
        sa.Column("condition", sa.Text(), nullable=False, comment="what the other side plays"),
        sa.Column("reply", sa.Text(), nullable=True, comment="what is played then, or resign; NULL: not chosen yet"),
        sa.Column(
            "persistent",
            sa.Boolean(),
            nullable=False,
            comment="whether it stays until it is used, such as an answer to a double",
        ),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_conditional_moves_game_id_games")),
        sa.ForeignKeyConstraint(
            ["parent_id"], ["conditional_moves.id"], name=op.f("fk_conditional_moves_parent_id_conditional_moves")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conditional_moves")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_conditional_moves_game_id", "conditional_moves", ["game_id"], unique=False)
    op.create_index("ix_conditional_moves_parent_id", "conditional_moves", ["parent_id"], unique=False)


def downgrade() -> None:
    op.drop_table("conditional_moves")
