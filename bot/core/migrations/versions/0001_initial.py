"""Games, their entries, challenges."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False, comment="JSON object, in the order of the record"),
        sa.Column("position", sa.Text(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("seat0", sa.BigInteger(), nullable=False),
        sa.Column("seat1", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("locale", sa.String(16), nullable=False),
        sa.Column("secret", sa.String(128), nullable=False),
        sa.Column("shown_seq", sa.Integer(), nullable=False, comment="-1: not even the start"),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("to_act", sa.SmallInteger(), comment="the seat whose turn it is; NULL when over"),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("moved", sa.BigInteger(), nullable=False, comment="the time of the last entry"),
        sa.Column("points0", sa.Integer()),
        sa.Column("points1", sa.Integer()),
        sa.Column("reason", sa.String(64)),
        sa.Column("ended", sa.BigInteger()),
        sa.CheckConstraint("status IN ('running', 'over')", name=op.f("ck_games_status")),
        sa.CheckConstraint("shown_seq <= seq", name=op.f("ck_games_shown_seq")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    running, to_show = sa.text("status = 'running'"), sa.text("shown_seq < seq")
    op.create_index(
        "uq_games_running_channel",
        "games",
        ["channel_id"],
        unique=True,
        sqlite_where=running,
        postgresql_where=running,
    )
    op.create_index("ix_games_channel_id_moved", "games", ["channel_id", "moved"])
    op.create_index("ix_games_seat0_status", "games", ["seat0", "status"])
    op.create_index("ix_games_seat1_status", "games", ["seat1", "status"])
    op.create_index("ix_games_to_show", "games", ["moved"], sqlite_where=to_show, postgresql_where=to_show)

    op.create_table(
        "entries",
        sa.Column("game_id", sa.String(16), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False, comment="0 for the first entry"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.SmallInteger(), nullable=False, comment="-1 for luck"),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_entries_game_id_games")),
        sa.PrimaryKeyConstraint("game_id", "seq", name=op.f("pk_entries")),
    )

    op.create_table(
        "challenges",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("challenger", sa.BigInteger(), nullable=False),
        sa.Column("opponent", sa.BigInteger(), comment="NULL: anyone may accept"),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.Text(), nullable=False, comment="JSON object"),
        sa.Column("locale", sa.String(16), nullable=False),
        sa.Column("secret", sa.String(128), nullable=False, comment="of the first roll, shown to nobody before it"),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("closed_shown", sa.Boolean(), nullable=False, comment="whether its message says that it is closed"),
        sa.Column("game_id", sa.String(16)),
        sa.Column("answered_by", sa.BigInteger()),
        sa.CheckConstraint(
            "status IN ('open', 'accepted', 'declined', 'cancelled', 'expired')", name=op.f("ck_challenges_status")
        ),
        sa.CheckConstraint(
            "(status = 'accepted') = (game_id IS NOT NULL)", name=op.f("ck_challenges_accepted_has_game")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_challenges_game_id_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
    )
    unanswered, untold = sa.text("status = 'open'"), sa.text("NOT closed_shown")
    op.create_index(
        "ix_challenges_open", "challenges", ["expires"], sqlite_where=unanswered, postgresql_where=unanswered
    )
    op.create_index("ix_challenges_unshown", "challenges", ["expires"], sqlite_where=untold, postgresql_where=untold)


def downgrade() -> None:
    for table in ("challenges", "entries", "games"):
        op.drop_table(table)
