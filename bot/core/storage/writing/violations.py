"""Finds out which constraint a write has violated."""

import re
from collections.abc import Iterator
from typing import Final

from sqlalchemy import PrimaryKeyConstraint, Table, UniqueConstraint
from sqlalchemy.exc import IntegrityError

from bot.core.storage.tables import metadata

SQLITE_VIOLATION: Final = re.compile(r"(UNIQUE|CHECK|NOT NULL) constraint failed: (.+)")
"""SQLite's message about a violated constraint. It names the columns, or the check."""


def violated(error: IntegrityError) -> str:
    """Returns the name of the violated constraint or unique index; "" if the database does not say.

    For NOT NULL, that is TABLE.COLUMN. PostgreSQL gives the name. SQLite gives the columns of a key or unique index,
    and nothing for a foreign key.
    """
    cause = getattr(error.orig, "__cause__", None)
    name: str | None = getattr(cause, "constraint_name", None)
    column: str | None = getattr(cause, "column_name", None)
    if name is None and column is not None:
        return f"{getattr(cause, 'table_name', '')}.{column}"
    match = SQLITE_VIOLATION.fullmatch(str(error.orig))
    if name is not None or match is None:
        return name or ""
    kind, text = match.groups()
    if kind != "UNIQUE":
        return text
    columns = [column.partition(".") for column in text.split(", ")]
    table = metadata.tables.get(columns[0][0])
    names = [name for *_, name in columns]
    return "" if table is None else next((name for name, keys in _unique(table) if keys == names), "")


def _unique(table: Table) -> Iterator[tuple[str, list[str]]]:
    """Yields a table's primary key, unique constraints and unique indexes, each with its columns."""
    constraints = [one for one in table.constraints if isinstance(one, PrimaryKeyConstraint | UniqueConstraint)]
    for constraint in (*constraints, *(index for index in table.indexes if index.unique)):
        yield str(constraint.name), [column.name for column in constraint.columns]
