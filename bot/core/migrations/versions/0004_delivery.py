"""What could not be shown and when it is tried again; the outbox of notices."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def retries() -> list[sa.Column[Any]]:
    failed = "how often its message has failed in a row"
    return [
        sa.Column("tries", sa.Integer(), nullable=False, server_default="0", comment=failed),
        sa.Column("try_at", sa.BigInteger(), nullable=False, server_default="0", comment="not before"),
    ]


def hindrance() -> list[sa.Column[Any]]:
    why, told = "why the board cannot be shown", "bit 0 and 1: the seats told"
    return [
        sa.Column("hindrance", sa.String(64), nullable=False, server_default="", comment=why),
        sa.Column("hindrance_told", sa.SmallInteger(), nullable=False, server_default="0", comment=told),
    ]


def added() -> dict[str, list[sa.Column[Any]]]:
    """The new columns of the tables that there are."""
    return {"games": [*retries(), *hindrance()], "challenges": retries()}


def upgrade() -> None:
    for table, columns in added().items():
        for column in columns:
            op.add_column(table, column)
    hindered = sa.text("hindrance <> ''")
    op.create_index("ix_games_hindered", "games", ["seat0", "seat1"], sqlite_where=hindered, postgresql_where=hindered)
    op.create_table(
        "old_boards",
        sa.Column("message_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False, comment="whether it is to go, or to lose its buttons"),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("try_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("message_id", name=op.f("pk_old_boards")),
    )
    op.create_index("ix_old_boards_try_at", "old_boards", ["try_at"])
    op.create_table(
        "notices",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("key", sa.String(96), nullable=False, comment="user, game, seq, kind, n: nothing is told twice"),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("game_id", sa.String(16)),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("channel_id", sa.BigInteger()),
        sa.Column("body", sa.Text(), nullable=False, comment="JSON object: the parameters of its text"),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("try_at", sa.BigInteger(), nullable=False, comment="not before: due, back-off or lease"),
        sa.Column("via", sa.String(8), nullable=False, comment="how it reached the user"),
        sa.Column("sent_to", sa.BigInteger(), comment="the channel in which it may have arrived"),
        sa.CheckConstraint("state IN ('pending', 'sent', 'failed', 'void')", name=op.f("ck_notices_state")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_notices_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
        sa.UniqueConstraint("key", name=op.f("uq_notices_key")),
    )
    pending, failed = sa.text("state = 'pending'"), sa.text("state = 'failed'")
    op.create_index("ix_notices_pending", "notices", ["try_at"], sqlite_where=pending, postgresql_where=pending)
    op.create_index("ix_notices_game", "notices", ["game_id"], sqlite_where=pending, postgresql_where=pending)
    op.create_index("ix_notices_failed", "notices", ["user_id"], sqlite_where=failed, postgresql_where=failed)
    done = sa.text("state IN ('sent', 'void')")
    op.create_index("ix_notices_done", "notices", ["due"], sqlite_where=done, postgresql_where=done)


def downgrade() -> None:
    op.drop_table("notices")
    op.drop_table("old_boards")
    op.drop_index("ix_games_hindered", "games")
    for table, columns in added().items():
        for column in reversed(columns):
            op.drop_column(table, column.name)
