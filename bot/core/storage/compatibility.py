"""Which older versions may go on with a newer schema: those whose revisions are followed by additions alone.

A revision says so of itself with ``phase = "expand"``: it only adds tables, indexes, and columns that an older version
need not know. Whoever migrates stores the revisions of all versions that the new schema still serves.
"""

from typing import TYPE_CHECKING, Final

from sqlalchemy import Column, Connection, MetaData, String, Table, delete, insert, inspect, select

if TYPE_CHECKING:
    from alembic.config import Config

EXPAND: Final = "expand"
"""The phase of a revision that takes nothing away from older versions; any other revision ends their time."""

compatible_schemas: Final = Table(
    "compatible_schemas",
    MetaData(),  # like Alembic's own table, it says something of the schema, and is no part of it
    Column("schema", String(32), primary_key=True, comment="the revision of the schema that this is said of"),
    Column("revision", String(32), primary_key=True, comment="the newest revision of a version that it serves"),
)


def served(config: "Config") -> set[str]:
    """The newest revision of this version, and those before it whose versions can live with it."""
    from alembic.script import ScriptDirectory

    found: set[str] = set()
    for revision in ScriptDirectory.from_config(config).walk_revisions():  # the newest first
        found.add(revision.revision)
        if getattr(revision.module, "phase", "") != EXPAND:
            break
    return found


def mark(connection: Connection, config: "Config", schema: str) -> None:
    """Stores which versions the schema, that of this version, serves."""
    compatible_schemas.create(connection, checkfirst=True)
    connection.execute(delete(compatible_schemas))
    rows = [{"schema": schema, "revision": revision} for revision in sorted(served(config))]
    connection.execute(insert(compatible_schemas), rows)


def allows(connection: Connection, schema: str | None, revision: str) -> bool:
    """Whether the schema, a newer one, serves the version with this newest revision."""
    if schema is None or not inspect(connection).has_table(compatible_schemas.name):
        return False
    said = (compatible_schemas.c.schema == schema, compatible_schemas.c.revision == revision)
    return connection.scalar(select(compatible_schemas.c.revision).where(*said)) is not None
