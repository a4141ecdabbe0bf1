"""The tables identify_turns, command_registrations."""

import sqlalchemy as sa
from alembic import op

revision = "processes_0001"
down_revision = "welcome_0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "identify_turns",
        sa.Column(
            "bucket", sa.Integer(), autoincrement=False, nullable=False, comment="the shard modulo max_concurrency"
        ),
        sa.Column("taken_at", sa.BigInteger(), nullable=False, comment="when a process last identified a shard of it"),
        sa.PrimaryKeyConstraint("bucket", name=op.f("pk_identify_turns")),
    )
    op.create_table(
        "command_registrations",
        sa.Column("application", sa.BigInteger(), autoincrement=False, nullable=False, comment="the bot's id"),
        sa.Column("digest", sa.String(), nullable=False, comment="of the commands as they were sent to Discord"),
        sa.Column("registered", sa.String(), nullable=False, comment="the ids that Discord has given to them"),
        sa.PrimaryKeyConstraint("application", name=op.f("pk_command_registrations")),
    )


def downgrade() -> None:
    op.drop_table("command_registrations")
    op.drop_table("identify_turns")
