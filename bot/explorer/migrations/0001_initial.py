"""The tables explored_moves, uncounted_games."""

import sqlalchemy as sa
from alembic import op

revision = "explorer_0001"
down_revision = "exchange_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "explored_moves",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column(
            "position", sa.BigInteger(), autoincrement=False, nullable=False, comment="the hash of game and position"
        ),
        sa.Column("move", sa.String(length=100), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("wins0", sa.Integer(), nullable=False, comment="games that the first seat won"),
        sa.Column("wins1", sa.Integer(), nullable=False),
        sa.Column("points0", sa.Integer(), nullable=False, comment="the sum of the first seat's points"),
        sa.PrimaryKeyConstraint("guild_id", "position", "move", name=op.f("pk_explored_moves")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "uncounted_games",
        sa.Column(
            "game_id",
            sa.String(length=16),
            nullable=False,
            comment="a finished game whose moves are still to be counted",
        ),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_uncounted_games")),
    )


def downgrade() -> None:
    op.drop_table("uncounted_games")
    op.drop_table("explored_moves")
