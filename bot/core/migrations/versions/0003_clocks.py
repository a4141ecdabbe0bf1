"""Clocks: time controls, deadlines, vacations, and when the bot was away."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def of_games() -> list[sa.Column[Any]]:
    return [
        sa.Column(
            "clock", sa.String(64), nullable=False, server_default="", comment="the time control's text; empty: none"
        ),
        sa.Column(
            "timeout", sa.String(8), nullable=False, server_default="", comment="loss or claim, where there is a clock"
        ),
        sa.Column("deadline", sa.BigInteger(), comment="when the time of the seat to act is up, the grace included"),
        sa.Column("counts", sa.Boolean(), comment="whether the result counts for ratings; NULL while running"),
        sa.Column("leased_until", sa.BigInteger(), nullable=False, server_default="0"),
    ]


def of_challenges() -> list[sa.Column[Any]]:
    return [
        sa.Column("clock", sa.String(64), nullable=False, server_default="", comment="as of the game to come"),
        sa.Column("timeout", sa.String(8), nullable=False, server_default=""),
    ]


def upgrade() -> None:
    for table, columns in (("games", of_games()), ("challenges", of_challenges())):
        for column in columns:
            op.add_column(table, column)
    op.execute("UPDATE games SET counts = (1 = 1) WHERE status = 'over'")  # until now every result counted
    timed = sa.text("deadline IS NOT NULL")
    op.create_index("ix_games_deadline", "games", ["deadline"], sqlite_where=timed, postgresql_where=timed)
    op.create_table(
        "vacations",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False, comment="brought forward by who comes back early"),
        sa.CheckConstraint("since < until", name=op.f("ck_vacations_interval")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vacations")),
    )
    op.create_index("ix_vacations_user_id_until", "vacations", ["user_id", "until"])
    op.create_table(
        "beats",
        sa.Column("lane", sa.Integer(), autoincrement=False, nullable=False, comment="a shard"),
        sa.Column("lanes", sa.Integer(), autoincrement=False, nullable=False, comment="how many there are"),
        sa.Column("at", sa.BigInteger(), nullable=False, comment="when moves of that lane were last taken"),
        sa.PrimaryKeyConstraint("lane", "lanes", name=op.f("pk_beats")),
    )
    op.create_table(
        "outages",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("lane", sa.Integer(), nullable=False),
        sa.Column("lanes", sa.Integer(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("since < until", name=op.f("ck_outages_interval")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outages")),
        sa.UniqueConstraint("lane", "lanes", "since", name=op.f("uq_outages_lane_lanes_since")),
    )
    op.create_index("ix_outages_until", "outages", ["until"])


def downgrade() -> None:
    for table in ("outages", "beats", "vacations"):
        op.drop_table(table)
    op.drop_index("ix_games_deadline", "games")
    for table, columns in (("challenges", of_challenges()), ("games", of_games())):
        for column in reversed(columns):
            op.drop_column(table, column.name)
