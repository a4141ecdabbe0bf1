"""Compares the schema of a database with what the tables of this version say.

Alembic sees missing and other tables, columns, indexes, unique and foreign keys. It sees no other constraints; those of
PostgreSQL are compared by name.
"""

from collections.abc import Iterator

from alembic import command
from alembic.util import CommandError
from sqlalchemy import CheckConstraint, Connection, PrimaryKeyConstraint, inspect

from bot.core.storage.revisions import configure, current, is_newest
from bot.core.storage.tables import all_tables


def schema_faults(connection: Connection) -> list[str]:
    """How the schema differs, in sentences. None if the database is of another version: that says enough."""
    if not is_newest(connection):
        return []
    found = []
    try:
        command.check(configure(connection))
    except CommandError as error:  # with other tables or columns
        found.append(f"the tables are not those of the schema {current(connection)}: {error}")
    if connection.dialect.name == "postgresql":
        found += _other_constraints(connection)
    return found


def _other_constraints(connection: Connection) -> Iterator[str]:
    """Primary keys and checks of the tables that are in the database and in the code: Alembic names the others."""
    inspector = inspect(connection)
    there = set(inspector.get_table_names())
    tables = [table for table in all_tables() if table.name in there]
    expected = {
        (table.name, str(one.name))
        for table in tables
        for one in table.constraints
        if isinstance(one, CheckConstraint | PrimaryKeyConstraint)
    }
    names = [table.name for table in tables]
    keys = inspector.get_multi_pk_constraint(filter_names=names).items()
    checks = inspector.get_multi_check_constraints(filter_names=names).items()
    found = {(table, str(key["name"])) for (_, table), key in keys if key["name"] is not None}
    found |= {(table, str(check["name"])) for (_, table), listed in checks for check in listed}
    for table, name in sorted(expected - found):
        yield f"the table {table} lacks its constraint {name}"
    for table, name in sorted(found - expected):
        yield f"the table {table} has a constraint {name} too many"
