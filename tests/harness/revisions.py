"""A later version of the bot, whose schema has one more revision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from bot.core.storage import revisions as known
from bot.core.storage.revisions import newest, revisions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LATER: Final = f"abakbot_{len(revisions()) + 1:04}"
"""Its revision."""
SOURCE: Final = '''"""One more column."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{down}"
phase = "{phase}"


def upgrade() -> None:
    op.add_column("games", sa.Column("mood", sa.String(8), nullable=False, server_default="calm"))


def downgrade() -> None:
    op.drop_column("games", "mood")
'''


def later(folder: Path, phase: str = "expand") -> Path:
    """Creates a folder with that revision."""
    folder.mkdir(exist_ok=True)
    (folder / f"{LATER}.py").write_text(SOURCE.format(revision=LATER, down=newest(), phase=phase), encoding="utf-8")
    return folder


@pytest.fixture
def newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A version with one more revision, until its patches are undone."""
    with monkeypatch.context() as patched:
        patched.setattr(known, "FOLDERS", [*known.FOLDERS, later(tmp_path / "later")])
        yield patched
