"""Room for the longest time control among the preferences."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("preferences") as table:
        table.alter_column("value", existing_type=sa.String(32), type_=sa.String(64), existing_nullable=False)


def downgrade() -> None:
    op.execute("DELETE FROM preferences WHERE length(value) > 32")
    with op.batch_alter_table("preferences") as table:
        table.alter_column("value", existing_type=sa.String(64), type_=sa.String(32), existing_nullable=False)
