"""The tables of tournaments."""

import sqlalchemy as sa
from alembic import op

revision = "tournaments_0001"
down_revision = "dice_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(length=16), nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False, comment="where it is announced and played"),
        sa.Column("owner", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("locale", sa.String(length=16), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False, comment="JSON object: what the organiser has chosen"),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("paused", sa.BigInteger(), nullable=True, comment="since when; NULL: it is not paused"),
        sa.Column(
            "round", sa.SmallInteger(), server_default="0", nullable=False, comment="the last round that was paired"
        ),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column("version", sa.Integer(), server_default="0", nullable=False, comment="grows with each change"),
        sa.Column(
            "shown",
            sa.Integer(),
            server_default="-1",
            nullable=False,
            comment="the version that the announcement shows",
        ),
        sa.Column("message_id", sa.BigInteger(), nullable=True, comment="the announcement"),
        sa.Column(
            "next_at",
            sa.BigInteger(),
            nullable=False,
            comment="when there is something to do; far away: nothing is known",
        ),
        sa.Column(
            "leased_until",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="a process works on it until then",
        ),
        sa.Column(
            "attempts",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="how often the announcement has failed",
        ),
        sa.Column(
            "next_attempt_at", sa.BigInteger(), server_default="0", nullable=False, comment="of the announcement"
        ),
        sa.Column("posted", sa.SmallInteger(), server_default="0", nullable=False, comment="how often it was posted"),
        sa.Column(
            "credited_until",
            sa.BigInteger(),
            server_default="0",
            nullable=False,
            comment="outages of the bot until then have moved the deadlines",
        ),
        sa.Column(
            "closing_at",
            sa.BigInteger(),
            nullable=True,
            comment="when its last message is to be sent or edited; NULL: it need not be",
        ),
        sa.Column("closing_id", sa.BigInteger(), nullable=True, comment="its last message"),
        sa.CheckConstraint(
            "status IN ('draft', 'registration', 'check_in', 'running', 'over', 'cancelled')",
            name=op.f("ck_tournaments_status"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
    )
    op.create_index(
        "ix_tournaments_channel_id",
        "tournaments",
        ["channel_id"],
        unique=False,
        sqlite_where=sa.text("status IN ('registration', 'check_in', 'running')"),
        postgresql_where=sa.text("status IN ('registration', 'check_in', 'running')"),
    )
    op.create_index(
        "ix_tournaments_closing",
        "tournaments",
        ["closing_at"],
        unique=False,
        sqlite_where=sa.text("closing_at IS NOT NULL"),
        postgresql_where=sa.text("closing_at IS NOT NULL"),
    )
    op.create_index("ix_tournaments_guild_id_created", "tournaments", ["guild_id", "created"], unique=False)
    op.create_index(
        "ix_tournaments_next_at",
        "tournaments",
        ["next_at"],
        unique=False,
        sqlite_where=sa.text("status IN ('registration', 'check_in', 'running')"),
        postgresql_where=sa.text("status IN ('registration', 'check_in', 'running')"),
    )
    op.create_index("ix_tournaments_owner", "tournaments", ["owner"], unique=False)
    op.create_index(
        "ix_tournaments_unshown",
        "tournaments",
        ["next_attempt_at"],
        unique=False,
        sqlite_where=sa.text("shown < version"),
        postgresql_where=sa.text("shown < version"),
    )
    op.create_table(
        "tournament_players",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False, comment="of the entrant: 1 upwards, never used twice"),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column(
            "reason", sa.String(length=32), server_default="", nullable=False, comment="why the player is no longer in"
        ),
        sa.Column("rating", sa.Integer(), nullable=False, comment="rounded, when they joined or at the start"),
        sa.Column("seed", sa.Integer(), server_default="0", nullable=False, comment="1 upwards; 0: not seeded yet"),
        sa.Column("section", sa.SmallInteger(), server_default="0", nullable=False),
        sa.Column("first_round", sa.SmallInteger(), server_default="1", nullable=False),
        sa.Column("last_round", sa.SmallInteger(), nullable=True),
        sa.Column(
            "byes",
            sa.String(length=128),
            server_default="",
            nullable=False,
            comment="rounds of half-point byes, with commas",
        ),
        sa.Column("joined", sa.BigInteger(), nullable=False),
        sa.Column("checked_in", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column(
            "free_since", sa.BigInteger(), nullable=True, comment="arena: waits for an opponent since; NULL: does not"
        ),
        sa.Column("ladder_place", sa.Integer(), nullable=True, comment="1 upwards; NULL: not in a ladder"),
        sa.Column("first_place", sa.Integer(), nullable=True, comment="of the final ranking; NULL: none yet"),
        sa.Column("last_place", sa.Integer(), nullable=True, comment="the last of the places that are shared"),
        sa.CheckConstraint(
            "status IN ('in', 'waiting', 'withdrawn', 'expelled')", name=op.f("ck_tournament_players_status")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_players_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_tournament_players")),
    )
    op.create_index("ix_tournament_players_user_id", "tournament_players", ["user_id"], unique=False)
    op.create_index("uq_tournament_players_user", "tournament_players", ["tournament_id", "user_id"], unique=True)
    op.create_table(
        "tournament_pairings",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("id", sa.Integer(), nullable=False, comment="1 upwards in the tournament"),
        sa.Column("stage", sa.SmallInteger(), nullable=False),
        sa.Column("round", sa.SmallInteger(), nullable=False),
        sa.Column("section", sa.SmallInteger(), nullable=False),
        sa.Column("board", sa.SmallInteger(), nullable=False),
        sa.Column("slot", sa.String(length=8), nullable=False),
        sa.Column("attempt", sa.SmallInteger(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False, comment="the number of the entrant with the first seat"),
        sa.Column("second", sa.Integer(), nullable=True, comment="NULL: a bye"),
        sa.Column("reason", sa.Text(), nullable=False, comment="JSON: why they were paired; empty: nothing to say"),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column(
            "result", sa.String(length=8), nullable=True, comment="as engine.tournament writes it; NULL: not yet"
        ),
        sa.Column(
            "decided_by",
            sa.String(length=16),
            server_default="",
            nullable=False,
            comment="game, bye, forfeit or organiser",
        ),
        sa.Column("contest_id", sa.String(length=16), nullable=True, comment="the game or match; NULL: not opened"),
        sa.Column("game_id", sa.String(length=16), nullable=True, comment="the game, or the first one of the match"),
        sa.Column("channel_id", sa.BigInteger(), nullable=True, comment="the thread or channel in which it is played"),
        sa.Column("opened", sa.BigInteger(), nullable=True),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.Column(
            "deadline", sa.BigInteger(), nullable=True, comment="when the rule for late games applies; NULL: never"
        ),
        sa.Column("extended", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column(
            "warned", sa.Boolean(), server_default=sa.false(), nullable=False, comment="told a day before the deadline"
        ),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False, comment="how often opening has failed"),
        sa.Column("next_attempt_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column(
            "leased_until", sa.BigInteger(), server_default="0", nullable=False, comment="a process opens it until then"
        ),
        sa.CheckConstraint(
            "state IN ('waiting', 'running', 'late', 'done')", name=op.f("ck_tournament_pairings_state")
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_pairings_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "id", name=op.f("pk_tournament_pairings")),
    )
    op.create_index(
        "ix_tournament_pairings_unopened",
        "tournament_pairings",
        ["next_attempt_at"],
        unique=False,
        sqlite_where=sa.text("state = 'waiting'"),
        postgresql_where=sa.text("state = 'waiting'"),
    )
    op.create_index(
        "uq_tournament_pairings_contest_id",
        "tournament_pairings",
        ["contest_id"],
        unique=True,
        sqlite_where=sa.text("contest_id IS NOT NULL"),
        postgresql_where=sa.text("contest_id IS NOT NULL"),
    )
    op.create_index(
        "uq_tournament_pairings_place",
        "tournament_pairings",
        ["tournament_id", "round", "section", "board", "attempt"],
        unique=True,
    )
    op.create_table(
        "tournament_rounds",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column(
            "number", sa.SmallInteger(), nullable=False, comment="1 upwards through all stages; 0: arena or ladder"
        ),
        sa.Column("stage", sa.SmallInteger(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("deadline", sa.BigInteger(), nullable=True, comment="NULL: none"),
        sa.Column("message_id", sa.BigInteger(), nullable=True, comment="the message with all pairings"),
        sa.Column(
            "more_ids", sa.Text(), server_default="", nullable=False, comment="its further messages, with commas"
        ),
        sa.Column(
            "version",
            sa.Integer(),
            server_default="0",
            nullable=False,
            comment="grows with each change of the pairings",
        ),
        sa.Column(
            "shown", sa.Integer(), server_default="-1", nullable=False, comment="the version that the message shows"
        ),
        sa.Column("next_attempt_at", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_rounds_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_tournament_rounds")),
    )
    op.create_index(
        "ix_tournament_rounds_unshown",
        "tournament_rounds",
        ["next_attempt_at"],
        unique=False,
        sqlite_where=sa.text("shown < version"),
        postgresql_where=sa.text("shown < version"),
    )
    op.create_table(
        "tournament_organisers",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_organisers_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "user_id", name=op.f("pk_tournament_organisers")),
    )
    op.create_index("ix_tournament_organisers_user_id", "tournament_organisers", ["user_id"], unique=False)
    op.create_table(
        "tournament_log",
        sa.Column("tournament_id", sa.String(length=16), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False, comment="1 upwards in the tournament"),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.BigInteger(), nullable=True, comment="NULL: the bot itself"),
        sa.Column("act", sa.String(length=32), nullable=False),
        sa.Column("round", sa.SmallInteger(), nullable=False, comment="the last round that was paired then"),
        sa.Column("detail", sa.Text(), nullable=False, comment="JSON object: what was done, and what was before"),
        sa.Column("reason", sa.String(length=300), nullable=False),
        sa.Column("undone", sa.Integer(), nullable=True, comment="the seq of the act that undid it"),
        sa.Column("subject", sa.BigInteger(), nullable=True, comment="the user whom the act concerns"),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column(
            "next_attempt_at",
            sa.BigInteger(),
            nullable=True,
            comment="when its games are ended and its line is posted; NULL: nothing is left to do",
        ),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_log_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("tournament_id", "seq", name=op.f("pk_tournament_log")),
    )
    op.create_index("ix_tournament_log_actor", "tournament_log", ["actor"], unique=False)
    op.create_index("ix_tournament_log_subject", "tournament_log", ["subject"], unique=False)
    op.create_index(
        "ix_tournament_log_unfinished",
        "tournament_log",
        ["next_attempt_at"],
        unique=False,
        sqlite_where=sa.text("next_attempt_at IS NOT NULL"),
        postgresql_where=sa.text("next_attempt_at IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_table("tournament_log")
    op.drop_table("tournament_organisers")
    op.drop_table("tournament_rounds")
    op.drop_table("tournament_pairings")
    op.drop_table("tournament_players")
    op.drop_table("tournaments")
