"""What people and servers prefer, what people are called and have learnt; rematches."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "preferences",
        sa.Column("scope", sa.String(8), nullable=False, comment="user or server"),
        sa.Column("id", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("value", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("scope", "id", "key", name=op.f("pk_preferences")),
    )
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.String(64), nullable=False, comment="as Discord showed it last"),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_people")),
    )
    op.create_table(
        "lessons",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("lesson", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "game", "lesson", name=op.f("pk_lessons")),
    )
    with op.batch_alter_table("challenges") as batch:
        batch.add_column(
            sa.Column("first", sa.BigInteger(), comment="who takes the first seat; NULL: the coin decides")
        )
        batch.add_column(sa.Column("rematch_of", sa.String(16), comment="the finished game that is played again"))
        batch.create_foreign_key(op.f("fk_challenges_rematch_of_games"), "games", ["rematch_of"], ["id"])


def downgrade() -> None:
    with op.batch_alter_table("challenges") as batch:
        batch.drop_constraint(op.f("fk_challenges_rematch_of_games"), type_="foreignkey")
        batch.drop_column("rematch_of")
        batch.drop_column("first")
    op.drop_table("lessons")
    op.drop_table("people")
    op.drop_table("preferences")
