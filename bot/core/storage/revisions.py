"""Lists the revisions of the schema, and checks whether this version can use a database.

The revisions are Alembic's, in one folder for all features. A file's name is its revision: the last one is the newest.
Alembic takes some megabytes for good, so only a migration loads it.
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from io import StringIO
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import URL, Connection, create_engine, inspect, text

from bot.core.storage import compatibility
from bot.core.storage.tables import all_tables

if TYPE_CHECKING:
    from alembic.config import Config

SCRIPTS: Final = Path(__file__).parent / "migrations"
"""The folder of Alembic's ``env.py``."""
FOLDERS: Final = [SCRIPTS / "versions"]
PREFIX: Final = "abakbot_"
"""How each revision begins since the first release. Earlier ones had the names of rooms, or numbers alone."""
VERSION: Final = "alembic_version"
UNFINISHED: Final = "unfinished_restore"
"""Stands for the revision while a backup is restored, so that no version takes the half for the whole."""
UNFINISHED_COPY: Final = "unfinished_copy_"
"""Stands before the revision while another database is copied into this one."""
ASIDE: Final = (VERSION, compatibility.compatible_schemas.name, "sqlite_", "_litestream_")
"""How the names of tables outside of the schema begin. Litestream keeps some in the file that it copies."""
COLUMNS: Final = {
    "sqlite": text("SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'"),
    "postgresql": text(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()"
    ),
}
"""The columns of all tables in one statement, as ``/readyz`` asks often: to inspect a file takes one for each table."""
COMPARISON: Final[Mapping[str, Any]] = MappingProxyType(
    {
        "compare_type": True,
        "include_name": lambda name, kind, _: not (kind == "table" and str(name).startswith(ASIDE)),
    }
)
"""How Alembic compares a database with the tables of this version."""
NAMED: Final = 5
"""The most tables or columns in a sentence."""


class UnknownSchema(Exception):
    """Raised if this version cannot use the database. Nothing was changed; the text says why, and what to do."""

    def __init__(self, place: str, says: str) -> None:
        super().__init__(f"The database {place} {says}")
        self.says = says


def revisions() -> list[str]:
    """Returns the revisions of this version, the newest last."""
    return sorted(path.stem for folder in FOLDERS for path in folder.glob("*.py"))


def newest() -> str:
    return revisions()[-1]


def unfinished_copy() -> str:
    """Returns what stands for the revision while this version copies a database into this one."""
    return UNFINISHED_COPY + newest()


def current(connection: Connection) -> str | None:
    """Returns the revision of the database's schema; None if there is no schema yet."""
    if not inspect(connection).has_table(VERSION):
        return None
    found: str | None = connection.execute(text(f"SELECT version_num FROM {VERSION}")).scalar()  # noqa: S608  a constant
    return found


def set_current(connection: Connection, revision: str) -> None:
    """Names another revision, and leaves the tables as they are."""
    connection.execute(text(f"UPDATE {VERSION} SET version_num = :revision"), {"revision": revision})  # noqa: S608  a constant


def is_newest(connection: Connection) -> bool:
    return current(connection) == newest()


def serves(connection: Connection) -> bool:
    """Returns whether the schema is that of this version, or a newer one that allows for this version."""
    found = current(connection)
    return found == newest() or compatibility.allows(connection, found, newest())


def way_to_newest(connection: Connection) -> str:
    """Says what to do about a usable database with another schema than this version's."""
    if current(connection) in revisions():
        return "bring it up to date with `abakbot db upgrade`"
    return "a newer version of Abakbot has written it; use that version"


def configure(connection: Connection | None = None) -> "Config":
    from alembic.config import Config

    config = Config(stdout=StringIO())  # Alembic's own messages are not for hosts
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("version_locations", os.pathsep.join(map(str, FOLDERS)).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


# --- whether a database can be used ----------------------------------------------------------------------------------


def is_ready(connection: Connection) -> bool:
    """Returns whether this version can play on the database as it is now. Raises UnknownSchema."""
    check_usable(connection)
    return serves(connection)


def check_usable(connection: Connection) -> None:
    """Raises UnknownSchema unless the database is empty, or has a schema that this version can use or upgrade."""
    place, found = name_of(connection.engine.url), current(connection)
    if found is None:
        if others := sorted(_tables(connection)):
            raise UnknownSchema(
                place, f"holds tables of another program ({some(others)}): set DATABASE_URL to a new database."
            )
    elif found not in revisions() and not serves(connection):
        raise UnknownSchema(place, _of_another_version(found))
    elif missing := sorted(_missing(connection, found)):
        raise UnknownSchema(
            place,
            f"does not have the tables of its schema {found}, it lacks {some(missing)}: restore a backup, or set"
            " DATABASE_URL to a new database.",
        )


def name_of(url: URL) -> str:
    """Returns the file of a database, or its name and its host."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    return f"{url.database} on {url.host or 'this machine'}"


def _of_another_version(found: str) -> str:
    if found == UNFINISHED:
        return (
            "holds a part of a backup only: `abakbot restore` still runs, or was interrupted. Make a new database, set"
            " DATABASE_URL to it, and restore the backup there."
        )
    if found.startswith(UNFINISHED_COPY):
        part = "holds a part of a copy only: `abakbot db copy` still runs, or was interrupted."
        if found == unfinished_copy():
            return f"{part} Give the same command again, or set DATABASE_URL to another database."
        return f"{part} Another version of Abakbot began it. Set DATABASE_URL to a new database."
    if found.startswith(PREFIX):
        return (
            f"has the schema {found} of a newer version of Abakbot, and this version has {newest()}: run the newer"
            " version, or set DATABASE_URL to a new database."
        )
    return (
        f"has the schema {found}, which is older than the first release of Abakbot or another program's, and cannot be"
        " upgraded: set DATABASE_URL to a new database."
    )


def _missing(connection: Connection, found: str) -> set[str]:
    """Returns the tables and columns of the schema that the database lacks."""
    expected = _columns_of(found) if found in revisions()[:-1] else _columns()
    there = _stored(connection)
    lacking = expected.keys() - there.keys()
    return lacking | {
        f"{table}.{column}" for table in expected.keys() & there.keys() for column in expected[table] - there[table]
    }


@cache
def _columns() -> dict[str, set[str]]:
    """Returns the columns of this version, by table."""
    return {table.name: {column.name for column in table.columns} for table in all_tables()}


def _columns_of(revision: str) -> dict[str, set[str]]:
    """Makes the tables of an older revision in memory, and returns their columns."""
    from alembic import command

    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        command.upgrade(configure(connection), revision)
        found = _stored(connection)
    engine.dispose()
    return found


def _stored(connection: Connection) -> dict[str, set[str]]:
    """Returns the columns in the database, by table."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for table, column in connection.execute(COLUMNS[connection.dialect.name]):
        if _is_ours(table):
            found[table].add(column)
    return found


def _tables(connection: Connection) -> Iterator[str]:
    return filter(_is_ours, inspect(connection).get_table_names())


def _is_ours(table: str) -> bool:
    return not table.startswith(ASIDE)


def some(names: list[str]) -> str:
    """Lists at most NAMED of the names, as part of a sentence."""
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")
