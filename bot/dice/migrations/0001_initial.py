"""The tables dice_counts, dice_uncounted."""

import sqlalchemy as sa
from alembic import op

revision = "dice_0001"
down_revision = "profiles_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "dice_counts",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column(
            "side", sa.SmallInteger(), autoincrement=False, nullable=False, comment="0: own rolls, 1: the opponents'"
        ),
        sa.Column("roll", sa.String(length=2), nullable=False, comment="the dice, the higher first"),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "side", "roll", name=op.f("pk_dice_counts")),
    )
    op.create_table(
        "dice_uncounted",
        sa.Column("game_id", sa.String(length=16), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_dice_uncounted_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_dice_uncounted")),
    )


def downgrade() -> None:
    op.drop_table("dice_uncounted")
    op.drop_table("dice_counts")
