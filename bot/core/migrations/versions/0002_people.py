"""Preferences, names, missing permissions, lessons; rematches; the games that a user has finished."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "preferences",
        sa.Column("scope", sa.String(8), nullable=False),
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False, comment="of the user or the server"),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("value", sa.String(32), nullable=False),
        sa.CheckConstraint("scope IN ('user', 'server')", name=op.f("ck_preferences_scope")),
        sa.PrimaryKeyConstraint("scope", "id", "key", name=op.f("pk_preferences")),
    )
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False, comment="when they were first met under that name"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_people")),
    )
    op.create_table(
        "troubles",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), comment="NULL: in direct messages"),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("permission", sa.String(64), nullable=False, comment="the one that is missing"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False, comment="whether somebody who can mend it knows"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_troubles")),
        sa.UniqueConstraint("channel_id", "permission", name=op.f("uq_troubles_channel_id_permission")),
    )
    unheard = sa.text("NOT told")
    op.create_index("ix_troubles_untold", "troubles", ["guild_id"], sqlite_where=unheard, postgresql_where=unheard)
    op.create_table(
        "lessons",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("lesson", sa.String(64), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", "lesson", name=op.f("pk_lessons")),
    )

    op.add_column(
        "challenges", sa.Column("first", sa.BigInteger(), comment="who takes the first seat; NULL: the coin decides")
    )
    # in plain SQL: with the reference as a constraint of its own, Alembic would have to copy the table in SQLite
    op.execute(
        "ALTER TABLE challenges ADD COLUMN rematch_of VARCHAR(16)"
        " CONSTRAINT fk_challenges_rematch_of_games REFERENCES games (id)"
    )
    unanswered, over = sa.text("status = 'open'"), sa.text("status = 'over'")
    op.create_index(
        "uq_challenges_open_rematch",
        "challenges",
        ["rematch_of"],
        unique=True,
        sqlite_where=unanswered,
        postgresql_where=unanswered,
    )
    for seat in ("seat0", "seat1"):
        name = f"ix_games_{seat}_ended"
        op.create_index(name, "games", [seat, "ended"], sqlite_where=over, postgresql_where=over)


def downgrade() -> None:
    for seat in ("seat0", "seat1"):
        op.drop_index(f"ix_games_{seat}_ended", "games")
    op.drop_index("uq_challenges_open_rematch", "challenges")
    for column in ("rematch_of", "first"):
        op.drop_column("challenges", column)
    for table in ("lessons", "troubles", "people", "preferences"):
        op.drop_table(table)
