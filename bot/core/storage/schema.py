"""Compares the schema of a database with the tables of this version.

A start compares names alone, which takes no time: a missing one would make a later command fail. For ``abakbot db
check``, Alembic compares tables, columns, types, indexes, unique and foreign keys; the other constraints are compared
by name.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from sqlalchemy import CheckConstraint, Connection, PrimaryKeyConstraint, inspect, text

from bot.core.storage.revisions import COMPARISON, UnknownSchema, is_newest, name_of, newest, some
from bot.core.storage.tables import all_tables, metadata, name_conditions

NAMES: Final = {
    "sqlite": text("SELECT tbl_name, name, sql FROM sqlite_master WHERE type IN ('table', 'index')"),
    "postgresql": text(
        "SELECT tablename, indexname, '' FROM pg_indexes WHERE schemaname = current_schema() UNION ALL"
        " SELECT relname, conname, '' FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid"
        " WHERE pg_class.relnamespace = current_schema()::regnamespace"
    ),
}
"""Tables with their indexes and constraints. SQLite names constraints in the text of the table alone."""
CONSTRAINT: Final = re.compile(r"\bCONSTRAINT \"?(\w+)")
MISSING: Final = {
    "table": "the table {table} is missing",
    "column": "the table {table} lacks its column {name}",
    "index": "the table {table} lacks its index {name}",
    "constraint": "the table {table} lacks its constraint {name}",
}
TOO_MANY: Final = {
    "table": "there is a table {table} too many",
    "column": "the table {table} has a column {name} too many",
    "index": "the table {table} has an index {name} too many",
    "constraint": "the table {table} has a constraint {name} too many",
}

FOREIGN: Final = frozenset({"remove_table", "remove_column"})
"""The changes by which Alembic would remove tables and columns of somebody else."""
EMPTY: Final = {True: "may be empty, and should not", False: "may not be empty, and should"}


def check_complete(connection: Connection) -> None:
    """Raises UnknownSchema if a database of this version lacks an index or a constraint."""
    if not is_newest(connection):
        return
    dialect, there = connection.dialect.name, set[tuple[str, str]]()
    for table, name, made in connection.execute(NAMES[dialect]):
        there |= {(table, name), *((table, found) for found in CONSTRAINT.findall(made or ""))}
    if missing := sorted(_named(dialect) - there):
        raise UnknownSchema(
            name_of(connection.engine.url),
            f"does not have all of its schema {newest()}, it lacks {some([name for _, name in missing])}: restore a"
            " backup, or set DATABASE_URL to a new database.",
        )


def _named(dialect: str) -> set[tuple[str, str]]:
    """Returns the indexes and constraints of this version, each with its table.

    In SQLite, the key of a table with AUTOINCREMENT has no name: it stands with its column.
    """
    tables = all_tables()
    found = {(table.name, str(index.name)) for table in tables for index in table.indexes}
    for table in tables:
        unnamed_key = dialect == "sqlite" and bool(table.kwargs.get("sqlite_autoincrement"))
        found |= {
            (table.name, str(one.name))
            for one in table.constraints
            if one.name is not None and not (unnamed_key and isinstance(one, PrimaryKeyConstraint))
        }
    return found


def schema_faults(connection: Connection) -> list[str]:
    """Says in sentences how the schema differs. Returns none for a database of another version."""
    if not is_newest(connection):
        return []
    faults = [_in_words(each) for each in _differences(connection)]
    if connection.dialect.name == "postgresql":
        faults += _other_constraints(connection)
    return faults


def foreign_parts(connection: Connection) -> list[str]:
    """Names in sentences the tables and columns of somebody else: copies and restores leave them out.

    Returns none for a database of another version.
    """
    if not is_newest(connection):
        return []
    return [_in_words(each) for each in _differences(connection) if each[0] in FOREIGN]


def _differences(connection: Connection) -> Iterator[tuple[Any, ...]]:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    name_conditions()
    return _single(compare_metadata(MigrationContext.configure(connection, opts=dict(COMPARISON)), metadata))


def _single(found: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
    """Unpacks the lists into which Alembic puts the differences of one column."""
    for each in found:
        if isinstance(each, list):
            yield from each
        else:
            yield each


def _in_words(difference: tuple[Any, ...]) -> str:
    """Says a difference in words. Alembic gives what it would do, such as ``("add_index", Index(…))``."""
    what, *about = difference
    act, _, kind = what.partition("_")
    if act == "modify":
        _, table, name, _, is_now, expected = about
        if kind == "nullable":
            return f"the column {name} of the table {table} {EMPTY[bool(is_now)]}"
        return f"the column {name} of the table {table} has another {kind}: {is_now}, not {expected}"
    kind = "constraint" if kind == "fk" else kind
    table, name = (about[1], about[2].name) if kind == "column" else (_table_of(about[0]), about[0].name)
    return (MISSING if act == "add" else TOO_MANY)[kind].format(table=table, name=name)


def _table_of(part: Any) -> str:
    return str(getattr(part, "table", part).name)


def _other_constraints(connection: Connection) -> Iterator[str]:
    """Compares primary keys and checks, which Alembic does not, of the tables that both sides have."""
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
