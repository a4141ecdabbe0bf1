"""The tables challenges."""

import sqlalchemy as sa
from alembic import op

revision = "challenges_0001"
down_revision = "conditional_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=True),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("challenger", sa.BigInteger(), nullable=False),
        sa.Column("opponent", sa.BigInteger(), nullable=True, comment="NULL: anyone may accept"),
        sa.Column("game", sa.String(length=32), nullable=False),
        sa.Column("options", sa.Text(), nullable=False, comment="JSON object"),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("secret", sa.String(length=128), nullable=False, comment="of the rolls; never shown"),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("closed_shown", sa.Boolean(), nullable=False, comment="whether its message says that it is closed"),
        sa.Column("game_id", sa.String(length=16), nullable=True),
        sa.Column("answered_by", sa.BigInteger(), nullable=True),
        sa.Column(
            "reserved_by", sa.BigInteger(), nullable=True, comment="the user whose acceptance is being carried out"
        ),
        sa.Column(
            "reserved_until",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="after this time, others may accept again",
        ),
        sa.Column("first", sa.BigInteger(), nullable=True, comment="who takes the first seat; NULL: the coin decides"),
        sa.Column(
            "seat",
            sa.SmallInteger(),
            nullable=True,
            comment="of the challenger, if it was chosen; NULL: drawn, unless first is set",
        ),
        sa.Column("rematch_of", sa.String(length=16), nullable=True),
        sa.Column(
            "clock",
            sa.String(length=64),
            server_default="",
            nullable=False,
            comment="the time control of the game; empty: none",
        ),
        sa.Column("timeout_policy", sa.String(length=8), server_default="", nullable=False),
        sa.Column(
            "points", sa.SmallInteger(), server_default="0", nullable=False, comment="of the match; 0: not to points"
        ),
        sa.Column(
            "best_of",
            sa.SmallInteger(),
            server_default="1",
            nullable=False,
            comment="games of the series; 1: no series",
        ),
        sa.Column("bank", sa.String(length=8), server_default="game", nullable=False, comment="game or match"),
        sa.Column("rated", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("rating_low", sa.SmallInteger(), nullable=True, comment="of who may accept; NULL: any"),
        sa.Column("rating_high", sa.SmallInteger(), nullable=True),
        sa.Column(
            "attempts",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="how often its message has failed in a row",
        ),
        sa.Column(
            "next_attempt_at",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="no attempt before this time",
        ),
        sa.CheckConstraint(
            "(status = 'accepted') = (game_id IS NOT NULL)", name=op.f("ck_challenges_accepted_has_game")
        ),
        sa.CheckConstraint(
            "status IN ('open', 'accepted', 'declined', 'cancelled', 'expired')", name=op.f("ck_challenges_status")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_challenges_game_id_games")),
        sa.ForeignKeyConstraint(["rematch_of"], ["games.id"], name=op.f("fk_challenges_rematch_of_games")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_challenges")),
    )
    op.create_index(
        "ix_challenges_answered_by",
        "challenges",
        ["answered_by", "created"],
        unique=False,
        sqlite_where=sa.text("answered_by IS NOT NULL"),
        postgresql_where=sa.text("answered_by IS NOT NULL"),
    )
    op.create_index("ix_challenges_challenger", "challenges", ["challenger", "created"], unique=False)
    op.create_index(
        "ix_challenges_closed",
        "challenges",
        ["expires"],
        unique=False,
        sqlite_where=sa.text("status <> 'open'"),
        postgresql_where=sa.text("status <> 'open'"),
    )
    op.create_index("ix_challenges_guild", "challenges", ["guild_id", "created"], unique=False)
    op.create_index(
        "ix_challenges_open",
        "challenges",
        ["expires"],
        unique=False,
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_index(
        "ix_challenges_opponent",
        "challenges",
        ["opponent", "created"],
        unique=False,
        sqlite_where=sa.text("opponent IS NOT NULL"),
        postgresql_where=sa.text("opponent IS NOT NULL"),
    )
    op.create_index(
        "ix_challenges_reserved_by",
        "challenges",
        ["reserved_by", "created"],
        unique=False,
        sqlite_where=sa.text("reserved_by IS NOT NULL"),
        postgresql_where=sa.text("reserved_by IS NOT NULL"),
    )
    op.create_index(
        "ix_challenges_unshown",
        "challenges",
        ["expires"],
        unique=False,
        sqlite_where=sa.text("NOT closed_shown AND status <> 'open'"),
        postgresql_where=sa.text("NOT closed_shown AND status <> 'open'"),
    )
    op.create_index(
        "uq_challenges_open_rematch",
        "challenges",
        ["rematch_of"],
        unique=True,
        sqlite_where=sa.text("status = 'open'"),
        postgresql_where=sa.text("status = 'open'"),
    )


def downgrade() -> None:
    op.drop_table("challenges")
