"""Tells which older versions may go on with a newer schema: only additions follow their revisions.

A revision with ``phase = "expand"`` only adds tables, indexes, and columns that an older version need not know. A
migration stores the revisions of all versions that the new schema still serves.
"""

from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Connection, MetaData, String, Table, delete, insert, inspect, select

if TYPE_CHECKING:
    from alembic.config import Config

EXPAND: Final = "expand"
"""The phase of a revision that only adds. Older versions cannot go on after any other."""

compatible_schemas: Final = Table(
    "compatible_schemas",
    MetaData(),  # like Alembic's own table, it describes the schema and is no part of it
    Column("schema", String(32), primary_key=True, comment="the revision of the schema that this is said of"),
    Column("revision", String(32), primary_key=True, comment="the newest revision of a version that it serves"),
)


def served(config: "Config") -> set[str]:
    """Returns the newest revision of this version, and the earlier ones whose versions can use its schema."""
    from alembic.script import ScriptDirectory

    found: set[str] = set()
    for revision in ScriptDirectory.from_config(config).walk_revisions():  # the newest first
        found.add(revision.revision)
        if getattr(revision.module, "phase", "") != EXPAND:
            break
    return found


def mark(connection: Connection, config: "Config", schema: str) -> None:
    """Stores which versions the schema of this version serves."""
    compatible_schemas.create(connection, checkfirst=True)
    connection.execute(delete(compatible_schemas))
    rows = [{"schema": schema, "revision": revision} for revision in sorted(served(config))]
    connection.execute(insert(compatible_schemas), rows)


def allows(connection: Connection, schema: str | None, revision: str) -> bool:
    """Returns whether a newer schema serves the version with this newest revision."""
    if schema is None or not inspect(connection).has_table(compatible_schemas.name):
        return False
    said = (compatible_schemas.c.schema == schema, compatible_schemas.c.revision == revision)
    return connection.scalar(select(compatible_schemas.c.revision).where(*said)) is not None
